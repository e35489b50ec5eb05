/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"
#include "support/planted.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The harness itself: planted variants must get their verdicts, each for the right reason. */

enum { MAX_RESULTS = 64 };

typedef struct taken {
    int n;
    ndft_check checks[MAX_RESULTS];
    char ids[MAX_RESULTS][NDFT_ID_MAX];
    double medians[MAX_RESULTS];
    int samples[MAX_RESULTS];
    char stops[MAX_RESULTS][16];
} taken;

static void take(void *context, const ndft_result *result)
{
    taken *t = context;
    assert_in_range(t->n, 0, MAX_RESULTS - 1);
    t->checks[t->n] = result->check;
    ndft_id_print(result->candidate, t->ids[t->n], NDFT_ID_MAX);
    t->medians[t->n] = result->timing ? result->timing->stats.median : NAN;
    t->samples[t->n] = result->timing ? result->timing->n : 0;
    snprintf(t->stops[t->n], 16, "%s", result->timing ? result->timing->stop : "");
    t->n++;
}

static const char text[] = "forward 2d n=5x4 m=17 field=random:50Hz t=5ms coils=2 tol=1e-3";

static ndft_status run(const char *problem, const ndft_candidate *candidates, int n,
                       const ndft_group_options *options, taken *t, ndft_error *err)
{
    ndft_case parsed;
    t->n = 0;
    assert_int_equal(ndft_case_parse(problem, &parsed, err), NDFT_OK);
    return ndft_run_group(&ndft_nonuniform, &parsed, &ndft_backend_cpu, candidates, n, options,
                          &(ndft_sink){take, t}, err);
}

static ndft_check check_one(const char *problem, const ndft_registered *entry, planted_fault fault)
{
    static taken t;
    ndft_error err = {0};
    ndft_candidate candidate = {.entry = entry, .knobs = {fault}};
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    if (run(problem, &candidate, 1, &options, &t, &err) != NDFT_OK) fail_msg("%s", err.message);
    assert_int_equal(t.n, 1);
    return t.checks[0];
}

static void assert_verdict(ndft_check check, ndft_verdict verdict, const char *reason)
{
    if (check.verdict != verdict || !strstr(check.reason, reason))
        fail_msg("%s: '%s', not %s: '%s'", ndft_verdict_name(check.verdict), check.reason,
                 ndft_verdict_name(verdict), reason);
}

static const struct {
    planted_fault fault;
    ndft_verdict verdict;
    const char *reason;
} expected[] = {
    {PLANTED_NONE, NDFT_PASS, ""},
    {PLANTED_ONE_WRONG, NDFT_WRONG, "above its claim"},
    {PLANTED_OVERRUN, NDFT_WRONG, "wrote past the buffer 'output"},
    {PLANTED_UNDERRUN, NDFT_WRONG, "wrote before the buffer 'output"},
    {PLANTED_UNWRITTEN, NDFT_WRONG, "unwritten, first"},
    {PLANTED_EATS_INPUT, NDFT_WRONG, "changed its input"},
    {PLANTED_NAN, NDFT_WRONG, "1 of"},
    {PLANTED_FAILS, NDFT_ERROR, "the planted device failed"},
    {PLANTED_NOT_ADJOINT, NDFT_WRONG, "forward and adjoint disagree"},
    {PLANTED_REFUSES, NDFT_UNSUPPORTED, "it is planted to refuse"},
    {PLANTED_HUNGRY, NDFT_UNSUPPORTED, "planted table needs 1152921504606846976 bytes"},
    {PLANTED_BAD_PLAN, NDFT_ERROR, "plan: the planted tables failed"},
    {PLANTED_BOASTS, NDFT_WRONG, "above its claim"},
    {PLANTED_MODEST, NDFT_UNSUPPORTED, "its claim of 2 is above tol=0.001"},
};

static void every_fault_gets_its_verdict(void **state)
{
    (void)state;
    char problem[256];
    for (int f64 = 0; f64 < 2; f64++) {
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            snprintf(problem, sizeof problem, "%s prec=%s layout=%s", text, f64 ? "f64" : "f32",
                     f64 ? "interleaved" : "planar");
            assert_verdict(check_one(problem, &planted, expected[i].fault), expected[i].verdict,
                           expected[i].reason);
        }
    }
}

static void what_a_pass_measures(void **state)
{
    (void)state;
    ndft_check check = check_one(text, &planted, PLANTED_NONE);
    assert_true(check.rel_l2 > 0 && check.rel_l2 <= check.claim);
    assert_true(check.max_err > 0 && check.max_err < check.claim);
    assert_true(check.adjoint_err >= 0 && check.adjoint_err < 4 * check.claim);
    assert_true(check.plan_s >= 0 && check.plan_bytes == 0); /* it allocates nothing */
    assert_true(check.claim == 2 * 0x1p-24);
    assert_true(isnan(check_one(text, &planted, PLANTED_REFUSES).rel_l2));
}

static const char normal[] = "normal 2d n=5x4 m=17 field=random:50Hz t=5ms coils=2 tol=1e-3";

static void what_a_pass_of_the_normal_operator_measures(void **state)
{
    (void)state;
    const ndft_registered *entries[] = {&planted, &planted_fused};
    for (int i = 0; i < 2; i++) {
        ndft_check check = check_one(normal, entries[i], PLANTED_NONE);
        assert_verdict(check, NDFT_PASS, "");
        assert_true(check.claim == 4 * 0x1p-24); /* forward's and adjoint's */
        assert_true(check.rel_l2 > 0 && check.rel_l2 <= check.claim);
        assert_true(check.adjoint_err >= 0 && check.adjoint_err < 4 * check.claim);
        assert_true(check.plan_bytes == (i ? 0 : 17 * 2 * 2 * sizeof(float)));
    }
}

/* The fused operator is right and forward is not: only <x,Nx> = |Ax|^2 tells. */
static void a_wrong_normal_operator_is_seen(void **state)
{
    (void)state;
    assert_verdict(check_one(normal, &planted, PLANTED_NOT_ADJOINT), NDFT_WRONG, "above its claim");
    assert_verdict(check_one(normal, &planted, PLANTED_NOT_FORWARD), NDFT_WRONG, "above its claim");
    assert_verdict(check_one(normal, &planted_fused, PLANTED_NOT_ADJOINT), NDFT_PASS, "");
    assert_verdict(check_one(normal, &planted_fused, PLANTED_NOT_FORWARD), NDFT_WRONG,
                   "forward and normal disagree by");
}

/* Timed and never right; but it may no more write where it should not than any other. */
static void an_ablation_is_timed_and_untrusted(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidates[] = {{&planted_ablation, {PLANTED_ONE_WRONG}},
                                         {&planted, {PLANTED_NONE}}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.budget_s = 1e-3;
    assert_int_equal(run(text, candidates, 2, &options, &t, &err), NDFT_OK);
    assert_int_equal(t.n, 2);
    assert_verdict(t.checks[0], NDFT_UNTRUSTED, "an ablation of planted: without its sum");
    assert_true(t.medians[0] > 0 && isnan(t.checks[0].rel_l2) && isnan(t.checks[0].claim));
    assert_verdict(t.checks[1], NDFT_PASS, "");
    assert_verdict(check_one(text, &planted_ablation, PLANTED_NONE), NDFT_UNTRUSTED, "ablation");
    assert_verdict(check_one(text, &planted_ablation, PLANTED_OVERRUN), NDFT_WRONG, "wrote past");
    assert_verdict(check_one(text, &planted_ablation, PLANTED_NAN), NDFT_WRONG, "1 of");
    assert_verdict(check_one(text, &planted_ablation, PLANTED_REFUSES), NDFT_UNSUPPORTED,
                   "to refuse");
}

static void input_may_be_lost_where_nothing_was_promised(void **state)
{
    (void)state;
    assert_verdict(check_one(text, &planted_careless, PLANTED_EATS_INPUT), NDFT_PASS, "");
}

/* Whoever comes after finds the input as it was. */
static void a_lost_input_is_restored(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidates[] = {{&planted_careless, {PLANTED_EATS_INPUT}},
                                         {&planted, {PLANTED_NONE}}};
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    assert_int_equal(run(text, candidates, 2, &options, &t, &err), NDFT_OK);
    for (int i = 0; i < 2; i++) assert_verdict(t.checks[i], NDFT_PASS, "");
}

/* 10 ms for one sample of 17 is taken for 170 ms; a limit above that lets it run. */
static void long_executions_are_not_started(void **state)
{
    (void)state;
    taken t;
    ndft_error err = {0};
    const ndft_candidate candidate = {&planted, {PLANTED_SLOW}};
    ndft_group_options options = {.timing = ndft_timing_defaults};
    options.timing.limit_s = 0.1;
    assert_int_equal(run(text, &candidate, 1, &options, &t, &err), NDFT_OK);
    assert_verdict(t.checks[0], NDFT_UNSUPPORTED, "s per execution, the limit is 0.1 s");
    options.timing.limit_s = 60;
    assert_int_equal(run(text, &candidate, 1, &options, &t, &err), NDFT_OK);
    assert_verdict(t.checks[0], NDFT_PASS, "");
}

/* A zero image file: a variant that writes zeros would pass, so nothing is concluded. */
static void zero_input_is_untrusted(void **state)
{
    (void)state;
    static const char header[] =
        "\x93NUMPY\x01\x00\x76\x00{'descr': '<c8', 'fortran_order': False, "
        "'shape': (1, 1, 4, 5), }";
    char folder[] = "/tmp/ndft-zero-XXXXXX", path[64], problem[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/zero.npy", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(header, 1, sizeof header - 1, file);
    for (size_t i = sizeof header - 1; i < 127; i++) fputc(' ', file);
    fputc('\n', file);
    for (int i = 0; i < 160; i++) fputc(0, file);
    fclose(file);
    snprintf(problem, sizeof problem, "forward 2d n=5x4 m=17 data=file:%s", path);
    ndft_check check = check_one(problem, &planted, PLANTED_NONE);
    remove(path);
    rmdir(folder);
    assert_verdict(check, NDFT_UNTRUSTED, "the input is zero everywhere");
}

static void not_built_and_missing(void **state)
{
    (void)state;
    const ndft_registered absent = {"absent", "cpu", NULL, "", NULL, NULL, NDFT_NONUNIFORM};
    assert_verdict(check_one(text, &absent, PLANTED_NONE), NDFT_NOT_BUILT, "not built");
}

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
        assert_true(!strcmp(t.stops[i], "ci") || !strcmp(t.stops[i], end));
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

/* What ran and did not hold fails a run; what could not run does not. */
static void some_verdicts_fail_a_run(void **state)
{
    (void)state;
    static const bool fails[NDFT_N_VERDICTS] = {
        [NDFT_WRONG] = true, [NDFT_ERROR] = true, [NDFT_CRASHED] = true, [NDFT_TIMEOUT] = true};
    for (int v = 0; v < NDFT_N_VERDICTS; v++) {
        int counts[NDFT_N_VERDICTS] = {0};
        counts[v] = 1;
        assert_int_equal(ndft_verdicts_fail(counts), fails[v]);
    }
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
        cmocka_unit_test(every_fault_gets_its_verdict),
        cmocka_unit_test(what_a_pass_measures),
        cmocka_unit_test(what_a_pass_of_the_normal_operator_measures),
        cmocka_unit_test(a_wrong_normal_operator_is_seen),
        cmocka_unit_test(an_ablation_is_timed_and_untrusted),
        cmocka_unit_test(input_may_be_lost_where_nothing_was_promised),
        cmocka_unit_test(a_lost_input_is_restored),
        cmocka_unit_test(long_executions_are_not_started),
        cmocka_unit_test(zero_input_is_untrusted),
        cmocka_unit_test(not_built_and_missing),
        cmocka_unit_test(a_group_goes_on),
        cmocka_unit_test(a_plan_may_refuse_the_case),
        cmocka_unit_test(a_large_group_is_timed_in_parts),
        cmocka_unit_test(some_verdicts_fail_a_run),
        cmocka_unit_test(failing_while_timed_is_an_error),
        cmocka_unit_test(a_cpu_has_no_graphs),
        cmocka_unit_test(every_mode_times_on_a_cpu),
        cmocka_unit_test(interruption_ends_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
