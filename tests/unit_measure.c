/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The measuring loop on a device whose clock only executions move, so that every time is known. */

typedef struct toy {
    ndft_exec exec; /* first, so that an ndft_exec points at it */
    double now, start;
    double cost;  /* s per execution */
    double grows; /* added to the cost by every execution */
    double clock_mhz;
} toy;

static ndft_status start(ndft_exec *exec)
{
    toy *t = (toy *)exec;
    t->start = t->now;
    return NDFT_OK;
}

static ndft_status stop(ndft_exec *exec, double *seconds)
{
    toy *t = (toy *)exec;
    *seconds = t->now - t->start;
    return NDFT_OK;
}

static double clock_mhz(ndft_exec *exec) { return ((toy *)exec)->clock_mhz; }

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    toy *t = state;
    (void)op;
    (void)in;
    (void)out;
    t->now += t->cost;
    t->cost += t->grows;
    return NDFT_OK;
}

static void range_push(ndft_phase phase, const char *label, uint64_t payload)
{
    (void)phase;
    (void)label;
    (void)payload;
}

static void range_pop(void) {}

static ndft_timing measure(toy *t, double budget_s, int min_samples)
{
    static const ndft_backend backend = {.timer_start = start,
                                         .timer_stop = stop,
                                         .clock_mhz = clock_mhz,
                                         .range_push = range_push,
                                         .range_pop = range_pop};
    static const ndft_variant variant = {.execute = execute};
    const ndft_made made = {0};
    ndft_rig rig = {.backend = &backend, .exec = &t->exec, .made = &made, .op = NDFT_FORWARD};
    const ndft_plan plan = {.variant = &variant, .state = t};
    const ndft_timing_options options = {.budget_s = budget_s, .min_samples = min_samples};
    ndft_timing timing;
    const ndft_candidate *candidate = NULL;
    assert_int_equal(ndft_measure(&rig, &candidate, &plan, 1, &options, &timing), NDFT_OK);
    return timing;
}

static void a_sample_is_the_mean_of_its_executions(void **state)
{
    (void)state;
    ndft_timing timing = measure(&(toy){.cost = 50e-6, .clock_mhz = 1500}, 1, 3);
    assert_in_range(timing.repetitions, 16, 40); /* about a millisecond of them */
    for (int i = 0; i < timing.n; i++) assert_true(fabs(timing.samples[i] - 50e-6) < 1e-12);
    assert_true(fabs(timing.stats.median - 50e-6) < 1e-12);
    assert_true(timing.clock_mhz == 1500);
    assert_string_equal(timing.stop, "ci");
    assert_int_equal(timing.n, 6); /* fewer give no interval */
}

static void long_executions_are_samples_of_their_own(void **state)
{
    (void)state;
    ndft_timing timing = measure(&(toy){.cost = 0.02}, 0.1, 3);
    assert_int_equal(timing.repetitions, 1);
    assert_string_equal(timing.stop, "budget");
    assert_int_equal(timing.n, 5);
    assert_true(isnan(timing.clock_mhz)); /* a clock that is not known is no zero */
}

static void the_budget_yields_to_the_least_samples(void **state)
{
    (void)state;
    ndft_timing timing = measure(&(toy){.cost = 0.02, .grows = 0.01}, 0.01, 8);
    assert_string_equal(timing.stop, "budget");
    assert_int_equal(timing.n, 8);
    timing = measure(&(toy){.cost = 0.02, .grows = 0.01}, 1e9, 3 * NDFT_MAX_SAMPLES);
    assert_string_equal(timing.stop, "samples");
    assert_int_equal(timing.n, NDFT_MAX_SAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_the_mean_of_its_executions),
        cmocka_unit_test(long_executions_are_samples_of_their_own),
        cmocka_unit_test(the_budget_yields_to_the_least_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
