/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"
#include "reference.h"
#include "turns.h"

#include <math.h>
#include <string.h>

/*
 * Properties of the normal operator N = A^H A, which is self-adjoint and positive however it is
 * computed. An error e of Ax enters their inner products as <Ax,e>, one of A^H as <x,e>.
 */

/* For unrelated x and y errors meet them by chance: the fewer of samples and voxels average. */
static ndft_status normal_symmetric(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem *p = &t->problem;
    const int64_t count = p->n_voxels * p->coils;
    ndft_complex *x = ndft_property_fixture_vector(t), *nx = ndft_property_fixture_vector(t);
    ndft_complex *y = ndft_property_fixture_vector(t), *ny = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    ndft_property_fixture_draw(t, y, p->n_voxels);
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, nx));
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, y, ny));
    double left[2], right[2];
    ndft_inner(NDFT_F64, nx, y, count, left);
    ndft_inner(NDFT_F64, x, ny, count, right);
    double size = ndft_norm(nx, count) * ndft_norm(y, count);
    size += ndft_norm(x, count) * ndft_norm(ny, count);
    double fewer = fmin((double)p->n_voxels, (double)p->n_samples);
    double chance = 4 * ndft_property_fixture_claim(t, p, op) / sqrt(fewer);
    ndft_keep_worse(worst, hypot(left[0] - right[0], left[1] - right[1]) / size,
                    fmax(chance, 8 * ndft_roundoff(p->prec)));
    return NDFT_OK;
}

/* <x,Nx> is real and not negative. The error of Ax enters three times, twice through |Ax|^2. */
static ndft_status normal_energy(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem *p = &t->problem;
    const int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * p->coils;
    ndft_complex *x = ndft_property_fixture_vector(t), *ax = ndft_property_fixture_vector(t),
                 *nx = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    NDFT_TRY(ndft_property_fixture_apply(t, p, NDFT_FORWARD, x, ax));
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, nx));
    double product[2], energy = pow(ndft_norm(ax, samples), 2);
    ndft_inner(NDFT_F64, x, nx, voxels, product);
    ndft_keep_worse(worst, hypot(product[0] - energy, product[1]) / energy,
                    3 * ndft_property_fixture_claim(t, p, op));
    return NDFT_OK;
}

/* Properties that need no gradients, and those that hold with and without. */

/* Elements of all coils on the side that op writes. */
static int64_t written(const ndft_problem *p, ndft_op op)
{
    return ndft_output_length(p, op) * p->coils;
}

/* A(a x + b y) = a Ax + b Ay; small integers keep a x + b y exact. Measured against the sum of the
 * norms of the three results, each of which may be off by the claim. */
static ndft_status linearity(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem *p = &t->problem;
    const ndft_complex a = ndft_complex_of(1, 2), b = ndft_complex_of(-3, 1);
    int64_t from = ndft_input_length(p, op), count = written(p, op);
    ndft_complex *x = ndft_property_fixture_vector(t), *ax = ndft_property_fixture_vector(t);
    ndft_complex *y = ndft_property_fixture_vector(t), *ay = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw_integers(t, x, from);
    ndft_property_fixture_draw_integers(t, y, from);
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, ax));
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, y, ay));
    for (int64_t i = 0; i < from * p->coils; i++) x[i] = a * x[i] + b * y[i];
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, y));
    double size = cabs(a) * ndft_norm(ax, count) + cabs(b) * ndft_norm(ay, count);
    size += ndft_norm(y, count);
    for (int64_t i = 0; i < count; i++) ax[i] = a * ax[i] + b * ay[i];
    ndft_keep_worse(worst, ndft_distance(ax, y, count) / size,
                    ndft_property_fixture_claim(t, p, op));
    return NDFT_OK;
}

/* |<Ax,y> - <x,A^H y>| / (|Ax||y|), given x, Ax and y. */
static ndft_status adjointness(ndft_property_fixture *t, const ndft_complex *x,
                               const ndft_complex *ax, const ndft_complex *y, double *discrepancy)
{
    const ndft_problem *p = &t->problem;
    int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * p->coils;
    ndft_complex *ahy = ndft_property_fixture_vector(t);
    NDFT_TRY(ndft_property_fixture_apply(t, p, NDFT_ADJOINT, y, ahy));
    double left[2], right[2];
    ndft_inner(NDFT_F64, ax, y, samples, left);
    ndft_inner(NDFT_F64, x, ahy, voxels, right);
    double size = ndft_norm(ax, samples) * ndft_norm(y, samples);
    *discrepancy = hypot(left[0] - right[0], left[1] - right[1]) / size;
    return NDFT_OK;
}

static double larger_claim(const ndft_property_fixture *t)
{
    return fmax(ndft_property_fixture_claim(t, &t->problem, NDFT_FORWARD),
                ndft_property_fixture_claim(t, &t->problem, NDFT_ADJOINT));
}

/* With a y that knows nothing of the error of Ax, the two meet only by chance. */
static ndft_status adjoint_random(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    (void)op;
    const ndft_problem *p = &t->problem;
    ndft_complex *x = ndft_property_fixture_vector(t), *ax = ndft_property_fixture_vector(t),
                 *y = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    ndft_property_fixture_draw(t, y, p->n_samples);
    NDFT_TRY(ndft_property_fixture_apply(t, p, NDFT_FORWARD, x, ax));
    double discrepancy;
    NDFT_TRY(adjointness(t, x, ax, y, &discrepancy));
    double chance = 4 * larger_claim(t) / sqrt((double)p->n_samples);
    ndft_keep_worse(worst, discrepancy, fmax(chance, 8 * ndft_roundoff(p->prec)));
    return NDFT_OK;
}

/* y = Ax: a systematic error of either direction shows in full. */
static ndft_status adjoint_range(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    (void)op;
    const ndft_problem *p = &t->problem;
    ndft_complex *x = ndft_property_fixture_vector(t), *ax = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    NDFT_TRY(ndft_property_fixture_apply(t, p, NDFT_FORWARD, x, ax));
    double discrepancy;
    NDFT_TRY(adjointness(t, x, ax, ax, &discrepancy));
    ndft_keep_worse(worst, discrepancy, 4 * larger_claim(t));
    return NDFT_OK;
}

/* dw = w everywhere multiplies sample j by exp(-i w t_j), the last factor of either direction. */
static ndft_status constant_field(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem without = t->problem, with = t->problem;
    void *dw = ndft_property_fixture_reals(t, with.n_voxels);
    for (int64_t v = 0; v < with.n_voxels; v++) ndft_put(dw, with.prec, v, -460);
    without.dw = NULL;
    with.dw = dw;
    ndft_property_fixture_bounds(&without);
    ndft_property_fixture_bounds(&with);
    double *turns = ndft_property_fixture_take(t, (size_t)with.n_samples * sizeof *turns);
    ndft_pair_sum cycles = ndft_cycles(-460);
    for (int64_t j = 0; j < with.n_samples; j++)
        turns[j] = ndft_fraction(cycles.hi, cycles.lo, ndft_real_at(with.t, with.prec, j));

    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, ndft_input_length(&with, op));
    NDFT_TRY(ndft_property_fixture_apply(t, &with, op, x, y));
    double bound =
        ndft_property_fixture_claim(t, &with, op) + ndft_property_fixture_claim(t, &without, op);
    if (op == NDFT_ADJOINT) {
        ndft_rotate(&with, x, turns, 1);
        bound += 2 * ndft_roundoff(with.prec); /* of the rotated input */
    }
    NDFT_TRY(ndft_property_fixture_apply(t, &without, op, x, z));
    if (op == NDFT_FORWARD) ndft_rotate(&with, z, turns, -1);
    int64_t count = written(&with, op);
    ndft_keep_worse(worst, ndft_distance(y, z, count) / ndft_norm(z, count), bound);
    return NDFT_OK;
}

/* dw = 2 pi g.r equals no field on the trajectory k_j + g t_j. */
static ndft_status linear_field(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem field = t->problem, shifted;
    memset(field.g, 0, sizeof field.g);
    ndft_property_fixture_linear(t, &field, &shifted);
    return ndft_property_fixture_equal(t, &field, &shifted, op, worst);
}

/* i to the power of quarters, times x, in exact integers. */
static ndft_complex turn_quarters(ndft_complex x, int64_t quarters)
{
    switch (quarters & 3) {
    case 0:
        return x;
    case 1:
        return ndft_complex_of(-cimag(x), creal(x));
    case 2:
        return ndft_complex_of(-creal(x), -cimag(x));
    default:
        return ndft_complex_of(cimag(x), -creal(x));
    }
}

/* With k_d = q_d N_d/4 every phase is a multiple of a quarter turn. */
static void quarter_sum(const ndft_problem *p, ndft_op op, const int *q, const ndft_complex *x,
                        ndft_complex *y)
{
    int64_t from = ndft_input_length(p, op), to = ndft_output_length(p, op);
    memset(y, 0, (size_t)(to * p->coils) * sizeof *y);
    for (int64_t v = 0; v < p->n_voxels; v++) {
        int64_t at[3];
        ndft_voxel_coord(p, v, at);
        for (int64_t j = 0; j < p->n_samples; j++) {
            int64_t quarters = 0, i = op == NDFT_FORWARD ? v : j, o = op == NDFT_FORWARD ? j : v;
            for (int d = 0; d < p->dim; d++) quarters += q[j * p->dim + d] * at[d];
            if (op == NDFT_FORWARD) quarters = -quarters;
            for (int64_t c = 0; c < p->coils; c++)
                y[c * to + o] += turn_quarters(x[c * from + i], quarters);
        }
    }
}

static ndft_status quarter_turn(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem p = t->problem;
    int *q = ndft_property_fixture_take(t, (size_t)(p.n_samples * p.dim) * sizeof *q);
    for (int d = 0; d < p.dim; d++) {
        void *k = ndft_property_fixture_reals(t, p.n_samples);
        for (int64_t j = 0; j < p.n_samples; j++) {
            q[j * p.dim + d] = (int)(5 * ndft_uniform(&t->random)) - 2;
            ndft_put(k, p.prec, j, 0.25 * q[j * p.dim + d] * (double)p.n[d]);
        }
        p.k[d] = k;
        p.g[d] = NULL;
    }
    p.dw = p.decay = NULL;
    p.higher = (ndft_higher_phase){0};
    memset(p.x, 0, sizeof p.x);
    ndft_property_fixture_bounds(&p);
    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw_integers(t, x, ndft_input_length(&p, op));
    NDFT_TRY(ndft_property_fixture_apply(t, &p, op, x, y));
    quarter_sum(&p, op, q, x, z);
    int64_t count = written(&p, op);
    ndft_keep_worse(worst, ndft_distance(y, z, count) / ndft_norm(z, count),
                    ndft_property_fixture_claim(t, &p, op));
    return NDFT_OK;
}

enum { EITHER = NDFT_FORWARD | NDFT_ADJOINT, ANY = EITHER | NDFT_NORMAL };

const ndft_property ndft_properties[] = {
    {"linearity", "A(a x + b y) = a Ax + b Ay", ANY, 0, linearity},
    {"adjoint_random", "<Ax,y> = <x,A^H y> for unrelated x and y", NDFT_FORWARD, 0, adjoint_random},
    {"adjoint_range", "<Ax,Ax> = <x,A^H Ax>", NDFT_FORWARD, 0, adjoint_range},
    {"normal_symmetric", "<x,A^H A y> = <A^H A x,y> for unrelated x and y", NDFT_NORMAL, 0,
     normal_symmetric},
    {"normal_energy", "<x,A^H A x> = |Ax|^2", NDFT_NORMAL, 0, normal_energy},
    {"constant_field", "dw = w is a phase exp(-i w t_j) per sample", EITHER, 0, constant_field},
    {"linear_field", "dw = 2 pi g.r is the trajectory k_j + g t_j", ANY, 0, linear_field},
    {"quarter_turn", "k = q N/4 on integers gives exact integers", EITHER, 0, quarter_turn},
    {"gradient_shift", "dw = 2 pi g.r with G = g/N is the trajectory k_j + g t_j", ANY,
     NDFT_NEEDS_GRADIENTS, ndft_gradient_shift},
    {"gradient_mean", "sinc factors are the mean of plain operators over a voxel", EITHER,
     NDFT_NEEDS_GRADIENTS, ndft_gradient_mean},
    {"constant_decay", "R = r is a factor exp(-r t_j) per sample", EITHER, NDFT_NEEDS_DECAY,
     ndft_constant_decay},
    {"decay_at_one_time", "t_j = t makes decay a factor exp(-R_v t) per voxel", EITHER,
     NDFT_NEEDS_DECAY, ndft_decay_at_one_time},
    {"maps_are_factors", "A with coil maps is A of each map times the image, and its adjoint", ANY,
     0, ndft_maps_are_factors},
    {"higher_is_field", "c_l = t with b_l = dw is the field map", ANY, NDFT_NEEDS_HIGHER,
     ndft_higher_is_field},
    {"higher_is_shift", "c_l = 2 pi g t with b_l = x is the trajectory k_j + N g t_j", ANY,
     NDFT_NEEDS_HIGHER, ndft_higher_is_shift},
    {"positions_are_the_grid", "x = n - floor(N/2) is the grid", ANY, NDFT_NEEDS_POSITIONS,
     ndft_positions_are_the_grid},
    {"moved_together", "voxels at x + s are a phase exp(-2 pi i k_j.s/N) per sample", EITHER,
     NDFT_NEEDS_POSITIONS, ndft_moved_together},
};

const int ndft_n_properties = sizeof ndft_properties / sizeof *ndft_properties;

ndft_status ndft_property_run(const ndft_property *property, const ndft_operator *operation,
                              const ndft_shape *shape, ndft_measured *worst, ndft_error *error)
{
    ndft_property_fixture t;
    *worst = (ndft_measured){0, 0};
    NDFT_TRY(ndft_property_fixture_open(&t, operation, shape, error));
    const size_t drawn = t.used;
    ndft_status status = NDFT_OK;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL && status == NDFT_OK; op <<= 1) {
        if (!(property->ops & op)) continue;
        t.used = drawn;
        status = property->check(&t, (ndft_op)op, worst);
    }
    ndft_property_fixture_close(&t);
    return status;
}
