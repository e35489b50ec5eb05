/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"
#include "problem/kinds.h"
#include "uniform.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a check sees of uniform transforms that go wrong: a right one, with a fault put in. */

typedef enum fault {
    NONE,
    BESIDE,    /* writes between its outputs */
    GAPS,      /* takes what lies between its inputs for one of them */
    FORGETS,   /* leaves its last output unwritten */
    CONJUGATE, /* has the other sign */
    SPOILS,    /* changes its input */
    LOADS_ALL, /* without its load function */
    STORES_ALL,
    FINITE,   /* fails where it is given anything that is not finite */
    FADES,    /* its last output is off by 1 after the hundredth execution */
    IN_GRAPH, /* and in the replay of a graph */
} fault;

static const char *const words[] = {"none",      "beside", "gaps",      "forgets",
                                    "conjugate", "spoils", "loads_all", "stores_all",
                                    "finite",    "fades",  "in_graph",  NULL};
static const ndft_knob fault_knob[] = {{.name = "fault", .words = words, .n_candidates = 1}};

typedef struct planted_plan {
    ndft_transform transform;
    fault fault;
    const ndft_exec *exec;
    int executed;
} planted_plan;

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knob)
{
    (void)device;
    (void)knob;
    return ndft_transform_of(p)->dim > 1 ? "it has one dimension" : NULL;
}

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    planted_plan *plan = malloc(sizeof *plan);
    *plan = (planted_plan){*ndft_transform_of(p), (fault)knob[0], exec, 0};
    *out = plan;
    return NDFT_OK;
}

static bool is_finite(const ndft_tensor *tensor, const float *in)
{
    for (int64_t e = 0; e < ndft_tensor_size(tensor); e++) {
        const int64_t at = ndft_tensor_place(tensor, e);
        if (!isfinite(in[2 * at]) || !isfinite(in[2 * at + 1])) return false;
    }
    return true;
}

static bool is_off(const planted_plan *plan)
{
    return (plan->fault == FADES && plan->executed > 100) ||
           (plan->fault == IN_GRAPH && plan->exec->stream);
}

/* Of complex numbers in float; those that a store function leaves alone are NaN in the result. */
static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    planted_plan *plan = state;
    ndft_transform t = plan->transform;
    plan->executed++;
    if (plan->fault == FINITE && !is_finite(&t.in, in))
        return ndft_fail(plan->exec->error, NDFT_EDEVICE, "it was given what is not finite");
    const int64_t size = ndft_tensor_size(&t.out);
    double *result = malloc((size_t)size * 2 * sizeof *result);
    float *to = out;
    (void)op;
    if (plan->fault == CONJUGATE) t.sign = -t.sign;
    if (plan->fault == GAPS) t.in.stride[NDFT_MODE_K]--;
    if (plan->fault == LOADS_ALL) t.load = NULL;
    if (plan->fault == STORES_ALL) t.store = NULL;
    ndft_status status = ndft_uniform_reference(&t, in, NULL, size, result, 1, plan->exec->error);
    for (int64_t e = 0; e < size - (plan->fault == FORGETS); e++) {
        const int64_t at = ndft_tensor_place(&t.out, e);
        if (t.store && isnan(result[2 * e])) continue;
        to[2 * at] = (float)result[2 * e];
        to[2 * at + 1] = (float)result[2 * e + 1];
    }
    if (is_off(plan)) to[0] += 1;
    if (plan->fault == BESIDE) to[2 * t.shape[NDFT_MODE_N] + 1] = 0;
    if (plan->fault == SPOILS) ((float *)(uintptr_t)in)[0] += 1;
    free(result);
    return status;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)p;
    (void)op;
    (void)knob;
    return (ndft_cost){.issue_slots = 1};
}

static const ndft_variant variant = {.name = "planted",
                                     .backend = "cpu",
                                     .summary = "a uniform transform with a fault",
                                     .knobs = fault_knob,
                                     .n_knobs = 1,
                                     .ops = NDFT_FORWARD,
                                     .claim = {.c = 2},
                                     .unsupported = unsupported,
                                     .plan = plan,
                                     .execute = execute,
                                     .destroy = free,
                                     .cost = cost};

static const ndft_registered uniform = {
    "planted", "cpu", &variant, "0123456789abcdef", NULL, NULL, NDFT_UNIFORM, "", false};
static const ndft_registered nonuniform = {
    "planted", "cpu", &variant, "0123456789abcdef", NULL, NULL, NDFT_NONUNIFORM, "", false};

static void take(void *context, const ndft_result *result)
{
    *(ndft_check *)context = result->check;
}

static void expect(const ndft_registered *entry, const char *text, fault planted,
                   ndft_verdict verdict, const char *reason)
{
    ndft_case c;
    ndft_check check;
    ndft_error err;
    const ndft_candidate candidate = {.entry = entry, .knobs = {planted}};
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_OK);
    assert_int_equal(ndft_run_group(ndft_kind_of(&c), &c, &ndft_backend_cpu, &candidate, 1,
                                    &options, &(ndft_sink){take, &check}, &err),
                     NDFT_OK);
    if (check.verdict != verdict || !strstr(check.reason, reason))
        fail_msg("%s with %s: %s, %s", text, words[planted], ndft_verdict_name(check.verdict),
                 check.reason);
}

static const char spread[] = "uniform:scfo9*3i1,1,12o1,1,11";
static const char in_place[] = "uniform:scbi9*3i1,1,12o1,1,12";

static void right_ones_pass(void **state)
{
    (void)state;
    expect(&uniform, spread, NONE, NDFT_PASS, "");
    expect(&uniform, in_place, NONE, NDFT_PASS, "");
    expect(&uniform, "uniform:scfo3.9*3", NONE, NDFT_PASS, "");
    expect(&uniform, "uniform:scfo3x3", NONE, NDFT_UNSUPPORTED, "it has one dimension");
}

static void faults_are_seen(void **state)
{
    (void)state;
    expect(&uniform, spread, BESIDE, NDFT_WRONG, "beside its outputs, first at value 19");
    expect(&uniform, spread, GAPS, NDFT_WRONG, "NaN");
    expect(&uniform, spread, FORGETS, NDFT_WRONG, "2 of 62 values unwritten, first 60");
    expect(&uniform, spread, CONJUGATE, NDFT_WRONG, "above its claim");
    expect(&uniform, spread, SPOILS, NDFT_WRONG, "changed its input");
    expect(&uniform, in_place, GAPS, NDFT_WRONG, "NaN");
    expect(&uniform, in_place, FORGETS, NDFT_WRONG, "above its claim");
    expect(&uniform, in_place, CONJUGATE, NDFT_WRONG, "above its claim");
}

static void expect_timed_for(double steady_s, fault planted, ndft_mode mode, ndft_verdict verdict,
                             const char *reason)
{
    ndft_case c;
    ndft_check check;
    ndft_error err;
    const ndft_candidate candidate = {.entry = &uniform, .knobs = {planted}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.mode = mode;
    options.timing.budget_s = 1e-3;
    options.timing.min_samples = 101;
    options.timing.min_time_s = steady_s;
    assert_int_equal(ndft_case_parse(in_place, &c, &err), NDFT_OK);
    assert_int_equal(ndft_run_group(ndft_kind_of(&c), &c, &ndft_backend_cpu, &candidate, 1,
                                    &options, &(ndft_sink){take, &check}, &err),
                     NDFT_OK);
    if (check.verdict != verdict || !strstr(check.reason, reason))
        fail_msg("%s in %s: %s, %s", words[planted], ndft_mode_name(mode),
                 ndft_verdict_name(check.verdict), check.reason);
}

/* Timed in place in a mode, by 101 samples, which in batch are of many executions. */
static void expect_timed(fault planted, ndft_mode mode, ndft_verdict verdict, const char *reason)
{
    expect_timed_for(0, planted, mode, verdict, reason);
}

/* Each execution makes them sqrt(9) times as large: 81 would be too many. */
static void data_in_place_stay_finite(void **state)
{
    (void)state;
    for (int mode = 0; mode < NDFT_N_MODES; mode++)
        if (mode != NDFT_STAGES) expect_timed(FINITE, (ndft_mode)mode, NDFT_PASS, "");
    expect_timed_for(0.05, FINITE, NDFT_BATCH, NDFT_PASS, "");
    expect_timed_for(0.05, FINITE, NDFT_GRAPH, NDFT_PASS, "");
}

/* What follows from several executions in a row is what follows from as many single ones. */
static void what_is_timed_in_place_is_checked(void **state)
{
    (void)state;
    expect_timed(FADES, NDFT_BATCH, NDFT_WRONG, "in mode batch: ");
    expect_timed(FADES, NDFT_WARM, NDFT_WRONG, "in mode warm: ");
    expect_timed(FADES, NDFT_COLD, NDFT_WRONG, "in mode cold: ");
    expect_timed(NONE, NDFT_GRAPH, NDFT_PASS, "");
    expect_timed(IN_GRAPH, NDFT_GRAPH, NDFT_WRONG, "in a row are");
    expect_timed(NONE, NDFT_END_TO_END, NDFT_PASS, "");
}

static void functions_are_not_left_out(void **state)
{
    (void)state;
    static const char both[] = "uniform:scfo9*3 load=zero_pad:5 store=crop:4";
    expect(&uniform, both, NONE, NDFT_PASS, "");
    expect(&uniform, both, LOADS_ALL, NDFT_WRONG, "");
    expect(&uniform, both, STORES_ALL, NDFT_WRONG, "beside its outputs, first at value 8");
    expect(&uniform, "uniform:scfo9*3 store=deapodise:4", STORES_ALL, NDFT_WRONG, "its claim");
}

static void count_passes(void *context, const ndft_result *result)
{
    *(int *)context += result->check.verdict == NDFT_PASS;
}

/* More candidates than are timed against each other: the later ones are checked after timing. */
static void spoilt_input_is_put_back(void **state)
{
    (void)state;
    ndft_variant spoiler = variant;
    spoiler.claim.overwrites_input = true;
    const ndft_registered entry = {"planted",    "cpu", &spoiler, "0123456789abcdef", NULL, NULL,
                                   NDFT_UNIFORM, "",    false};
    ndft_candidate candidates[20];
    for (int i = 0; i < 20; i++) candidates[i] = (ndft_candidate){&entry, {SPOILS}};
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.budget_s = 1e-3;
    ndft_case c;
    ndft_error err;
    int passes = 0;
    assert_int_equal(ndft_case_parse(spread, &c, &err), NDFT_OK);
    assert_int_equal(ndft_run_group(ndft_kind_of(&c), &c, &ndft_backend_cpu, candidates, 20,
                                    &options, &(ndft_sink){count_passes, &passes}, &err),
                     NDFT_OK);
    assert_int_equal(passes, 20);
}

static void kinds_are_kept_apart(void **state)
{
    (void)state;
    expect(&uniform, "forward 1d n=9 m=9", NONE, NDFT_UNSUPPORTED,
           "does not serve nonuniform problems");
    expect(&nonuniform, spread, NONE, NDFT_UNSUPPORTED, "does not serve uniform problems");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(data_in_place_stay_finite),
        cmocka_unit_test(what_is_timed_in_place_is_checked),
        cmocka_unit_test(functions_are_not_left_out),
        cmocka_unit_test(spoilt_input_is_put_back),
        cmocka_unit_test(kinds_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
