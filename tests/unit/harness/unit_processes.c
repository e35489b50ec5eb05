/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "measure/stats.h"
#include "records/record_processes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What is published of several processes: interval, modes, one record from several. */

static void student_is_that_of_tables(void **state)
{
    (void)state;
    static const struct {
        int freedom;
        double t;
    } rows[] = {{1, 12.7062}, {2, 4.30265},  {3, 3.18245}, {4, 2.77645},
                {9, 2.26216}, {30, 2.04227}, {99, 1.98422}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(fabs(ndft_student_95(rows[i].freedom) - rows[i].t) < 1e-5);
}

static double normal(ndft_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += ndft_uniform(random);
    return sum;
}

/* Gamma of shape 4: skewness 1; less its mean, of variance 1. */
static double skewed(ndft_random *random)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) sum -= log(1 - ndft_uniform(random));
    return (sum - 4) / 2;
}

static double none(ndft_random *random)
{
    (void)random;
    return 0;
}

/* How many of 10000 intervals hold the truth, where effects of processes have a deviation of 1 and
 * the samples leave one of `within`. */
static double coverage(double (*effect)(ndft_random *), double within, int n)
{
    enum { TRIALS = 10000 };
    ndft_random random = {7};
    int covered = 0;
    for (int fixture = 0; fixture < TRIALS; fixture++) {
        ndft_stats of[10];
        for (int i = 0; i < n; i++) {
            const double median = 1000 + effect(&random) + within * normal(&random);
            of[i] = (ndft_stats){
                .median = median, .ci_lo = median - 1.96 * within, .ci_hi = median + 1.96 * within};
        }
        const ndft_processes_stats s = ndft_stats_of_processes(of, n);
        assert_false(s.two_modes);
        covered += s.ci_lo <= 1000 && 1000 <= s.ci_hi;
    }
    return (double)covered / TRIALS;
}

static void the_interval_covers_what_it_says(void **state)
{
    (void)state;
    static const int processes[] = {3, 5, 10};
    static const double within[] = {0, 0.1, 0.3, 0.5};
    for (size_t p = 0; p < 3; p++)
        for (size_t w = 0; w < 4; w++) {
            const double even = coverage(normal, within[w], processes[p]);
            const double uneven = coverage(skewed, within[w], processes[p]);
            assert_true(even >= 0.94 && even <= 0.98);
            assert_true(uneven >= 0.93 && uneven <= 0.98);
        }
    /* Where processes are all alike it is on the safe side. */
    assert_true(coverage(none, 1, 3) >= 0.95);
}

static ndft_stats around(double median, double half)
{
    return (ndft_stats){.median = median, .ci_lo = median - half, .ci_hi = median + half};
}

static void processes_that_agree_are_no_surer_than_their_samples(void **state)
{
    (void)state;
    const ndft_stats of[] = {around(10, 0.3), around(10, 0.3), around(10, 0.3)};
    const ndft_processes_stats s = ndft_stats_of_processes(of, 3);
    assert_true(fabs(s.ci_hi - s.median - 0.3 / sqrt(3)) < 1e-12);
    assert_true(fabs(s.median / s.ci_lo - s.ci_hi / s.median) < 1e-12);
    assert_true(isnan(ndft_stats_of_processes(of, 1).ci_lo));
}

static void known_interval(void **state)
{
    (void)state;
    const ndft_stats of[] = {around(10.1, 0), around(9.9, 0), around(10.3, 0)};
    const ndft_processes_stats s = ndft_stats_of_processes(of, 3);
    assert_true(fabs(s.median - 10.1) < 1e-12);
    assert_true(fabs(s.ci_hi - (10.1 + 4.30265 * 0.2 / sqrt(3))) < 1e-5);
    assert_true(fabs(s.median / s.ci_lo - s.ci_hi / s.median) < 1e-12);
    assert_int_equal(s.middle, 0);
    const ndft_stats wide[] = {around(1, 0), around(3, 3)};
    assert_true(ndft_stats_of_processes(wide, 2).ci_lo > 0);
}

static void two_modes_are_no_mean(void **state)
{
    (void)state;
    const ndft_stats apart[] = {around(1.93, 0.02), around(1.18, 0.02), around(1.19, 0.02)},
                     wide[] = {around(1.93, 0.5), around(1.18, 0.5), around(1.19, 0.5)},
                     spread[] = {around(1, 0.01), around(1.3, 0.01), around(1.7, 0.01)};
    const ndft_processes_stats s = ndft_stats_of_processes(apart, 3);
    assert_true(s.two_modes);
    assert_true(s.median == 1.19 && s.ci_lo == 1.18 - 0.02 && s.ci_hi == 1.93 + 0.02);
    assert_false(ndft_stats_of_processes(wide, 3).two_modes);
    assert_false(ndft_stats_of_processes(spread, 3).two_modes);
}

static json_t *timed(double median, const char *stop)
{
    return json_pack("{s:s, s:s, s:n, s:f, s:s, s:[f, f], s:f, s:f, s:f, s:f, s:[f, n], s:[i]}",
                     "variant", "a.cpu", "verdict", "pass", "reason", "rel_l2", median / 1e6,
                     "stop", stop, "samples_s", median, median, "median_s", median, "ci_lo_s",
                     median * 0.99, "ci_hi_s", median * 1.01, "coil_pairs_per_s", 340 / median,
                     "clocks_mhz", 1980.0, "throttled", 1);
}

static json_t *failed(const char *verdict, const char *reason)
{
    return json_pack("{s:s, s:s, s:s, s:n, s:[], s:n}", "variant", "a.cpu", "verdict", verdict,
                     "reason", reason, "rel_l2", "samples_s", "median_s");
}

static json_t *join(json_t *records, int wanted)
{
    json_t *joined = ndft_record_join(records, wanted);
    json_decref(records);
    return joined;
}

static double number_of(const json_t *record, const char *name)
{
    return json_number_value(json_object_get(record, name));
}

static const char *text_of(const json_t *record, const char *name)
{
    return json_string_value(json_object_get(record, name));
}

static void one_record_holds_all_processes(void **state)
{
    (void)state;
    json_t *joined =
        join(json_pack("[o, o, o]", timed(2.0, "ci"), timed(2.1, "noise"), timed(1.9, "ci")), 3);
    const json_t *parts = json_object_get(joined, "by_process");
    assert_int_equal(json_array_size(parts), 3);
    assert_true(number_of(json_array_get(parts, 1), "median_s") == 2.1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(parts, 2), "samples_s")), 2);
    assert_int_equal(json_array_size(json_object_get(joined, "samples_s")), 0);
    assert_true(fabs(number_of(joined, "median_s") - 2) < 1e-12);
    assert_true(number_of(joined, "ci_hi_s") - 2 > 0.24 && number_of(joined, "ci_hi_s") - 2 < 0.25);
    assert_true(fabs(number_of(joined, "coil_pairs_per_s") - 170) < 1e-9);
    assert_true(fabs(number_of(joined, "rel_l2") - 2.1e-6) < 1e-18);
    assert_string_equal(text_of(joined, "stop"), "ci"); /* of the middle one */
    assert_true(json_is_false(json_object_get(joined, "two_modes")));
    json_decref(joined);
}

static void the_worst_verdict_counts_and_is_said(void **state)
{
    (void)state;
    json_t *joined = join(json_pack("[o, o]", timed(2, "ci"), failed("wrong", "off by one")), 3);
    assert_string_equal(text_of(joined, "verdict"), "wrong");
    assert_string_equal(text_of(joined, "reason"), "in process 2 of 3: off by one");
    assert_true(json_is_null(json_object_get(joined, "median_s")));
    const json_t *first = json_array_get(json_object_get(joined, "by_process"), 0);
    assert_string_equal(text_of(first, "verdict"), "pass");
    assert_true(number_of(first, "median_s") == 2); /* is not lost */
    json_decref(joined);
    joined = join(json_pack("[o]", failed("unsupported", "too long")), 3);
    assert_string_equal(text_of(joined, "reason"), "too long");
    json_decref(joined);
}

static void what_is_cut_short_is_done_again(void **state)
{
    (void)state;
    json_t *joined = join(json_pack("[o, o]", timed(2, "ci"), timed(2.1, "ci")), 3);
    assert_string_equal(text_of(joined, "stop"), "interrupted");
    json_decref(joined);
    joined = join(json_pack("[o, o]", timed(2, "ci"), timed(2.1, "interrupted")), 2);
    assert_string_equal(text_of(joined, "stop"), "interrupted");
    json_decref(joined);
    joined = join(json_pack("[o, o]", timed(2, "ci"), timed(2.1, "ci")), 2);
    assert_string_equal(text_of(joined, "stop"), "ci");
    json_decref(joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_is_that_of_tables),
        cmocka_unit_test(the_interval_covers_what_it_says),
        cmocka_unit_test(processes_that_agree_are_no_surer_than_their_samples),
        cmocka_unit_test(known_interval),
        cmocka_unit_test(two_modes_are_no_mean),
        cmocka_unit_test(one_record_holds_all_processes),
        cmocka_unit_test(the_worst_verdict_counts_and_is_said),
        cmocka_unit_test(what_is_cut_short_is_done_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
