/* SPDX-License-Identifier: Apache-2.0 */
#include "promise.h"
#include "properties.h"
#include "reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * Every property holds for the reference and for a plain double loop, and each one catches a fault:
 * the loop can be told to be wrong in the ways in which such code is wrong.
 */

typedef enum fault {
    NONE,
    CLIPPED,        /* not linear */
    ADJOINT_SIGN,   /* the adjoint forgets to conjugate */
    FIELD_SIGN,     /* exp(+i dw t) in both directions */
    K_SIGN,         /* exp(+2 pi i k.r) in both directions */
    HALF_VOXEL,     /* r = (n - N/2)/N with N/2 in reals, wrong for odd N */
    SWAPPED_AXES,   /* G_x and G_y exchanged */
    NO_SINC,        /* gradients ignored */
    SINC_WITHOUT_K, /* sinc(G t) */
    SINC_FOLDED,    /* the argument folded into [-1/2, 1/2] */
    RADIANS,        /* sinc takes G in rad/s */
    LAST_MISSING,   /* the last output is not written */
    FORGOTTEN_COIL, /* every coil gets the input of the first */
    NORMAL_SCALED,  /* the normal operator divides by the number of samples */
    NORMAL_ONE_WAY, /* the normal operator turns its result by the voxel's field */
} fault;

static double sinc(double x) { return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x); }

static double dephasing(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    double b = 1;
    if (!ndft_has_gradients(p) || f == NO_SINC) return 1;
    for (int d = 0; d < p->dim; d++) {
        int axis = f == SWAPPED_AXES && d < 2 && p->dim > 1 ? 1 - d : d;
        double gt = ndft_real_at(p->g[axis], p->prec, v) * ndft_real_at(p->t, p->prec, j);
        double k = ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d];
        if (f == RADIANS) gt /= 2 * M_PI;
        if (f == SINC_WITHOUT_K) k = 0;
        b *= sinc(f == SINC_FOLDED ? k + gt - rint(k + gt) : k + gt);
    }
    return b;
}

static double phase(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    double turns = 0;
    int64_t x[3];
    ndft_voxel_coord(p, v, x);
    for (int d = 0; d < p->dim; d++) {
        double at = (double)x[d] - (f == HALF_VOXEL && p->n[d] % 2 ? 0.5 : 0);
        turns += ndft_real_at(p->k[d], p->prec, j) * at / (double)p->n[d];
    }
    if (f == K_SIGN) turns = -turns;
    double angle = 2 * M_PI * turns;
    if (!p->dw) return angle;
    double field = ndft_real_at(p->dw, p->prec, v) * ndft_real_at(p->t, p->prec, j);
    return angle + (f == FIELD_SIGN ? -field : field);
}

static void one_output(const ndft_problem *p, ndft_op op, fault f, const void *in, int64_t c,
                       int64_t o, double sum[2])
{
    int64_t from = ndft_input_length(p, op), coil = f == FORGOTTEN_COIL ? 0 : c;
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < from; i++) {
        int64_t j = op == NDFT_FORWARD ? o : i, v = op == NDFT_FORWARD ? i : o;
        double angle = phase(p, f, j, v), b = dephasing(p, f, j, v);
        if (op == NDFT_FORWARD || f == ADJOINT_SIGN) angle = -angle;
        int64_t at = 2 * (coil * ndft_coil_stride(p, from) + i * ndft_element_stride(p));
        double re = ndft_real_at(in, p->prec, at), im = ndft_real_at(in, p->prec, at + 1);
        sum[0] += b * (cos(angle) * re - sin(angle) * im);
        sum[1] += b * (cos(angle) * im + sin(angle) * re);
    }
    if (f == CLIPPED) sum[0] = fmin(sum[0], 10);
}

static ndft_status naive(void *context, const ndft_problem *p, ndft_op op, const void *in,
                         void *out, ndft_error *error);

/* One after the other, and what a fused operator may do wrong in between. */
static ndft_status naive_normal(const ndft_problem *p, fault f, const void *in, void *out,
                                ndft_error *error)
{
    void *samples = calloc(1, ndft_vector_bytes(p, p->n_samples));
    fault inner = f;
    ndft_status status = naive(&inner, p, NDFT_FORWARD, in, samples, error);
    if (status == NDFT_OK) status = naive(&inner, p, NDFT_ADJOINT, samples, out, error);
    free(samples);
    for (int64_t i = 0; i < 2 * p->n_voxels * p->coils; i += 2) {
        double re = ndft_real_at(out, p->prec, i), im = ndft_real_at(out, p->prec, i + 1);
        double scale = f == NORMAL_SCALED ? 1.0 / (double)p->n_samples : 1;
        double angle = f == NORMAL_ONE_WAY ? 0.1 * (double)(i % 7) : 0;
        ndft_put_real(out, p->prec, i, scale * (cos(angle) * re - sin(angle) * im));
        ndft_put_real(out, p->prec, i + 1, scale * (cos(angle) * im + sin(angle) * re));
    }
    return status;
}

static ndft_status naive(void *context, const ndft_problem *p, ndft_op op, const void *in,
                         void *out, ndft_error *error)
{
    fault f = *(const fault *)context;
    if (op == NDFT_NORMAL) return naive_normal(p, f, in, out, error);
    int64_t to = ndft_output_length(p, op);
    for (int64_t c = 0; c < p->coils; c++) {
        for (int64_t o = 0; o < to; o++) {
            double sum[2];
            if (f == LAST_MISSING && o == to - 1) continue;
            one_output(p, op, f, in, c, o, sum);
            int64_t at = 2 * (c * ndft_coil_stride(p, to) + o * ndft_element_stride(p));
            ndft_put_real(out, p->prec, at, sum[0]);
            ndft_put_real(out, p->prec, at + 1, sum[1]);
        }
    }
    return NDFT_OK;
}

static double terms(const ndft_problem *p, ndft_op op) { return (double)ndft_input_length(p, op); }

/* Phases rounded in double, then the output in the problem's precision. */
static double naive_claim(void *context, const ndft_problem *p, ndft_op op)
{
    if (op == NDFT_NORMAL)
        return naive_claim(context, p, NDFT_FORWARD) + naive_claim(context, p, NDFT_ADJOINT);
    double inner = ndft_claim_bound(NDFT_F64, 1, 1, 4, p->phi_max, terms(p, op), 0);
    return inner + ndft_claim_bound(p->prec, 0, 0, 1, 0, 0, 0);
}

static ndft_status reference(void *context, const ndft_problem *p, ndft_op op, const void *in,
                             void *out, ndft_error *error)
{
    (void)context;
    int64_t to = ndft_output_length(p, op);
    double *result = malloc((size_t)(to * p->coils) * 2 * sizeof *result);
    NDFT_TRY(ndft_reference(p, op, in, NULL, to, result, 1, error));
    for (int64_t o = 0; o < to; o++) {
        for (int64_t c = 0; c < p->coils; c++) {
            int64_t at = 2 * (c * ndft_coil_stride(p, to) + o * ndft_element_stride(p));
            ndft_put_real(out, p->prec, at, result[2 * (o * p->coils + c)]);
            ndft_put_real(out, p->prec, at + 1, result[2 * (o * p->coils + c) + 1]);
        }
    }
    free(result);
    return NDFT_OK;
}

static double reference_claim(void *context, const ndft_problem *p, ndft_op op)
{
    (void)context;
    (void)op;
    return ndft_claim_bound(NDFT_F64, 0, 0, 4, 0, 0, 0) +
           ndft_claim_bound(p->prec, 0, 0, 1, 0, 0, 0);
}

static const ndft_shape shapes[] = {
    {.dim = 1, .n = {33, 1, 1}, .n_samples = 47, .coils = 1, .prec = NDFT_F64, .seed = 1},
    {.dim = 2, .n = {9, 14, 1}, .n_samples = 61, .coils = 3, .prec = NDFT_F32, .seed = 2},
    {.dim = 2,
     .n = {12, 7, 1},
     .n_samples = 40,
     .coils = 2,
     .prec = NDFT_F64,
     .seed = 3,
     .layout = NDFT_INTERLEAVED,
     .masked = true,
     .gradients = true},
    {.dim = 3,
     .n = {5, 4, 6},
     .n_samples = 31,
     .coils = 1,
     .prec = NDFT_F32,
     .seed = 4,
     .masked = true},
    {.dim = 3,
     .n = {3, 5, 4},
     .n_samples = 23,
     .coils = 2,
     .prec = NDFT_F32,
     .seed = 5,
     .layout = NDFT_INTERLEAVED,
     .gradients = true},
    {.dim = 1, .n = {1, 1, 1}, .n_samples = 1, .coils = 1, .prec = NDFT_F32, .seed = 6},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static bool holds(const ndft_property *property, const ndft_operator *operation,
                  const ndft_shape *shape, ndft_measured *m)
{
    assert_int_equal(ndft_property_run(property, operation, shape, m, NULL), NDFT_OK);
    return m->discrepancy <= m->bound;
}

static void assert_all_hold(const ndft_operator *operation)
{
    for (int i = 0; i < ndft_n_properties; i++) {
        for (int s = 0; s < SHAPES; s++) {
            ndft_measured m;
            if (!holds(&ndft_properties[i], operation, &shapes[s], &m))
                fail_msg("%s, shape %d: %.3g > %.3g", ndft_properties[i].name, s, m.discrepancy,
                         m.bound);
        }
    }
}

static void every_property_holds_for_the_reference(void **state)
{
    (void)state;
    assert_all_hold(&(ndft_operator){reference, reference_claim, NULL});
}

static void every_property_holds_for_a_plain_loop(void **state)
{
    (void)state;
    fault none = NONE;
    assert_all_hold(&(ndft_operator){naive, naive_claim, &none});
}

static const ndft_property *find(const char *name)
{
    for (int i = 0; i < ndft_n_properties; i++)
        if (strcmp(ndft_properties[i].name, name) == 0) return &ndft_properties[i];
    fail_msg("no property %s", name);
    return NULL;
}

/* Which property must catch which fault, in shape 1 (2d, odd and even size, 3 coils). That both
 * sides of gradient_shift lack their sinc only gradient_mean can see. */
static const struct {
    const char *property;
    fault fault;
} caught[] = {
    {"linearity", CLIPPED},
    {"linearity", LAST_MISSING},
    {"adjoint_random", ADJOINT_SIGN},
    {"adjoint_range", ADJOINT_SIGN},
    {"normal_symmetric", ADJOINT_SIGN},
    {"normal_symmetric", NORMAL_ONE_WAY},
    {"normal_energy", ADJOINT_SIGN},
    {"normal_energy", NORMAL_SCALED},
    {"constant_field", FIELD_SIGN},
    {"linear_field", FIELD_SIGN},
    {"linear_field", K_SIGN},
    {"linear_field", HALF_VOXEL},
    {"quarter_turn", K_SIGN},
    {"quarter_turn", HALF_VOXEL},
    {"quarter_turn", FORGOTTEN_COIL},
    {"gradient_shift", SWAPPED_AXES},
    {"gradient_shift", RADIANS},
    {"gradient_shift", SINC_WITHOUT_K},
    {"gradient_mean", SWAPPED_AXES},
    {"gradient_mean", NO_SINC},
    {"gradient_mean", SINC_WITHOUT_K},
    {"gradient_mean", SINC_FOLDED},
    {"gradient_mean", RADIANS},
};

static void every_property_catches_its_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        fault f = caught[i].fault;
        ndft_operator operation = {naive, naive_claim, &f};
        ndft_measured m;
        if (holds(find(caught[i].property), &operation, &shapes[1], &m))
            fail_msg("%s did not see fault %d: %.3g <= %.3g", caught[i].property, f, m.discrepancy,
                     m.bound);
    }
}

static void every_property_is_shown_to_fail(void **state)
{
    (void)state;
    for (int i = 0; i < ndft_n_properties; i++) {
        bool shown = false;
        for (size_t c = 0; c < sizeof caught / sizeof *caught; c++)
            shown = shown || strcmp(caught[c].property, ndft_properties[i].name) == 0;
        if (!shown) fail_msg("%s is never shown to fail", ndft_properties[i].name);
    }
}

static ndft_status refuse(void *context, const ndft_problem *p, ndft_op op, const void *in,
                          void *out, ndft_error *error)
{
    (void)context, (void)p, (void)op, (void)in, (void)out;
    return ndft_fail(error, NDFT_EUNSUPPORTED, "not today");
}

static void a_refusal_is_handed_on(void **state)
{
    (void)state;
    ndft_operator operation = {refuse, reference_claim, NULL};
    for (int i = 0; i < ndft_n_properties; i++) {
        ndft_measured m;
        ndft_error error;
        assert_int_equal(ndft_property_run(&ndft_properties[i], &operation, &shapes[1], &m, &error),
                         NDFT_EUNSUPPORTED);
        assert_string_equal(error.message, "not today");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_property_holds_for_the_reference),
        cmocka_unit_test(every_property_holds_for_a_plain_loop),
        cmocka_unit_test(every_property_catches_its_faults),
        cmocka_unit_test(every_property_is_shown_to_fail),
        cmocka_unit_test(a_refusal_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
