/* SPDX-License-Identifier: Apache-2.0 */
#include "support/toy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the device is told to do in each mode, in what order; letters as in toy.h. */

static toy t;

/* Times one plan, and holds the log against the expression. */
static ndft_timing measure(ndft_mode mode, toy_plan plan, const char *expression)
{
    t = (toy){0};
    const ndft_timing_options options = {.mode = mode, .budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    plan.letter = 'a';
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.failed, "");
    assert_true(toy_log_matches(&t, expression));
    return timing;
}

/* The range is pushed outside of the marks; the warm-up is not held back. */
static void batch(void **state)
{
    (void)state;
    ndft_timing timing = measure(NDFT_BATCH, (toy_plan){.cost = 1e-4}, "<sapr(h<sa+plr)+");
    assert_true(fabs(timing.stats.median - 1e-4) < 1e-12);
    measure(NDFT_BATCH, (toy_plan){.cost = 0.1}, "<sapr(h<saplr){6}");
}

static void cold(void **state)
{
    (void)state;
    ndft_timing timing = measure(NDFT_COLD, (toy_plan){.cost = 1e-5}, "<sapr(fh<saplr){6}");
    assert_int_equal(timing.repetitions, 1);
    assert_true(fabs(timing.stats.median - 1e-5) < 1e-12);
}

static void warm(void **state)
{
    (void)state;
    ndft_timing timing = measure(NDFT_WARM, (toy_plan){.cost = 1e-5}, "a<sapr(ha<saplr){6}");
    assert_true(fabs(timing.stats.median - 1e-5) < 1e-12);
}

/* Captured once, replayed for every sample, released once. */
static void graph(void **state)
{
    (void)state;
    ndft_timing timing =
        measure(NDFT_GRAPH, (toy_plan){.cost = 1e-4}, "<sapr(h<sa+plr)+ca+<sgpr(h<sgplr){6}x");
    assert_in_range(timing.repetitions, 8, 20);
    assert_true(fabs(timing.stats.median - 1e-4) < 1e-12);
}

static void a_capture_that_fails(void **state)
{
    (void)state;
    t = (toy){.no_capture = true};
    toy_plan plan = {.letter = 'a', .cost = 0.1};
    const ndft_timing_options options = {.mode = NDFT_GRAPH, .budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.failed, "the toy cannot be captured");
    assert_int_equal(timing.n, 0);
    assert_null(strchr(t.log, 'g'));
}

/* The first D is the plan of the check. */
static void end_to_end(void **state)
{
    (void)state;
    ndft_timing timing = measure(NDFT_END_TO_END, (toy_plan){.cost = 1e-4}, "D(PwuwawdwDw)+");
    double sum = 0, largest = 0;
    assert_string_equal(timing.step_names[3], "download");
    assert_null(timing.step_names[4]);
    for (int i = 0; i < 4; i++) {
        assert_true(timing.steps[i] >= 0);
        sum += timing.steps[i];
        largest = fmax(largest, timing.steps[i]);
    }
    assert_true(largest > 0 && largest <= timing.stats.q3);
    assert_true(sum > 0.2 * timing.stats.median && sum < 5 * timing.stats.median);
}

/* After the warm-up and the count of its marks, one execution to each mark and one to the end. */
static void stages(void **state)
{
    (void)state;
    const toy_plan plan = {.cost = 3e-4, .marks = 3};
    ndft_timing timing = measure(NDFT_STAGES, plan, "a<sapraw((ha<saplr){4}){6}");
    assert_true(fabs(timing.stats.median - 3e-4) < 1e-12);
    assert_string_equal(timing.step_names[1], "second");
    assert_true(fabs(timing.steps[0] - 2e-4) < 1e-12 && fabs(timing.steps[1] - 1e-4) < 1e-12);
    assert_null(t.exec.mark);
}

/* Times a plan whose stages cannot be told apart, and expects to hear why. */
static void refuse_stages(toy_plan plan, const char *sentence)
{
    t = (toy){0};
    const ndft_timing_options options = {.mode = NDFT_STAGES, .budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    plan.letter = 'a';
    plan.cost = 1e-4;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_string_equal(timing.failed, sentence);
    assert_int_equal(timing.n, 0);
}

static void stages_are_those_of_the_list(void **state)
{
    (void)state;
    refuse_stages((toy_plan){.marks = 2, .last_mark = "third"},
                  "it marks a stage \"third\", which its list does not have");
    refuse_stages((toy_plan){.marks = 0}, "it has 2 stages and marks none");
}

/* A plan in passes marks its stages in each of them. */
static void stages_that_repeat_are_added_up(void **state)
{
    (void)state;
    enum { MARKS = 768 };
    const ndft_timing_options options = {.mode = NDFT_STAGES, .budget_s = 1, .min_samples = 3};
    for (int at_once = 0; at_once < 2; at_once++) {
        toy_plan plan = {.letter = 'a', .cost = 1e-3, .marks = MARKS};
        ndft_timing timing;
        t = (toy){.queues_nothing = at_once};
        assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
        assert_string_equal(timing.failed, "");
        assert_true(timing.n >= 3 && fabs(timing.stats.median - 1e-3) < 1e-9);
        for (int i = 0; i < 2; i++) assert_true(fabs(timing.steps[i] - 5e-4) < 1e-9);
    }
}

/* On a device that queues nothing one execution does, with a lap to each mark, and behind it the
 * whole; as ever an untimed one goes before each. */
static void laps_of_one_execution(void **state)
{
    (void)state;
    toy_plan plan = {.letter = 'a', .cost = 3e-4, .marks = 3};
    const ndft_timing_options options = {.mode = NDFT_STAGES, .budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    t = (toy){.queues_nothing = true};
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_true(toy_log_matches(&t, "a<sapraw(asa(prs){3}a<sapr){6}"));
    assert_true(fabs(timing.steps[0] - 2e-4) < 1e-12 && fabs(timing.steps[1] - 1e-4) < 1e-12);
    assert_null(t.exec.mark);
}

/* 256 launches fit: of an execution of 64, four, however short; one of 257 is not held. */
static void no_more_is_timed_than_a_held_device_queues(void **state)
{
    (void)state;
    toy_plan plan = {.cost = 1e-6, .launches = 64};
    measure(NDFT_BATCH, plan, "<sapr(h<sa{1,3}plr)+(h<sa{4}plr){7}");
    measure(NDFT_GRAPH, plan, "<sapr(h<sa{1,4}plr)+ca{4}<sgpr(h<sgplr){6}x");
    plan.launches = 150;
    measure(NDFT_WARM, plan, "a<sapr(a<sapr)+"); /* two do not fit */
    plan.launches = 257;
    measure(NDFT_COLD, plan, "<sapr(f<sapr)+");
    measure(NDFT_BATCH, plan, "<sapr(<sa+pr)+");
}

/* What a variant says of its cost may take it longer than an execution does. */
static void nothing_but_launches_is_timed(void **state)
{
    (void)state;
    static const ndft_mode modes[] = {NDFT_BATCH, NDFT_COLD, NDFT_WARM, NDFT_GRAPH};
    for (int i = 0; i < 8; i++) {
        const ndft_timing_options options = {
            .mode = modes[i / 2], .budget_s = 1, .min_samples = 3, .min_time_s = i % 2 ? 0.5 : 0};
        toy_plan plan = {.letter = 'a', .cost = 1e-4, .asked_s = 0.03};
        ndft_timing timing;
        t = (toy){.clock_mhz = 1500};
        assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
        assert_true(fabs(timing.stats.median - 1e-4) < 1e-9);
    }
}

static void a_failure_lets_the_device_go(void **state)
{
    (void)state;
    t = (toy){0};
    toy_plan plan = {.letter = 'a', .cost = 0.1, .fails_at = 2};
    const ndft_timing_options options = {.budget_s = 1, .min_samples = 3};
    ndft_timing timing;
    assert_int_equal(toy_measure(&t, &plan, 1, &options, &timing), NDFT_OK);
    assert_true(toy_log_matches(&t, "<saprh<salw"));
}

static void graphs_have_conditions(void **state)
{
    (void)state;
    const ndft_instruments none = {.backend = "none"}, all = ndft_instruments_cuda;
    const ndft_variant can = {.name = "can"}, cannot = {.uncapturable = "it waits for the host"};
    assert_null(ndft_mode_unsupported(NDFT_BATCH, &none, &cannot));
    assert_string_equal(ndft_mode_unsupported(NDFT_STAGES, &none, &can),
                        "it is one stage, and marks none");
    assert_non_null(strstr(ndft_mode_unsupported(NDFT_GRAPH, &none, &can), "no graphs"));
    if (!all.capture) return; /* a build without CUDA */
    assert_null(ndft_mode_unsupported(NDFT_GRAPH, &all, &can));
    assert_string_equal(ndft_mode_unsupported(NDFT_GRAPH, &all, &cannot), "it waits for the host");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch),
        cmocka_unit_test(cold),
        cmocka_unit_test(warm),
        cmocka_unit_test(graph),
        cmocka_unit_test(a_capture_that_fails),
        cmocka_unit_test(end_to_end),
        cmocka_unit_test(stages),
        cmocka_unit_test(stages_are_those_of_the_list),
        cmocka_unit_test(stages_that_repeat_are_added_up),
        cmocka_unit_test(laps_of_one_execution),
        cmocka_unit_test(no_more_is_timed_than_a_held_device_queues),
        cmocka_unit_test(nothing_but_launches_is_timed),
        cmocka_unit_test(a_failure_lets_the_device_go),
        cmocka_unit_test(graphs_have_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
