/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/bimodal.h"

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX = 200, TRIALS = 2000 };

static double normal(ndft_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += ndft_uniform(random);
    return sum;
}

/* Few and even values have the least dip there is, two heaps the most; the others by the package
 * diptest 0.12 for Python. */
static void dips_that_are_known(void **state)
{
    (void)state;
    static const double even[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double heaps[] = {1, 1.001, 1.002, 1.003, 9, 9.001, 9.002, 9.003};
    static const double three[] = {1, 2, 3, 3, 3, 4, 5, 5, 9, 11, 11, 12};
    assert_true(fabs(ndft_dip(even, 8) - 1.0 / 16) < 1e-15);
    assert_true(fabs(ndft_dip(heaps, 8) - 0.24990625) < 1e-9);
    assert_true(fabs(ndft_dip(three, 12) - 0.10119047619047618) < 1e-12);
}

/* How many of so many sets are told to have two modes. */
static int found(int n, double (*draw)(ndft_random *, int i))
{
    ndft_random random = {7};
    double samples[MAX], medians[2];
    int two = 0;
    for (int fixture = 0; fixture < TRIALS; fixture++) {
        for (int i = 0; i < n; i++) samples[i] = draw(&random, i);
        two += ndft_two_modes(samples, n, medians);
    }
    return two;
}

static double uniform(ndft_random *random, int i)
{
    (void)i;
    return 1 + ndft_uniform(random);
}

/* A drift by a tenth over all samples, with some noise. */
static double drift(ndft_random *random, int i) { return 1 + 5e-4 * i + 2e-3 * normal(random); }

/* One in ten is interrupted, for as long as it happens to be. */
static double stragglers(ndft_random *random, int i)
{
    (void)i;
    const double late = ndft_uniform(random) < 0.1 ? 2 * ndft_uniform(random) : 0;
    return 1 + 5e-3 * normal(random) + late;
}

/* Two clocks, 1 % apart: too near to matter. */
static double near(ndft_random *random, int i)
{
    return (i % 2 ? 1.01 : 1) + 1e-4 * normal(random);
}

/* As nufft_scatter was found: 1.18 and 1.93 ms. */
static double apart(ndft_random *random, int i)
{
    return (i % 3 ? 1.18e-3 : 1.93e-3) * (1 + 0.012 * normal(random));
}

static void one_mode_is_not_two(void **state)
{
    (void)state;
    static const int sizes[] = {6, 20, 64, 200};
    for (int k = 0; k < 4; k++) {
        assert_in_range(found(sizes[k], uniform), 0, TRIALS / 500);
        assert_in_range(found(sizes[k], drift), 0, TRIALS / 500);
        assert_in_range(found(sizes[k], stragglers), 0, TRIALS / 500);
        assert_int_equal(found(sizes[k], near), 0);
    }
}

static void two_modes_are_found_with_their_medians(void **state)
{
    (void)state;
    double samples[MAX], medians[2];
    ndft_random random = {3};
    assert_int_equal(found(64, apart), TRIALS);
    assert_int_equal(found(40, apart), TRIALS);
    for (int i = 0; i < MAX; i++) samples[i] = apart(&random, i);
    assert_true(ndft_two_modes(samples, MAX, medians));
    assert_true(fabs(medians[0] - 1.18e-3) < 1e-5 && fabs(medians[1] - 1.93e-3) < 2e-5);
}

static void few_samples_tell_nothing(void **state)
{
    (void)state;
    double medians[2];
    assert_false(ndft_two_modes((double[]){1, 2}, 2, medians));
    assert_true(isnan(medians[0]) && isnan(medians[1]));
    assert_false(ndft_two_modes(NULL, 0, medians));
    assert_false(ndft_two_modes((double[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 10, medians));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dips_that_are_known),
        cmocka_unit_test(one_mode_is_not_two),
        cmocka_unit_test(two_modes_are_found_with_their_medians),
        cmocka_unit_test(few_samples_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
