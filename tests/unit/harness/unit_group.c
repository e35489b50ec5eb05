/* SPDX-License-Identifier: Apache-2.0 */
#include "support/group_runs.h"

/* Groups of planted variants: all are reported, and what passes is timed as asked. */

/* A wrong candidate is reported and the others are timed; what passes is sampled as asked. */
static void a_group_goes_on(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidates[] = {{&planted, {PLANTED_NONE}},
                                         {&planted, {PLANTED_ONE_WRONG}},
                                         {&planted_careless, {PLANTED_NONE}}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.budget_s = 0.02;
    options.timing.min_samples = 7;
    assert_int_equal(run(text, candidates, 3, &options, &t, &err), NDFT_OK);
    assert_int_equal(t.n, 3);
    assert_string_equal(t.ids[0], "planted.cpu:fault=one_wrong"); /* failures come at once */
    assert_true(isnan(t.medians[0]));
    for (int i = 1; i < 3; i++) {
        assert_int_equal(t.checks[i].verdict, NDFT_PASS);
        assert_true(t.medians[i] > 0);
        assert_in_range(t.samples[i], 7, NDFT_MAX_SAMPLES);
        const char *end = t.samples[i] < NDFT_MAX_SAMPLES ? "budget" : "samples";
        assert_true(!strcmp(t.stops[i], "ci") || !strcmp(t.stops[i], "noise") ||
                    !strcmp(t.stops[i], end));
    }
}

/* Whoever else would pass: what is wrong with the case is said before anything is timed. */
static void a_plan_may_refuse_the_case(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidates[] = {
        {&planted, {PLANTED_NONE}}, {&planted, {PLANTED_BAD_CASE}}, {&planted, {PLANTED_NONE}}};
    const ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    assert_int_equal(run(text, candidates, 3, &options, &t, &err), NDFT_EINVAL);
    assert_string_equal(err.message, "planted.cu(3): error: a planted word");
    assert_int_equal(t.n, 0);
}

/* More candidates than plans are kept alive, and one that starves: everyone gets one result. */
static void a_large_group_is_timed_in_parts(void **state)
{
    (void)state;
    static taken t;
    ndft_error err = {0};
    ndft_candidate candidates[40];
    for (int i = 0; i < 40; i++)
        candidates[i] = (ndft_candidate){&planted, {i == 20 ? PLANTED_HUNGRY : PLANTED_NONE}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.budget_s = 1e-4;
    assert_int_equal(run(text, candidates, 40, &options, &t, &err), NDFT_OK);
    assert_int_equal(t.n, 40);
    int passed = 0;
    for (int i = 0; i < t.n; i++) passed += t.checks[i].verdict == NDFT_PASS && t.medians[i] > 0;
    assert_int_equal(passed, 39);
}

static void failing_while_timed_is_an_error(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidates[] = {{&planted, {PLANTED_FAILS_LATE}},
                                         {&planted, {PLANTED_NONE}}};
    const ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    assert_int_equal(run(text, candidates, 2, &options, &t, &err), NDFT_OK);
    assert_int_equal(t.n, 2);
    assert_verdict(t.checks[0], NDFT_ERROR, "while timing: the planted device failed");
    assert_verdict(t.checks[1], NDFT_PASS, "");
    assert_true(isnan(t.medians[0]) && t.medians[1] > 0);
}

static void a_cpu_has_no_graphs(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidate = {&planted, {PLANTED_NONE}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.mode = NDFT_GRAPH;
    assert_int_equal(run(text, &candidate, 1, &options, &t, &err), NDFT_OK);
    assert_int_equal(t.n, 1);
    assert_verdict(t.checks[0], NDFT_UNSUPPORTED, "no graphs");
}

/* On the processor itself: one record each, whose times are of one execution. */
static void every_mode_times_on_a_cpu(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidate = {&planted, {PLANTED_NONE}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.budget_s = 0.02;
    for (int mode = 0; mode < NDFT_N_MODES; mode++) {
        if (mode == NDFT_GRAPH || mode == NDFT_STAGES) continue; /* no graphs, one stage */
        options.timing.mode = (ndft_mode)mode;
        assert_int_equal(run(text, &candidate, 1, &options, &t, &err), NDFT_OK);
        assert_verdict(t.checks[0], NDFT_PASS, "");
        assert_true(t.medians[0] > 0 && t.samples[0] >= 3);
    }
}

static void interruption_ends_a_group(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    volatile sig_atomic_t interrupted = 1;
    const ndft_candidate candidate = {&planted, {PLANTED_NONE}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.interrupted = &interrupted;
    assert_int_equal(run(text, &candidate, 1, &options, &t, &err), NDFT_EINTR);
    assert_int_equal(t.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_goes_on),
        cmocka_unit_test(a_plan_may_refuse_the_case),
        cmocka_unit_test(a_large_group_is_timed_in_parts),
        cmocka_unit_test(failing_while_timed_is_an_error),
        cmocka_unit_test(a_cpu_has_no_graphs),
        cmocka_unit_test(every_mode_times_on_a_cpu),
        cmocka_unit_test(interruption_ends_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
