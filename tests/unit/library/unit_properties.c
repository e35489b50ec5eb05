/* SPDX-License-Identifier: Apache-2.0 */
#include "promise.h"
#include "properties.h"
#include "reference.h"
#include "support/faulty.h"

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
    const ndft_placement to = ndft_output_placement(p, op);
    double *result = malloc((size_t)(to.length * to.coils) * 2 * sizeof *result);
    NDFT_TRY(ndft_reference(p, op, in, NULL, to.length, result, 1, error));
    for (int64_t o = 0; o < to.length; o++) {
        for (int64_t c = 0; c < to.coils; c++) {
            int64_t at = 2 * (c * to.coil + o * to.element);
            ndft_put_real(out, p->prec, at, result[2 * (o * to.coils + c)]);
            ndft_put_real(out, p->prec, at + 1, result[2 * (o * to.coils + c) + 1]);
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
    {.dim = 2,
     .n = {7, 10, 1},
     .n_samples = 53,
     .coils = 2,
     .prec = NDFT_F32,
     .seed = 7,
     .masked = true,
     .decays = true},
    {.dim = 2,
     .n = {8, 5, 1},
     .n_samples = 37,
     .coils = 1,
     .prec = NDFT_F64,
     .seed = 8,
     .gradients = true,
     .decays = true},
    {.dim = 2,
     .n = {7, 6, 1},
     .n_samples = 41,
     .coils = 2,
     .prec = NDFT_F32,
     .seed = 9,
     .masked = true,
     .decays = true,
     .higher = true},
    {.dim = 2,
     .n = {7, 6, 1},
     .n_samples = 41,
     .coils = 2,
     .prec = NDFT_F32,
     .seed = 10,
     .masked = true,
     .gradients = true,
     .off_grid = true},
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
    {"constant_decay", NO_DECAY},
    {"constant_decay", GROWING},
    {"decay_at_one_time", NO_DECAY},
    {"decay_at_one_time", GROWING},
    {"decay_at_one_time", ONE_DECAY},
    {"maps_are_factors", MAPS_AS_THEY_ARE},
    {"maps_are_factors", FIRST_MAP},
    {"maps_are_factors", LAST_COIL_LEFT},
    {"maps_are_factors", FORGOTTEN_COIL},
    {"higher_is_field", NO_HIGHER},
    {"higher_is_field", LAST_HIGHER},
    {"higher_is_field", HIGHER_SIGN},
    {"higher_is_shift", NO_HIGHER},
    {"higher_is_shift", LAST_HIGHER},
    {"higher_is_shift", HIGHER_SIGN},
    {"positions_are_the_grid", IN_FOV},
    {"moved_together", ON_GRID},
    {"moved_together", ROUNDED},
    {"moved_together", IN_FOV},
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

/* What only shapes with decay, or a phase of higher order, show. */
static void both_ways(fault one_way, const ndft_shape *shape)
{
    static const char *const names[] = {"adjoint_random", "adjoint_range", "normal_symmetric",
                                        "normal_energy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fault f = one_way;
        ndft_operator operation = {naive, naive_claim, &f};
        ndft_measured m;
        if (holds(find(names[i]), &operation, shape, &m))
            fail_msg("%s did not see fault %d: %.3g <= %.3g", names[i], f, m.discrepancy, m.bound);
    }
}

static void adjoints_are_seen(void **state)
{
    (void)state;
    both_ways(GROWING, &shapes[5]);
    both_ways(HIGHER_ONE_WAY, &shapes[7]);
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
        cmocka_unit_test(adjoints_are_seen),
        cmocka_unit_test(every_property_is_shown_to_fail),
        cmocka_unit_test(a_refusal_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
