/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/settle.h"
#include "support/toy.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Steady timings on a device whose clock only executions move. */

static toy t;

static ndft_timing measure(toy device, toy_plan plan, double min_time_s, int min_samples)
{
    const ndft_timing_options options = {
        .budget_s = 0.01, .min_samples = min_samples, .min_time_s = min_time_s};
    ndft_timing timing;
    t = device;
    plan.letter = 'a';
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.failed, "");
    return timing;
}

/* The letters of executions, each run of one letter once. */
static void turns(char letters[64])
{
    int n = 0;
    for (int i = 0; i < t.length; i++)
        if (strchr("abc", t.log[i]) && (!n || letters[n - 1] != t.log[i]) && n < 63)
            letters[n++] = t.log[i];
    letters[n] = 0;
}

static double time_of_round(const ndft_timing *timing, int round)
{
    double sum = 0;
    for (int i = 0; i < timing->n; i++)
        if (timing->rounds[i] == round) sum += timing->samples[i] * timing->repetitions;
    return sum;
}

static void blocks_go_there_and_back(void **state)
{
    (void)state;
    toy_plan plans[] = {{.letter = 'a', .cost = 1e-4},
                        {.letter = 'b', .cost = 0.02},
                        {.letter = 'c', .cost = 0.04}};
    const ndft_timing_options options = {.budget_s = 0.01, .min_samples = 3, .min_time_s = 0.5};
    ndft_timing timings[3];
    char letters[64];
    t = (toy){.clock_mhz = 1500};
    assert_int_equal(toy_measure(&t, plans, 3, &options, timings), NDFT_OK);
    turns(letters);
    assert_string_equal(letters, "abcba"); /* the last has its two blocks on end */
    for (int i = 0; i < 3; i++) {
        assert_true(time_of_round(&timings[i], 0) > 0.2499);
        assert_true(time_of_round(&timings[i], 1) > 0.2499);
        assert_string_equal(timings[i].stop, "time"); /* however narrow the interval */
        assert_string_equal(timings[i].order, "abba");
        assert_string_equal(timings[i].regime, "steady");
        assert_true(fabs(timings[i].stats.median - plans[i].cost) < 1e-9);
        assert_int_equal(timings[i].pinned, 1);
    }
    assert_in_range(timings[0].n, 50, 100); /* each of about 8 ms */
    assert_false(t.pinned);
}

/* Heat takes 30 % of the clock within a second. */
static double heats(double now) { return 1.3 - 0.3 * exp(-now / 0.3); }

static void what_lasts_is_measured(void **state)
{
    (void)state;
    const toy_plan plan = {.cost = 1e-3};
    ndft_timing timing = measure((toy){.clock_mhz = 1980, .pace = heats}, plan, 0.5, 3);
    assert_true(fabs(timing.stats.median - 1.3e-3) < 0.02 * 1.3e-3);
    assert_true(timing.settled && timing.warm_up_s > 0.7 && timing.warm_up_s < 2);
    assert_true(timing.clock.highest < 1.03 * timing.clock.least);
    assert_true(fabs(timing.clock.mean - 1980 / 1.3) < 0.02 * 1980);
    assert_true(fabs(timing.power.mean - 300 / 1.3) < 0.02 * 300);
    timing = measure((toy){.clock_mhz = 1980, .pace = heats}, plan, 0, 3);
    assert_string_equal(timing.regime, "burst");
    assert_true(timing.stats.median < 1.1e-3 && isnan(timing.warm_up_s)); /* what a burst reports */
}

/* By half a percent from block to block: there and back cancels it. */
static double creeps(double now) { return 1 + 5e-3 * now; }

static void a_drift_favours_nobody(void **state)
{
    (void)state;
    for (int steady = 0; steady < 2; steady++) {
        toy_plan plans[] = {{.letter = 'a', .cost = 2e-2}, {.letter = 'b', .cost = 2e-2}};
        const ndft_timing_options options = {
            .budget_s = 1, .min_samples = 20, .min_time_s = steady ? 0.8 : 0};
        ndft_timing timings[2];
        t = (toy){.clock_mhz = 1980, .pace = creeps};
        assert_int_equal(toy_measure(&t, plans, 2, &options, timings), NDFT_OK);
        const double a = timings[0].stats.median, b = timings[1].stats.median;
        assert_true(fabs(a - b) < 1e-3 * a);
        assert_true(timings[0].samples[timings[0].n - 1] > 1.003 * timings[0].samples[0]);
        assert_false(timings[0].two_modes);
    }
}

static double drifts(double now) { return 1 + 0.2 * now; }

static void no_rest_is_waited_for_longer_than_3_s(void **state)
{
    (void)state;
    ndft_timing timing =
        measure((toy){.clock_mhz = 1980, .pace = drifts}, (toy_plan){.cost = 1e-3}, 0.5, 3);
    assert_false(timing.settled);
    assert_true(timing.warm_up_s >= 3 && timing.warm_up_s < 3.1);
}

/* A device without a clock is at rest when its times are. */
static void times_tell_where_no_clock_does(void **state)
{
    (void)state;
    ndft_settling s = {0};
    for (int i = 0; i < 200; i++) ndft_settling_see(&s, 4e-3 * i, NAN, NAN, heats(4e-3 * i));
    assert_false(ndft_settled(&s));
    for (int i = 200; i < 800; i++) ndft_settling_see(&s, 4e-3 * i, NAN, NAN, i % 9 ? 1.3 : 9);
    assert_true(ndft_settled(&s)); /* interruptions are no drift */
    assert_true(ndft_settling_seconds(&s) == 1.3);
    for (int i = 800; i < 900; i++) ndft_settling_see(&s, 4e-3 * i, 1500, 300 + i, 1.3);
    assert_false(ndft_settled(&s)); /* power is not */
}

/* Every other 0.1 s somebody else has a quarter of the device. */
static double neighbour(double now) { return fmod(now, 0.2) < 0.05 ? 4.0 / 3 : 1; }

static void a_slow_neighbour_moves_no_median(void **state)
{
    (void)state;
    const toy device = {.clock_mhz = 1980, .highest_mhz = 1980, .pace = neighbour};
    ndft_timing timing = measure(device, (toy_plan){.cost = 1e-3}, 0.8, 3);
    int flagged = 0;
    for (int i = 0; i < timing.n; i++)
        flagged += timing.throttled[i] == 1 << NDFT_THROTTLED_BY_HIGHEST;
    assert_true(fabs(timing.stats.median - 1e-3) < 0.02 * 1e-3);
    assert_true(flagged > timing.n / 8 && flagged < timing.n / 2);
}

/* From the calibration on, the device has more to do whenever a sample is read. */
static void the_device_never_waits(void **state)
{
    (void)state;
    ndft_timing timing = measure((toy){.clock_mhz = 1500}, (toy_plan){.cost = 1e-4}, 0.5, 3);
    const char *from = t.log, *held;
    int queued = 0, read = 0, waits = 0;
    t.log[t.length] = 0;
    while ((held = strchr(from, 'l'))) from = held + 2; /* and the reading of the last held one */
    for (; *from; from++) {
        queued += *from == 'p';
        read += *from == 'r';
        waits += *from == 'r' && queued == read;
    }
    assert_true(read > timing.n && waits == 2); /* at the end of each block */
    for (int i = 0; i < timing.n; i++) assert_false(timing.dry[i]);
}

static void a_host_that_is_too_slow_is_told(void **state)
{
    (void)state;
    ndft_timing timing =
        measure((toy){.clock_mhz = 1500, .slow_host = true}, (toy_plan){.cost = 1e-4}, 0.1, 3);
    for (int i = 0; i < timing.n; i++) assert_true(timing.dry[i]);
}

/* The counter moves every 8 ms by 2.4 J. */
static void energy_is_that_of_an_execution(void **state)
{
    (void)state;
    const toy_plan plan = {.cost = 1e-3};
    ndft_timing timing = measure((toy){.clock_mhz = 1500, .joules_step = 2.4}, plan, 0.5, 3);
    assert_true(fabs(timing.energy_j - 0.3) < 0.05 * 0.3);
    for (double step = 20; step < 30; step++) { /* two of a block's steps, or three */
        timing = measure((toy){.clock_mhz = 1500, .joules_step = step}, plan, 0.5, 3);
        assert_true(fabs(timing.energy_j - 0.3) < 0.1 * 0.3);
    }
    timing = measure((toy){.clock_mhz = 1500}, plan, 0.5, 3);
    assert_true(isnan(timing.energy_j));
}

static void the_least_samples_are_taken(void **state)
{
    (void)state;
    ndft_timing timing = measure((toy){.clock_mhz = 1500}, (toy_plan){.cost = 0.2}, 0.1, 7);
    assert_in_range(timing.n, 7, 8);
    assert_int_equal(timing.repetitions, 1);
    timing = measure((toy){.clock_mhz = 1500}, (toy_plan){.cost = 20}, 0.1, 3);
    assert_in_range(timing.n, 3, 4);
    assert_in_range(t.length, 1, 100); /* nothing is run in vain */
}

static void graphs_are_replayed_whole(void **state)
{
    (void)state;
    const ndft_timing_options options = {.mode = NDFT_GRAPH, .min_samples = 3, .min_time_s = 0.5};
    toy_plan plan = {.letter = 'a', .cost = 1e-4};
    ndft_timing timing;
    t = (toy){.clock_mhz = 1500};
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_true(toy_log_matches(&t, "<sapr(h<sa+plr)+ca+<sgpr[<sgpr]+x"));
    assert_true(fabs(timing.stats.median - 1e-4) < 1e-9);
    assert_true(timing.repetitions >= 40 && fabs(time_of_round(&timing, 1) - 0.25) < 0.02);
}

static void other_modes_are_bursts(void **state)
{
    (void)state;
    const ndft_timing_options options = {
        .mode = NDFT_WARM, .budget_s = 0.01, .min_samples = 3, .min_time_s = 0.5};
    toy_plan plan = {.letter = 'a', .cost = 0.02};
    ndft_timing timing;
    t = (toy){.clock_mhz = 1500};
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.regime, "burst");
    assert_int_equal(timing.n, 3);
}

static void a_failure_ends_the_block(void **state)
{
    (void)state;
    const ndft_timing_options options = {.min_samples = 3, .min_time_s = 0.5};
    toy_plan plans[] = {{.letter = 'a', .cost = 0.02, .fails_at = 50},
                        {.letter = 'b', .cost = 0.02}};
    ndft_timing timings[2];
    t = (toy){.clock_mhz = 1500};
    assert_int_equal(toy_measure(&t, plans, 2, &options, timings), NDFT_OK);
    assert_string_equal(timings[0].stop, "failed");
    assert_string_equal(timings[0].failed, "plan a broke");
    assert_string_equal(timings[1].stop, "time");
}

static volatile sig_atomic_t stop;

/* The user stops it in the midst of the second block. */
static double stops(double now)
{
    stop = stop || now > 1.4;
    return 1;
}

static void what_was_measured_is_kept(void **state)
{
    (void)state;
    const ndft_timing_options options = {.min_samples = 3, .min_time_s = 0.5, .interrupted = &stop};
    toy_plan plan = {.letter = 'a', .cost = 1e-3};
    ndft_timing timing;
    stop = 0;
    t = (toy){.clock_mhz = 1500, .pace = stops};
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_EINTR);
    assert_string_equal(timing.stop, "interrupted");
    assert_int_equal(timing.rounds[timing.n - 1], 1);
    assert_true(time_of_round(&timing, 1) < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_go_there_and_back),
        cmocka_unit_test(what_lasts_is_measured),
        cmocka_unit_test(a_drift_favours_nobody),
        cmocka_unit_test(no_rest_is_waited_for_longer_than_3_s),
        cmocka_unit_test(times_tell_where_no_clock_does),
        cmocka_unit_test(a_slow_neighbour_moves_no_median),
        cmocka_unit_test(the_device_never_waits),
        cmocka_unit_test(a_host_that_is_too_slow_is_told),
        cmocka_unit_test(energy_is_that_of_an_execution),
        cmocka_unit_test(the_least_samples_are_taken),
        cmocka_unit_test(graphs_are_replayed_whole),
        cmocka_unit_test(other_modes_are_bursts),
        cmocka_unit_test(a_failure_ends_the_block),
        cmocka_unit_test(what_was_measured_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
