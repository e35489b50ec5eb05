/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/stats.h"
#include "support/known.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include <cmocka.h>

/*
 * Whether the clock of every mode tells the time: a loop of so many dependent instructions, which
 * the variant itself times by the processor's own counter (TSC). Both clocks see the same
 * interruptions, so that a busy machine does not matter.
 */

enum { MAX_CALLS = 1 << 16, LINKS = 400000 };

typedef struct counted {
    ndft_exec *exec; /* of its plan */
    int calls;
    uint64_t ticks[MAX_CALLS];
} counted;

static uint64_t ticks_now(void)
{
    unsigned core;
    const uint64_t now = __rdtscp(&core);
    _mm_lfence();
    return now;
}

/* Every link waits for the last one, and the compiler cannot know that. */
static void chain(int links)
{
    uint64_t x = 1;
    for (int i = 0; i < links; i++) {
        x = 6364136223846793005u * x + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
}

static ndft_status execute(void *plan, ndft_op op, const void *in, void *out)
{
    counted *c = plan;
    (void)op;
    (void)in;
    (void)out;
    const uint64_t start = ticks_now();
    chain(LINKS);
    if (c->calls < MAX_CALLS) c->ticks[c->calls++] = ticks_now() - start;
    return NDFT_OK;
}

static const char *unsupported(const ndft_problem *problem, const ndft_device *device,
                               const int *knobs)
{
    (void)problem;
    (void)device;
    (void)knobs;
    return NULL;
}

static ndft_status make_plan(const ndft_problem *problem, const int *knobs, unsigned ops,
                             ndft_exec *exec, void **plan)
{
    (void)knobs;
    (void)ops;
    *plan = known_own(problem);
    ((counted *)*plan)->exec = exec;
    return NDFT_OK;
}

static ndft_status execute_in_stages(void *plan, ndft_op op, const void *in, void *out)
{
    NDFT_TRY(execute(plan, op, in, out));
    ndft_mark(((counted *)plan)->exec, "chain");
    return NDFT_OK;
}

static void destroy(void *plan) { (void)plan; }

static ndft_cost cost(const ndft_problem *problem, ndft_op op, const int *knobs)
{
    (void)problem;
    (void)op;
    (void)knobs;
    return (ndft_cost){.launches = 1};
}

static const ndft_variant plain = {.name = "counted",
                                   .backend = "cpu",
                                   .ops = NDFT_FORWARD,
                                   .unsupported = unsupported,
                                   .plan = make_plan,
                                   .execute = execute,
                                   .destroy = destroy,
                                   .cost = cost};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The median over samples of what the variant counted: of the last ones, each the mean of so many
 * calls behind so many others. */
static double own_median(const counted *c, int samples, int others, int calls)
{
    double means[200];
    const uint64_t *first = c->ticks + c->calls - samples * (others + calls);
    for (int i = 0; i < samples; i++) {
        means[i] = 0;
        for (int k = 0; k < calls; k++)
            means[i] += (double)first[i * (others + calls) + others + k] / calls;
    }
    return ndft_stats_of(means, samples).median;
}

typedef struct row {
    const char *mode;
    double min_time_s;
    int others; /* calls of a sample that are not timed */
} row;

/* How much more the harness measured than the variant did, relative. */
static double excess(const row *r, const ndft_variant *variant)
{
    counted *c = malloc(sizeof *c);
    assert_non_null(c);
    memset(c, 1, sizeof *c); /* no page is missing when it is written */
    c->calls = 0;
    const double started = seconds_now();
    const uint64_t start = ticks_now();
    const known_time t = known_measure("cpu", variant, c, r->mode, r->min_time_s);
    const double second = (double)(ticks_now() - start) / (seconds_now() - started);
    if (t.failed[0]) fail_msg("%s: %s", r->mode, t.failed);
    assert_true(c->calls < MAX_CALLS && t.samples >= 5);
    const double own = own_median(c, t.samples, r->others, t.repetitions) / second;
    free(c);
    return t.median_s / own - 1;
}

/* A neighbour that comes between the two clocks adds to one of them, and does not always come. */
static void tell(const row *r, const ndft_variant *variant)
{
    double found = INFINITY;
    for (int attempt = 0; attempt < 3 && fabs(found) > 0.02; attempt++) found = excess(r, variant);
    if (fabs(found) > 0.02) fail_msg("%s is off by %+.2g %%", r->mode, 100 * found);
}

static void every_mode_tells_the_time(void **state)
{
    (void)state;
    static const row rows[] = {
        {"batch", 0, 0}, {"cold", 0, 0}, {"warm", 0, 1}, {"end-to-end", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) tell(&rows[i], &plain);
}

/* A sample runs to its one mark, and then whole. */
static void stages_tell_the_time(void **state)
{
    (void)state;
    static const char *const stages[] = {"chain", NULL};
    ndft_variant staged = plain;
    staged.execute = execute_in_stages;
    staged.stages = stages;
    tell(&(row){"stages", 0, 3}, &staged);
}

static void a_steady_timing_tells_the_time(void **state)
{
    (void)state;
    tell(&(row){"batch", 0.2, 0}, &plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_tells_the_time),
        cmocka_unit_test(stages_tell_the_time),
        cmocka_unit_test(a_steady_timing_tells_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
