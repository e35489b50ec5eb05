/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "measure/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double a, double b) { assert_true(fabs(a - b) <= 1e-12 * fabs(b)); }

static void known_answers(void **state)
{
    (void)state;
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    assert_near(ndft_stats_of(odd, 3).median, 3);
    assert_near(ndft_stats_of(even, 4).median, 2.5);
    assert_near(ndft_stats_of(even, 4).q1, 1.75); /* numpy.percentile([1,2,3,4], 25) */
    assert_near(ndft_stats_of(even, 4).q3, 3.25);
    assert_near(ndft_stats_of(one, 1).q1, 7);
    assert_near(ndft_stats_of(odd, 3).mad, 2); /* of 2, 0, 2 */
    assert_near(ndft_stats_of(even, 4).mad, 1);
    assert_true(ndft_stats_of(one, 1).mad == 0);
    assert_true(isnan(ndft_stats_of(one, 0).median));
    const double partly[] = {NAN, 5, NAN, 1, 3}, unknown[] = {NAN, NAN};
    assert_near(ndft_stats_of(partly, 5).median, 3);
    assert_true(isnan(ndft_stats_of(unknown, 2).median));
}

/* Ranks of the sign test's interval, from tables (Conover, Practical Nonparametric Statistics). */
static void interval_of_the_median(void **state)
{
    (void)state;
    static const struct {
        int n, lo, hi;
    } rows[] = {{6, 1, 6},   {8, 1, 8},   {9, 2, 8},     {10, 2, 9},
                {20, 6, 15}, {25, 8, 18}, {200, 86, 115}};
    double values[200];
    for (int i = 0; i < 200; i++) values[i] = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (int i = 0; i < rows[r].n; i++) values[i] = (i * 7919) % rows[r].n + 1; /* shuffled */
        if (rows[r].n == 200) /* 7919 is prime to all of them */
            assert_near(ndft_stats_of(values, 200).median, 100.5);
        ndft_stats s = ndft_stats_of(values, rows[r].n);
        assert_near(s.ci_lo, rows[r].lo);
        assert_near(s.ci_hi, rows[r].hi);
    }
    assert_true(isnan(ndft_stats_of(values, 5).ci_lo));
}

/* Of 2000 samples of 15 exponential values, about 96.5 % of the intervals hold the median ln 2. */
static void interval_covers_the_median(void **state)
{
    (void)state;
    ndft_random random = {1};
    int covered = 0;
    for (int fixture = 0; fixture < 2000; fixture++) {
        double values[15];
        for (int i = 0; i < 15; i++) values[i] = -log(1 - ndft_uniform(&random));
        ndft_stats s = ndft_stats_of(values, 15);
        covered += s.ci_lo <= log(2) && log(2) <= s.ci_hi;
    }
    assert_in_range(covered, 1900, 1960);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(interval_of_the_median),
        cmocka_unit_test(interval_covers_the_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
