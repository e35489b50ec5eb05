/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "reference.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The reference against sums in long double, its norms against numbers worked out by hand. */

enum { MOST = 4096 };

/* Arrays of one problem, all double; floats are drawn so that both precisions hold the same. */
typedef struct drawn {
    ndft_problem problem;
    double k[3][MOST], t[MOST], dw[MOST], g[3][MOST], in[2 * MOST];
    float kf[3][MOST], tf[MOST], dwf[MOST], gf[3][MOST], inf[2 * MOST];
    int32_t voxel[MOST];
} drawn;

static double draw(ndft_random *r, double largest)
{
    return (float)(largest * (2 * ndft_uniform(r) - 1));
}

static void fill(double *wide, float *narrow, int64_t count, double largest, uint64_t seed)
{
    ndft_random r = {seed};
    for (int64_t i = 0; i < count; i++) narrow[i] = (float)(wide[i] = draw(&r, largest));
}

/* A problem of size n with m samples; in holds enough for either side. */
static drawn *make(int dim, const int64_t n[3], int64_t m, int coils, ndft_prec prec)
{
    drawn *d = calloc(1, sizeof *d);
    ndft_problem *p = &d->problem;
    *p = (ndft_problem){.dim = dim, .prec = prec, .coils = coils, .n_samples = m};
    memcpy(p->n, n, sizeof p->n);
    p->n_voxels = n[0] * n[1] * n[2];
    bool wide = prec == NDFT_F64;
    for (int a = 0; a < dim; a++) {
        fill(d->k[a], d->kf[a], m, (double)n[a] / 2, 10 + (uint64_t)a);
        fill(d->g[a], d->gf[a], p->n_voxels, 60, 20 + (uint64_t)a);
        p->k[a] = wide ? (void *)d->k[a] : d->kf[a];
        p->g[a] = wide ? (void *)d->g[a] : d->gf[a];
    }
    fill(d->t, d->tf, m, 0.03, 30);
    fill(d->dw, d->dwf, p->n_voxels, 3000, 31);
    fill(d->in, d->inf, 2 * MOST, 1, 32);
    d->k[0][0] = d->kf[0][0] = 0;
    d->t[0] = d->tf[0] = 0;
    p->t = wide ? (void *)d->t : d->tf;
    p->dw = wide ? (void *)d->dw : d->dwf;
    return d;
}

static const void *input(const drawn *d)
{
    return d->problem.prec == NDFT_F64 ? (const void *)d->in : d->inf;
}

static void drop_gradients(drawn *d) { memset(d->problem.g, 0, sizeof d->problem.g); }

static void drop_every_third_voxel(drawn *d)
{
    int64_t kept = 0;
    for (int64_t v = 0; v < d->problem.n_voxels; v++)
        if (v % 3 != 1) d->voxel[kept++] = (int32_t)v;
    d->problem.voxel = d->voxel;
    d->problem.n_voxels = kept;
}

/* The operator's entry for sample j and voxel v, in long double. */
static void entry(const ndft_problem *p, int64_t j, int64_t v, long double e[2])
{
    const long double pi = 3.141592653589793238462643383279502884L;
    long double t = ndft_real_at(p->t, p->prec, j), b = 1, phase = 0;
    int64_t x[3];
    ndft_voxel_coord(p, v, x);
    for (int d = 0; d < p->dim; d++) {
        long double k = ndft_real_at(p->k[d], p->prec, j), n = p->n[d];
        phase += fmodl(k * x[d] / n, 1);
        if (!ndft_has_gradients(p)) continue;
        long double u = pi * (k / n + ndft_real_at(p->g[d], p->prec, v) * t);
        if (u != 0) b *= sinl(u) / u;
    }
    phase *= 2 * pi;
    if (p->dw) phase += ndft_real_at(p->dw, p->prec, v) * t;
    e[0] = b * cosl(phase);
    e[1] = -b * sinl(phase);
}

/* One output of one coil. */
static void exact(const ndft_problem *p, ndft_op op, const void *in, int64_t o, int c,
                  double out[2])
{
    int64_t length = ndft_input_length(p, op);
    long double re = 0, im = 0;
    for (int64_t i = 0; i < length; i++) {
        long double e[2];
        entry(p, op == NDFT_FORWARD ? o : i, op == NDFT_FORWARD ? i : o, e);
        if (op == NDFT_ADJOINT) e[1] = -e[1];
        int64_t at = c * ndft_coil_stride(p, length) + i * ndft_element_stride(p);
        long double a = ndft_real_at(in, p->prec, 2 * at);
        long double b = ndft_real_at(in, p->prec, 2 * at + 1);
        re += e[0] * a - e[1] * b;
        im += e[0] * b + e[1] * a;
    }
    out[0] = (double)re;
    out[1] = (double)im;
}

static double *reference(const drawn *d, ndft_op op, int threads)
{
    int64_t length = ndft_output_length(&d->problem, op);
    double *result = malloc((size_t)(length * d->problem.coils) * 2 * sizeof *result);
    assert_int_equal(ndft_reference(&d->problem, op, input(d), NULL, length, result, threads, NULL),
                     NDFT_OK);
    return result;
}

/* Both directions within a few roundings of double, relative to the whole vector. */
static void assert_exact(const drawn *d)
{
    const ndft_problem *p = &d->problem;
    for (ndft_op op = NDFT_FORWARD; op <= NDFT_ADJOINT; op++) {
        double *result = reference(d, op, 2), difference = 0, size = 0;
        for (int64_t o = 0; o < ndft_output_length(p, op); o++) {
            for (int c = 0; c < p->coils; c++) {
                double want[2], *got = result + 2 * (o * p->coils + c);
                exact(p, op, input(d), o, c, want);
                difference = hypot(difference, hypot(got[0] - want[0], got[1] - want[1]));
                size = hypot(size, hypot(want[0], want[1]));
            }
        }
        free(result);
        if (!(difference <= 4 * DBL_EPSILON * size))
            fail_msg("op %d dim %d: %.2g of the reference's norm", op, p->dim, difference / size);
    }
}

static const int64_t sizes[3][3] = {{257, 1, 1}, {23, 10, 1}, {7, 8, 5}};

static void every_dimension_precision_and_layout_is_exact(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        for (int kind = 0; kind < 8; kind++) {
            drawn *d =
                make(dim, sizes[dim - 1], 61, 1 + 2 * (kind & 1), kind & 2 ? NDFT_F32 : NDFT_F64);
            d->problem.layout = kind & 1 ? NDFT_INTERLEAVED : NDFT_PLANAR;
            if (kind & 4) drop_gradients(d);
            assert_exact(d);
            free(d);
        }
    }
}

static void masks_and_absent_fields_are_exact(void **state)
{
    (void)state;
    drawn *d = make(2, sizes[1], 300, 2, NDFT_F32);
    drop_every_third_voxel(d);
    assert_exact(d);
    d->problem.dw = NULL;
    assert_exact(d);
    free(d);
}

/* A thousand turns of field and a sample far out lose nothing. */
static void long_phases_are_exact(void **state)
{
    (void)state;
    drawn *d = make(1, sizes[0], 61, 1, NDFT_F64);
    drop_gradients(d);
    for (int j = 0; j < 61; j++) d->t[j] = 3.7 * j + 0.1;
    for (int j = 0; j < 61; j++) d->k[0][j] = 1e4 / 3 * j;
    const ndft_problem *p = &d->problem;
    double *result = reference(d, NDFT_FORWARD, 1), want[2];
    for (int64_t j = 0; j < p->n_samples; j++) {
        exact(p, NDFT_FORWARD, input(d), j, 0, want);
        double off = hypot(result[2 * j] - want[0], result[2 * j + 1] - want[1]);
        assert_true(off <= 1e-13 * hypot(want[0], want[1]));
    }
    free(result);
    free(d);
}

/* At k = 0 an output is the plain sum of the input. */
static void sums_survive_cancellation(void **state)
{
    (void)state;
    drawn *d = make(1, sizes[0], 2, 1, NDFT_F64);
    drop_gradients(d);
    memset(d->in, 0, sizeof d->in);
    d->in[2 * 3] = d->in[2 * 40 + 1] = 1e17; /* within one lane and across lanes */
    d->in[2 * 11] = d->in[2 * 41 + 1] = 3;
    d->in[2 * 19] = d->in[2 * 250 + 1] = -1e17;
    double *result = reference(d, NDFT_FORWARD, 1);
    assert_true(result[0] == 3 && result[1] == 3);
    free(result);
    free(d);
}

static void listed_outputs_and_threads_do_not_change_bits(void **state)
{
    (void)state;
    drawn *d = make(2, sizes[1], 301, 3, NDFT_F32);
    int64_t list[] = {0, 7, 300};
    double part[3 * 3 * 2], *one = reference(d, NDFT_FORWARD, 1),
                            *three = reference(d, NDFT_FORWARD, 3);
    assert_memory_equal(one, three, 301 * 3 * 2 * sizeof *one);
    assert_int_equal(ndft_reference(&d->problem, NDFT_FORWARD, input(d), list, 3, part, 2, NULL),
                     NDFT_OK);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(part + 6 * i, one + 6 * list[i], 6 * sizeof *part);
    free(one);
    free(three);
    free(d);
}

static void normal_is_adjoint_after_forward(void **state)
{
    (void)state;
    drawn *d = make(2, sizes[1], 45, 2, NDFT_F64);
    drop_every_third_voxel(d);
    int64_t voxels = d->problem.n_voxels;
    double *normal = reference(d, NDFT_NORMAL, 2), *samples = reference(d, NDFT_FORWARD, 2);
    for (int j = 0; j < 45; j++)
        for (int c = 0; c < 2; c++) memcpy(d->in + 2 * (c * 45 + j), samples + 2 * (2 * j + c), 16);
    double *twice = reference(d, NDFT_ADJOINT, 2);
    assert_memory_equal(normal, twice, (size_t)voxels * 2 * 2 * sizeof *normal);
    free(normal);
    free(samples);
    free(twice);
    free(d);
}

static void a_normal_operator_too_large_is_refused(void **state)
{
    (void)state;
    ndft_problem p = {.coils = 1, .n_voxels = 1 << 20, .n_samples = (1 << 16) + 1};
    ndft_error err = {0};
    double result[2];
    assert_int_equal(ndft_reference(&p, NDFT_NORMAL, NULL, NULL, 1, result, 1, &err),
                     NDFT_EUNSUPPORTED);
    assert_non_null(strstr(err.message, "all 65537 samples first, 6.87e+10 pairs"));
}

static void compare_measures_what_was_planted(void **state)
{
    (void)state;
    ndft_problem p = {.prec = NDFT_F64, .coils = 2, .n_voxels = 2, .n_samples = 3};
    double in[] = {3, 4, 0, 0, 0, -2, 0, 0};               /* |in|_1 = 5 and 2 */
    double ref[] = {0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0};   /* |ref|_2 = 5 */
    double out[] = {0, 0, 0, 0, 0, 0, 3, 0, 4, 0.5, 0, 0}; /* 0.5 off in coil 1, element 1 */
    ndft_difference d = ndft_compare(&p, NDFT_FORWARD, in, out, NULL, 3, ref);
    assert_true(d.rel_l2 == 0.1 && d.max_err == 0.25 && d.worst == 1);
    int64_t list[] = {2};
    d = ndft_compare(&p, NDFT_FORWARD, in, out, list, 1, ref + 8);
    assert_true(d.rel_l2 == 0 && d.worst == 2);
    out[1] = NAN;
    d = ndft_compare(&p, NDFT_FORWARD, in, out, NULL, 3, ref);
    assert_true(isinf(d.rel_l2) && isinf(d.max_err) && d.worst == 0);
}

static void inner_products_survive_cancellation(void **state)
{
    (void)state;
    double a[] = {1e17, 0, 1, 2, -1e17, 0}, b[] = {1, 0, 3, -1, 1, 0}, ab[2];
    ndft_inner(NDFT_F64, a, b, 3, ab);
    assert_true(ab[0] == 1 && ab[1] == 7); /* (1 + 2i)(3 + i) */
    double c[] = {1 + 0x1p-30, 0, 1, 0}, d[] = {1 - 0x1p-30, 0, -1, 0}, cd[2];
    ndft_inner(NDFT_F64, c, d, 2, cd);
    assert_true(cd[0] == -0x1p-60);
}

static void adjointness_is_zero_only_for_an_adjoint(void **state)
{
    (void)state;
    ndft_problem p = {.prec = NDFT_F64, .coils = 1, .n_voxels = 1, .n_samples = 1};
    double x[] = {1, 2}, ax[] = {-2, 1}, y[] = {3, 0}, ahy[] = {0, -3}, wrong[] = {0, 3};
    assert_true(ndft_adjointness(&p, x, ax, y, ahy) == 0); /* A = i */
    assert_true(ndft_adjointness(&p, x, ax, y, wrong) == 2);
    double none[] = {0,
                     0}; /* a phantom behind a mask: 0/0 is no disagreement, and none is allowed */
    assert_true(ndft_adjointness_any(&p, none, none, y) == 0);
    assert_true(ndft_adjointness(&p, none, none, y, ahy) == 0);
    assert_true(ndft_adjointness_any(&p, none, ax, y) == 0);
}

static void samples_hold_ends_and_tile_edges(void **state)
{
    (void)state;
    ndft_problem p = {.n_voxels = 1 << 16, .n_samples = 1 << 12};
    int64_t *list, *again;
    assert_int_equal(ndft_sample_outputs(&p, NDFT_FORWARD, 1, &list), 1 << 12);
    assert_null(list);
    p.n_samples = 70000;
    int64_t size = ndft_sample_outputs(&p, NDFT_FORWARD, 1, &list);
    assert_true(size >= 1024 && size < 70000);
    assert_true(list[0] == 0 && list[size - 1] == 69999);
    int edges = 0;
    for (int64_t i = 1; i < size; i++) {
        assert_true(list[i] > list[i - 1]);
        edges += list[i] == 1023 || list[i] == 1024 || list[i] == 1025;
    }
    assert_int_equal(edges, 3);
    assert_int_equal(ndft_sample_outputs(&p, NDFT_FORWARD, 1, &again), size);
    assert_memory_equal(list, again, (size_t)size * sizeof *list);
    free(again);
    ndft_sample_outputs(&p, NDFT_FORWARD, 2, &again);
    assert_memory_not_equal(list, again, 1024 * sizeof *list);
    free(again);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dimension_precision_and_layout_is_exact),
        cmocka_unit_test(masks_and_absent_fields_are_exact),
        cmocka_unit_test(long_phases_are_exact),
        cmocka_unit_test(sums_survive_cancellation),
        cmocka_unit_test(listed_outputs_and_threads_do_not_change_bits),
        cmocka_unit_test(normal_is_adjoint_after_forward),
        cmocka_unit_test(a_normal_operator_too_large_is_refused),
        cmocka_unit_test(compare_measures_what_was_planted),
        cmocka_unit_test(inner_products_survive_cancellation),
        cmocka_unit_test(adjointness_is_zero_only_for_an_adjoint),
        cmocka_unit_test(samples_hold_ends_and_tile_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
