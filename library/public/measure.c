/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"
#include "promise.h"
#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * The engine that is the fastest on the very problem: each of those that may be is planned,
 * executed and given up again, and those that came close to the best are timed a second time, for
 * longer.
 */

enum { MOST_TRIED = 12, SAMPLES = 3, FILLING = 0x3c /* a small number, in float and in double */ };
static const double usual_limit_s = 2, within = 8; /* times the best estimate */
static const double close = 1.3, hopeless = 4,     /* times the best */
    short_s = 2e-3, long_s = 2e-2;

typedef struct trials {
    ndft_plan *plan;
    unsigned ops;
    void *in, *out; /* on the device; one where the transform is in place */
    size_t in_bytes;
    ndft_ranked *ranked;
    int n;
    double *seconds; /* NaN: not measured */
    double best_s;   /* of them */
    double ends;     /* when time is up */
} trials;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one execution of each operation, of so many in a row. */
static ndft_status time_row(const trials *t, const ndft_prepared *prepared, int count,
                            double *seconds)
{
    ndft_exec *exec = t->plan->exec;
    const ndft_backend *backend = t->plan->problem->device->backend;
    NDFT_TRY(backend->fill(exec, t->in, FILLING, t->in_bytes));
    NDFT_TRY(backend->sync(exec));
    const double start = now_s();
    for (int i = 0; i < count; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
            if (t->ops & op) NDFT_TRY(ndft_prepared_execute(prepared, (ndft_op)op, t->in, t->out));
    NDFT_TRY(backend->sync(exec));
    *seconds = (now_s() - start) / count;
    return NDFT_OK;
}

/* The shortest of a few samples of a length, after one execution that loads what it needs, and is
 * enough where it is hopeless. */
static ndft_status time_engine(const trials *t, const ndft_prepared *prepared, double sample_s,
                               double *seconds)
{
    double each;
    NDFT_TRY(time_row(t, prepared, 1, seconds));
    const int count = (int)fmax(1, fmin(1e4, ceil(sample_s / *seconds)));
    if (count == 1 && (now_s() > t->ends || *seconds > hopeless * t->best_s)) return NDFT_OK;
    *seconds = INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        NDFT_TRY(time_row(t, prepared, count, &each));
        *seconds = fmin(*seconds, each);
    }
    return NDFT_OK;
}

/* What has no memory, or does not fit after all, is not measured. */
static ndft_status try_engine(trials *t, int i, double sample_s)
{
    const ndft_candidate *c = &t->ranked[i].candidate;
    const ndft_problem *p = &t->plan->problem->problem;
    ndft_prepared prepared;
    ndft_status status =
        ndft_prepare_promised(c->entry->variant, c->knobs, p, t->ops, t->plan->exec, &prepared);
    t->seconds[i] = NAN;
    if (status == NDFT_EUNSUPPORTED || status == NDFT_ENOMEM) return NDFT_OK;
    NDFT_TRY(status);
    status = time_engine(t, &prepared, sample_s, &t->seconds[i]);
    if (status == NDFT_OK) t->best_s = fmin(t->best_s, t->seconds[i]);
    ndft_prepared_destroy(&prepared);
    return status;
}

/* Index of the fastest, -1 where none was measured. */
static int best_of(const trials *t)
{
    int best = -1;
    for (int i = 0; i < t->n; i++)
        if (!isnan(t->seconds[i]) && (best < 0 || t->seconds[i] < t->seconds[best])) best = i;
    return best;
}

static ndft_status try_all(trials *t)
{
    for (int i = 0; i < t->n && now_s() < t->ends; i++) NDFT_TRY(try_engine(t, i, short_s));
    const int best = best_of(t);
    const double limit_s = best < 0 ? 0 : close * t->seconds[best];
    for (int i = 0; i < t->n && now_s() < t->ends; i++)
        if (t->seconds[i] <= limit_s && (i != best || t->n > 1)) NDFT_TRY(try_engine(t, i, long_s));
    return NDFT_OK;
}

static ndft_status take_vectors(trials *t)
{
    ndft_exec *exec = t->plan->exec;
    const ndft_problem *p = &t->plan->problem->problem;
    size_t out_bytes = 0;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        if (!(t->ops & op)) continue;
        const size_t in = ndft_input_bytes(p, (ndft_op)op), out = ndft_output_bytes(p, (ndft_op)op);
        t->in_bytes = in > t->in_bytes ? in : t->in_bytes;
        out_bytes = out > out_bytes ? out : out_bytes;
    }
    NDFT_TRY(exec->alloc(exec, "input to time", t->in_bytes, &t->in));
    if (!ndft_in_place(t->plan->problem->kind, p))
        return exec->alloc(exec, "output to time", out_bytes, &t->out);
    t->out = t->in;
    return NDFT_OK;
}

static void give_vectors_back(trials *t)
{
    ndft_exec *exec = t->plan->exec;
    if (t->out != t->in) exec->release(exec, t->out);
    exec->release(exec, t->in);
}

/* How many of the ranked ones may be the fastest. */
static int count_tried(const trials *t, int ranked)
{
    int n = 0;
    const bool all = t->plan->mode == NDFT_EXHAUSTIVE;
    while (n < ranked &&
           (all || (n < MOST_TRIED && t->ranked[n].seconds <= within * t->ranked[0].seconds)))
        n++;
    return n;
}

static ndft_status measure(trials *t, int *best)
{
    const double limit_s = t->plan->time_limit_s > 0          ? t->plan->time_limit_s
                           : t->plan->mode == NDFT_EXHAUSTIVE ? INFINITY
                                                              : usual_limit_s;
    t->ends = now_s() + limit_s * __builtin_popcount(t->ops) / __builtin_popcount(t->plan->ops);
    t->seconds = malloc((size_t)t->n * sizeof *t->seconds);
    if (!t->seconds) return ndft_fail(&t->plan->error, NDFT_ENOMEM, "no memory for times");
    for (int i = 0; i < t->n; i++) t->seconds[i] = NAN;
    ndft_status status = take_vectors(t);
    if (status == NDFT_OK) status = try_all(t);
    give_vectors_back(t);
    *best = status == NDFT_OK ? best_of(t) : -1;
    return status;
}

ndft_status ndft_measure_engines(ndft_plan *plan, unsigned ops, ndft_ranked *fastest)
{
    trials t = {.plan = plan, .ops = ops, .best_s = INFINITY};
    const int ranked = ndft_rank_engines(plan, ops, &t.ranked);
    int best = -1;
    ndft_status status = ranked ? NDFT_OK : plan->error.status;
    t.n = count_tried(&t, ranked);
    if (status == NDFT_OK) status = measure(&t, &best);
    if (best >= 0)
        *fastest = (ndft_ranked){t.ranked[best].candidate, t.seconds[best], "fastest as measured"};
    else if (status == NDFT_OK)
        status = ndft_fail(&plan->error, NDFT_ENOMEM,
                           "no memory or time to measure any of %d engines", t.n);
    free(t.seconds);
    free(t.ranked);
    return status;
}
