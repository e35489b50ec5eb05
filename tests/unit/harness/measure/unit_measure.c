/* SPDX-License-Identifier: Apache-2.0 */
#include "support/toy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The measuring loop on a device whose clock only executions move, so that every time is known. */

/* One plan, alone. */
static ndft_timing measure(toy_plan plan, double budget_s, int min_samples)
{
    static toy t;
    t = (toy){.clock_mhz = NAN};
    const ndft_timing_options options = {.budget_s = budget_s, .min_samples = min_samples};
    ndft_timing timing;
    plan.letter = 'a';
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    return timing;
}

static void a_sample_is_the_mean_of_its_executions(void **state)
{
    (void)state;
    ndft_timing timing = measure((toy_plan){.cost = 50e-6}, 1, 3);
    assert_in_range(timing.repetitions, 16, 40); /* about a millisecond of them */
    for (int i = 0; i < timing.n; i++) assert_true(fabs(timing.samples[i] - 50e-6) < 1e-12);
    assert_true(fabs(timing.stats.median - 50e-6) < 1e-12);
    assert_true(isnan(timing.clock_mhz)); /* a clock that is not known is no zero */
    assert_null(timing.step_names);
    assert_string_equal(timing.stop, "ci");
    assert_string_equal(timing.order, "random");
    assert_int_equal(timing.n, 6); /* fewer give no interval */
}

static void long_executions_are_samples_of_their_own(void **state)
{
    (void)state;
    ndft_timing timing = measure((toy_plan){.cost = 0.02}, 0.1, 3);
    assert_int_equal(timing.repetitions, 1);
    assert_string_equal(timing.stop, "budget");
    assert_int_equal(timing.n, 5);
}

static void the_budget_yields_to_the_least_samples(void **state)
{
    (void)state;
    toy_plan grows = {.cost = 0.02, .grows = 0.01};
    ndft_timing timing = measure(grows, 0.01, 8);
    assert_string_equal(timing.stop, "budget");
    assert_int_equal(timing.n, 8);
    timing = measure(grows, 1e9, 3 * NDFT_MAX_SAMPLES);
    assert_string_equal(timing.stop, "samples");
    assert_int_equal(timing.n, NDFT_MAX_SAMPLES);
}

/* Flushing takes 5 ms that no sample sees: 10 ms of budget are 40 ms of wall time. */
static void wall_time_is_bounded_too(void **state)
{
    (void)state;
    static toy t;
    t = (toy){.flush_s = 5e-3};
    toy_plan plan = {.letter = 'a', .cost = 1e-6, .grows = 1e-6};
    const ndft_timing_options options = {.mode = NDFT_COLD, .budget_s = 0.01, .min_samples = 3};
    ndft_timing timing;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.stop, "budget");
    assert_in_range(timing.n, 3, 9);
}

/* The letters of all executions. */
static int executions(const toy *t, char letters[256])
{
    int n = 0;
    for (int i = 0; i < t->length && n < 255; i++)
        if (strchr("abc", t->log[i])) letters[n++] = t->log[i];
    letters[n] = 0;
    return n;
}

/* Long executions, so that every letter is a sample; warm-up and calibration are two more. */
static void two_take_turns_abba(void **state)
{
    (void)state;
    static toy t;
    t = (toy){0};
    toy_plan plans[] = {{.letter = 'a', .cost = 0.02}, {.letter = 'b', .cost = 0.03}};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 6};
    ndft_timing timings[2];
    char letters[256];
    assert_int_equal(toy_measure(&t, plans, 2, &options, timings), NDFT_OK);
    executions(&t, letters);
    assert_string_equal(letters, "aabbbaabbaabba"); /* the first of each comes after a warm-up */
    assert_string_equal(timings[0].order, "abba");
    assert_int_equal(timings[1].n, 6);
}

/* Every round has everyone once, and rounds differ. */
static void three_take_turns_at_random(void **state)
{
    (void)state;
    static toy t;
    t = (toy){0};
    toy_plan plans[] = {{.letter = 'a', .cost = 0.02, .grows = 1e-3},
                        {.letter = 'b', .cost = 0.03, .grows = 1e-3},
                        {.letter = 'c', .cost = 0.04, .grows = 1e-3}};
    const ndft_timing_options options = {.budget_s = 1e-3, .min_samples = 40};
    ndft_timing timings[3];
    assert_int_equal(toy_measure(&t, plans, 3, &options, timings), NDFT_OK);
    char letters[256];
    int seen[6] = {0}, n = executions(&t, letters);
    assert_int_equal(n, 3 * 41); /* 40 rounds, and a warm-up of each */
    for (int i = 6; i < n; i += 3) {
        const char *r = letters + i;
        assert_int_equal(r[0] + r[1] + r[2], 'a' + 'b' + 'c');
        assert_true(r[0] != r[1] && r[1] != r[2]);
        seen[2 * (r[0] - 'a') + (r[1] > r[2])]++;
    }
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 1, 20); /* all six orders come up */
    assert_string_equal(timings[0].order, "random");
}

static void whoever_fails_fails_alone(void **state)
{
    (void)state;
    static toy t;
    t = (toy){0};
    toy_plan plans[] = {{.letter = 'a', .cost = 0.02},
                        {.letter = 'b', .cost = 0.02, .fails_at = 4},
                        {.letter = 'c', .cost = 0.02}};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timings[3];
    assert_int_equal(toy_measure(&t, plans, 3, &options, timings), NDFT_OK);
    assert_string_equal(timings[1].failed, "plan b broke");
    assert_string_equal(timings[1].stop, "failed");
    for (int i = 0; i < 3; i += 2) {
        assert_string_equal(timings[i].stop, "ci");
        assert_string_equal(timings[i].failed, "");
    }
}

static void a_lost_device_ends_it(void **state)
{
    (void)state;
    static toy t;
    t = (toy){.lost = true};
    toy_plan plans[] = {{.letter = 'a', .cost = 0.02, .fails_at = 3},
                        {.letter = 'b', .cost = 0.02}};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timings[2];
    assert_int_equal(toy_measure(&t, plans, 2, &options, timings), NDFT_EDEVICE);
    assert_string_equal(t.error.message, "plan a broke"); /* not what came of it */
    assert_string_equal(timings[0].stop, "lost");
    assert_true(!timings[1].stop || !strcmp(timings[1].stop, "interrupted"));
}

static void throttling_is_flagged_and_kept(void **state)
{
    (void)state;
    static toy t;
    toy_plan plan = {.letter = 'a', .cost = 0.02};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    static const struct {
        unsigned reasons;
        bool flagged;
    } rows[] = {{0, false},
                {NDFT_GPU_IDLE | NDFT_APPLICATIONS_CLOCKS_SETTING, false},
                {NDFT_SW_POWER_CAP, true},
                {NDFT_HW_THERMAL_SLOWDOWN | NDFT_GPU_IDLE, true}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        t = (toy){.throttle = rows[row].reasons, .clock_mhz = 1500, .away_s = 2e-3};
        assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
        assert_int_equal(timing.n, 6);
        for (int i = 0; i < timing.n; i++)
            assert_int_equal(timing.throttled[i] != 0, rows[row].flagged);
        assert_int_equal(timing.state.throttle, rows[row].reasons);
        assert_true(timing.state.power_w == 300 && timing.clock_mhz == 1500);
        assert_true(timing.state.away_s == 2e-3);
    }
}

/* The warm-up is the first reading of the timer, so the fourth is the third sample's. */
static void a_slow_clock_is_throttling(void **state)
{
    (void)state;
    static toy t;
    t = (toy){.clock_mhz = 1500, .slow = 4};
    toy_plan plan = {.letter = 'a', .cost = 0.02};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_int_equal(timing.n, 6);
    for (int i = 0; i < timing.n; i++)
        assert_int_equal(timing.throttled[i], i == 2 ? 1 << NDFT_THROTTLED_BY_HIGHEST : 0);
    assert_true(timing.clock_mhz == 1500 && timing.clocks[2] == 750);
}

/* Within 50 ms: after the first sample and after the last. */
static void the_state_is_not_read_after_every_sample(void **state)
{
    (void)state;
    static toy t;
    t = (toy){0};
    toy_plan plan = {.letter = 'a', .cost = 0.02};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_int_equal(timing.n, 6);
    assert_int_equal(t.states, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_the_mean_of_its_executions),
        cmocka_unit_test(long_executions_are_samples_of_their_own),
        cmocka_unit_test(the_budget_yields_to_the_least_samples),
        cmocka_unit_test(wall_time_is_bounded_too),
        cmocka_unit_test(two_take_turns_abba),
        cmocka_unit_test(three_take_turns_at_random),
        cmocka_unit_test(whoever_fails_fails_alone),
        cmocka_unit_test(a_lost_device_ends_it),
        cmocka_unit_test(throttling_is_flagged_and_kept),
        cmocka_unit_test(a_slow_clock_is_throttling),
        cmocka_unit_test(the_state_is_not_read_after_every_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
