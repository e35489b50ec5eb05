/* SPDX-License-Identifier: Apache-2.0 */
#include "promise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What chance adds to typical claims where outputs are few numbers. */

enum { MANY = 5000 };

static double tenth(const ndft_problem *p, const int *knobs)
{
    (void)p;
    (void)knobs;
    return 0.1;
}

static double claimed(ndft_problem p, ndft_op op, bool by_chance)
{
    const ndft_variant rounding = {.claim = {.c = 1}};
    const ndft_variant counting = {.claim = {.truncation = tenth, .by_chance = true}};
    p.prec = NDFT_F64;
    return ndft_promise_of(NDFT_NONUNIFORM, by_chance ? &counting : &rounding, NULL, &p, op)
        .typical;
}

static ndft_problem sized(int64_t voxels, int64_t samples, int coils, double repeats)
{
    static const float k[1];
    return (ndft_problem){.k = {k},
                          .n_voxels = voxels,
                          .n_samples = samples,
                          .coils = coils,
                          .structure = {.repeats = repeats}};
}

/* Times the claim of many samples. */
static double grown(ndft_problem p, ndft_op op) { return claimed(p, op, false) / ldexp(1, -53); }

static void test_one_value_may_be_small(void **state)
{
    (void)state;
    assert_true(grown(sized(MANY, 1, 1, 1), NDFT_FORWARD) > 30);
    assert_true(grown(sized(MANY, 1, 1, 1), NDFT_FORWARD) < 100);
    assert_true(grown(sized(1, MANY, 1, 1), NDFT_ADJOINT) > 30);
    assert_true(grown(sized(MANY, 2, 1, 1), NDFT_FORWARD) > 4);
    assert_true(grown(sized(MANY, MANY, 1, 1), NDFT_FORWARD) == 1);
}

static void test_values_that_repeat_are_one(void **state)
{
    (void)state;
    const double one = grown(sized(MANY, 1, 1, 1), NDFT_FORWARD);
    assert_true(grown(sized(MANY, 100, 1, 100), NDFT_FORWARD) == one);
    assert_true(grown(sized(MANY, 100, 1, 100), NDFT_ADJOINT) == one);
}

/* Of few samples or voxels, whatever has many values else. */
static void test_few_coordinates_round_together(void **state)
{
    (void)state;
    assert_true(fabs(grown(sized(MANY, 1, 100, 1), NDFT_FORWARD) - 5.6) < 1e-9);
    assert_true(fabs(grown(sized(1, MANY, 100, 1), NDFT_FORWARD) - 5.6) < 1e-9);
    assert_true(fabs(grown(sized(MANY, 400, 100, 100), NDFT_ADJOINT) - 2.8) < 1e-9);
    assert_true(grown(sized(MANY, 32, 8, 1), NDFT_FORWARD) == 1);
}

/* Where A keeps the length of what it is given, in as many numbers or more. */
static void test_nothing_is_left_to_chance(void **state)
{
    (void)state;
    assert_true(grown(sized(MANY, 1, 1, 1), NDFT_ADJOINT) < 6);
    assert_true(grown(sized(1, MANY, 1, 1), NDFT_FORWARD) < 6);
}

static void test_who_counts_it_is_believed(void **state)
{
    (void)state;
    const double claim = claimed(sized(MANY, 1, 1, 1), NDFT_FORWARD, true);
    assert_true(fabs(claim - 0.1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_value_may_be_small),
                                       cmocka_unit_test(test_values_that_repeat_are_one),
                                       cmocka_unit_test(test_few_coordinates_round_together),
                                       cmocka_unit_test(test_nothing_is_left_to_chance),
                                       cmocka_unit_test(test_who_counts_it_is_believed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
