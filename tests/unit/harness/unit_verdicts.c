/* SPDX-License-Identifier: Apache-2.0 */
#include "support/group_runs.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* The harness itself: planted variants must get their verdicts, each for the right reason. */

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

/* Coordinates of 17 samples round together (library/promise.c). */
static bool is_claim(const ndft_check *check, double roundings)
{
    return fabs(check->claim / (5.6 / sqrt(17) * roundings * 0x1p-24) - 1) < 1e-9;
}

static void what_a_pass_measures(void **state)
{
    (void)state;
    ndft_check check = check_one(text, &planted, PLANTED_NONE);
    assert_true(check.rel_l2 > 0 && check.rel_l2 <= check.claim);
    assert_true(check.max_err > 0 && check.max_err < check.claim);
    assert_true(check.adjoint_err >= 0 && check.adjoint_err < 4 * check.claim);
    assert_true(check.plan_s >= 0 && check.plan_bytes == 0); /* it allocates nothing */
    assert_true(is_claim(&check, 2));
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
        assert_true(is_claim(&check, 4)); /* forward's and adjoint's */
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
    const ndft_registered absent = {"absent", "cpu",           NULL, "",   NULL,
                                    NULL,     NDFT_NONUNIFORM, "",   false};
    assert_verdict(check_one(text, &absent, PLANTED_NONE), NDFT_NOT_BUILT, "not built");
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
        cmocka_unit_test(some_verdicts_fail_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
