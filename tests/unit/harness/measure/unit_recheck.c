/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"
#include "support/planted.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Variants that are right when they are checked and wrong in the mode that is timed. */

static const char text[] = "forward 2d n=5x4 m=17 field=random:50Hz t=5ms coils=2 tol=1e-3";
enum { OVER_A_HUNDRED = 101 };

typedef struct taken {
    int n;
    ndft_check check;
    double median;
} taken;

static void take(void *context, const ndft_result *result)
{
    taken *t = context;
    t->n++;
    t->check = result->check;
    t->median = result->timing ? result->timing->stats.median : NAN;
}

/* Samples, of which a budget this small allows no more than asked. */
static taken timed_for(double steady_s, const ndft_registered *entry, planted_fault fault,
                       ndft_mode mode, int samples)
{
    ndft_case problem;
    ndft_error err = {0};
    taken t = {0};
    const ndft_candidate candidate = {entry, {fault}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.mode = mode;
    options.timing.budget_s = 1e-3;
    options.timing.min_samples = samples;
    options.timing.min_time_s = steady_s;
    assert_int_equal(ndft_case_parse(text, &problem, &err), NDFT_OK);
    assert_int_equal(ndft_run_group(&ndft_nonuniform, &problem, &ndft_backend_cpu, &candidate, 1,
                                    &options, &(ndft_sink){take, &t}, &err),
                     NDFT_OK);
    assert_int_equal(t.n, 1);
    return t;
}

static taken timed(const ndft_registered *entry, planted_fault fault, ndft_mode mode, int samples)
{
    return timed_for(0, entry, fault, mode, samples);
}

/* Cold ones, whose flushes take their time, are asked once. */
static const ndft_mode modes[] = {NDFT_BATCH, NDFT_WARM, NDFT_GRAPH, NDFT_END_TO_END};
enum { N_MODES = sizeof modes / sizeof *modes };

static void holds(const ndft_registered *entry, planted_fault fault, ndft_mode mode)
{
    const int samples = 3;
    const taken t = timed(entry, fault, mode, samples);
    if (t.check.verdict != NDFT_PASS) fail_msg("%s", t.check.reason);
    assert_true(t.median > 0);
}

/* Nothing is published of it, and the sentence names the mode. */
static void is_seen(const ndft_registered *entry, planted_fault fault, ndft_mode mode,
                    ndft_verdict verdict, const char *reason)
{
    const int samples = fault == PLANTED_LATE ? OVER_A_HUNDRED : 3;
    char begins[64];
    const taken t = timed(entry, fault, mode, samples);
    snprintf(begins, sizeof begins, "in mode %s: ", ndft_mode_name(mode));
    if (t.check.verdict != verdict || !strstr(t.check.reason, begins) ||
        !strstr(t.check.reason, reason))
        fail_msg("%s: '%s', not '%s'", ndft_verdict_name(t.check.verdict), t.check.reason, reason);
    assert_true(isnan(t.median));
}

static void right_ones_hold_in_every_mode(void **state)
{
    (void)state;
    for (int i = 0; i < N_MODES; i++) {
        holds(&planted, PLANTED_NONE, modes[i]);
        holds(&planted_careless, PLANTED_EATS_INPUT, modes[i]);
    }
}

static void wrong_after_the_hundredth(void **state)
{
    (void)state;
    for (int i = 0; i < N_MODES; i++) {
        if (modes[i] == NDFT_END_TO_END) continue; /* every plan is executed once */
        is_seen(&planted, PLANTED_LATE, modes[i], NDFT_WRONG, "above its claim");
    }
    is_seen(&planted_careless, PLANTED_LATE, NDFT_BATCH, NDFT_WRONG, "above its claim");
    holds(&planted, PLANTED_LATE, NDFT_END_TO_END);
    is_seen(&planted, PLANTED_LATE, NDFT_COLD, NDFT_WRONG, "above its claim");
}

static void wrong_in_a_steady_timing(void **state)
{
    (void)state;
    const taken late = timed_for(0.05, &planted, PLANTED_LATE, NDFT_BATCH, OVER_A_HUNDRED);
    const taken graph = timed_for(0.05, &planted, PLANTED_IN_GRAPH, NDFT_GRAPH, 3);
    assert_int_equal(late.check.verdict, NDFT_WRONG);
    assert_int_equal(graph.check.verdict, NDFT_WRONG);
    assert_true(isnan(late.median) && isnan(graph.median));
}

static void wrong_in_a_graph(void **state)
{
    (void)state;
    is_seen(&planted, PLANTED_IN_GRAPH, NDFT_GRAPH, NDFT_WRONG, "above its claim");
    holds(&planted, PLANTED_IN_GRAPH, NDFT_BATCH);
}

static void wrong_while_stages_are_timed(void **state)
{
    (void)state;
    is_seen(&planted_fused, PLANTED_MARKED, NDFT_STAGES, NDFT_WRONG, "above its claim");
    holds(&planted_fused, PLANTED_MARKED, NDFT_WARM);
    holds(&planted_fused, PLANTED_NONE, NDFT_STAGES);
}

static void wrong_in_the_plan_made_end_to_end(void **state)
{
    (void)state;
    is_seen(&planted, PLANTED_ALONE, NDFT_END_TO_END, NDFT_WRONG, "above its claim");
    holds(&planted, PLANTED_ALONE, NDFT_BATCH);
}

/* They turn with every execution: in one mode or the other they have turned. */
static void other_bits_are_wrong_where_the_same_are_claimed(void **state)
{
    (void)state;
    int seen = 0;
    for (int i = 0; i < N_MODES; i++) {
        if (modes[i] == NDFT_END_TO_END) continue;
        const taken t = timed(&planted, PLANTED_UNSTEADY, modes[i], 3);
        seen += t.check.verdict == NDFT_WRONG &&
                strstr(t.check.reason, "claims the same bits from run to run") != NULL;
        holds(&planted_careless, PLANTED_UNSTEADY, modes[i]);
    }
    assert_true(seen > 0);
}

/* Forward and adjoint were checked, and one execution came before the first of 97 samples. */
static void failing_then_is_an_error(void **state)
{
    (void)state;
    const taken t = timed(&planted, PLANTED_FAILS_OVER, NDFT_COLD, 97);
    assert_int_equal(t.check.verdict, NDFT_ERROR);
    assert_string_equal(t.check.reason,
                        "while timing: in mode cold: forward: the planted device failed");
    assert_true(isnan(t.median));
}

/* It claims nothing, and is looked at for numbers alone. */
static void an_ablation_stays_one(void **state)
{
    (void)state;
    const taken t = timed(&planted_ablation, PLANTED_LATE, NDFT_BATCH, 3);
    assert_int_equal(t.check.verdict, NDFT_UNTRUSTED);
    assert_true(t.median > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_hold_in_every_mode),
        cmocka_unit_test(wrong_after_the_hundredth),
        cmocka_unit_test(wrong_in_a_steady_timing),
        cmocka_unit_test(wrong_in_a_graph),
        cmocka_unit_test(wrong_while_stages_are_timed),
        cmocka_unit_test(wrong_in_the_plan_made_end_to_end),
        cmocka_unit_test(other_bits_are_wrong_where_the_same_are_claimed),
        cmocka_unit_test(failing_then_is_an_error),
        cmocka_unit_test(an_ablation_stays_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
