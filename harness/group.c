/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIVE = 16 }; /* plans that are timed against each other */

typedef struct group {
    ndft_fixture fixture;
    const ndft_group_options *options;
    const ndft_sink *sink;
    int n; /* candidates that passed, or ablate, and wait to be timed */
    const ndft_candidate *candidates[ALIVE];
    ndft_plan *plans[ALIVE];
    ndft_check checks[ALIVE];
    ndft_timing timings[ALIVE];
} group;

ndft_sampling ndft_sampling_of(const ndft_group_options *options, ndft_mode mode)
{
    ndft_sampling how = {.processes = options->processes};
    if (!options->timed) return how;
    how.mode = ndft_mode_name(mode);
    how.min_time_s = ndft_steady_time(mode, &options->timing);
    return how;
}

static void emit(const group *g, const ndft_candidate *candidate, const ndft_check *check,
                 const ndft_timing *timing)
{
    const ndft_problem *p = &g->fixture.made->problem;
    ndft_op op = g->fixture.op;
    ndft_result result = {.problem = g->fixture.problem,
                          .candidate = candidate,
                          .device = &g->fixture.exec->device,
                          .threads = g->fixture.exec->threads,
                          .how = ndft_sampling_of(g->options, g->options->timing.mode),
                          .check = *check,
                          .timing = timing,
                          .coil_pairs = g->fixture.kind->useful(p, op)};
    if (check->verdict != NDFT_UNSUPPORTED && check->verdict != NDFT_NOT_BUILT)
        result.cost = ndft_executed_cost(candidate->entry->variant, p, op, candidate->knobs);
    g->sink->take(g->sink->context, &result);
}

/* What an execution reads and writes, if it needs all that its plan holds. */
static double working_set(const group *g, int i)
{
    const ndft_fixture *fixture = &g->fixture;
    const ndft_side in = ndft_side_in(fixture->op), out = ndft_side_out(fixture->op);
    const double vectors =
        (double)fixture->bytes[in] + (double)(fixture->in_place ? 0 : fixture->bytes[out]);
    return vectors + g->checks[i].plan_bytes;
}

/* Emits a candidate that could be timed; ended: why timing ended for all. Those whose samples were
 * looked at again, complete or only interrupted, keep them where they held; those that lost the
 * device through no fault of theirs have no result. */
static void conclude(group *g, int i, ndft_status ended)
{
    const ndft_timing *timing = g->timings[i].rechecked ? &g->timings[i] : NULL;
    g->timings[i].working_set_bytes = working_set(g, i);
    if (g->timings[i].failed[0]) {
        bool lost = !strcmp(g->timings[i].stop, "lost");
        ndft_set_verdict(&g->checks[i], lost ? NDFT_CRASHED : NDFT_ERROR, "while timing: %s",
                         g->timings[i].failed);
        timing = NULL;
    } else if (ended != NDFT_OK && !timing) {
        return;
    }
    if (g->checks[i].verdict == NDFT_WRONG) timing = NULL;
    emit(g, g->candidates[i], &g->checks[i], timing);
}

/* Times the waiting candidates. Those that do not keep their input leave none to the next check. */
static ndft_status time_all(group *g)
{
    NDFT_TRY(ndft_measure(&g->fixture, g->candidates, g->plans, g->checks, g->n,
                          &g->options->timing, g->timings));
    for (int i = 0; i < g->n; i++)
        if (g->candidates[i]->entry->variant->claim.overwrites_input)
            return ndft_fixture_restore(&g->fixture, ndft_side_in(g->fixture.op));
    return NDFT_OK;
}

/* Releases the plans of the waiting candidates, and emits those that have a result. */
static ndft_status conclude_all(group *g, ndft_status ended)
{
    for (int i = 0; i < g->n; i++) {
        ndft_watch_phase(g->fixture.watch, g->candidates[i], NDFT_PHASE_TIME, NAN);
        ndft_plan_destroy(g->plans[i]);
        conclude(g, i, ended);
    }
    g->n = 0;
    return ended;
}

/* Times the waiting candidates. A device that is lost on the way ends the group. */
static ndft_status flush(group *g) { return conclude_all(g, g->n ? time_all(g) : NDFT_OK); }

/* Emits a candidate that will not be timed. Fails when an error of its has left the device
 * unusable: it crashed, and what follows would be blamed on others. */
static ndft_status dismiss(group *g, const ndft_candidate *candidate, ndft_check *result)
{
    ndft_status status =
        result->verdict == NDFT_ERROR ? g->fixture.backend->sync(g->fixture.exec) : NDFT_OK;
    if (status != NDFT_OK) result->verdict = NDFT_CRASHED;
    ndft_plan_destroy(g->plans[g->n]);
    emit(g, candidate, result, NULL);
    return status;
}

/* What can be checked but not timed as asked. */
static bool suits_the_mode(const group *g, const ndft_candidate *candidate, ndft_check *check)
{
    const ndft_variant *v = candidate->entry->variant;
    *check = ndft_check_blank();
    const char *why = v && g->options->timed ? ndft_mode_unsupported(g->options->timing.mode,
                                                                     g->fixture.instruments, v)
                                             : NULL;
    return !why || ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", why);
}

/* Checks one candidate; for want of memory, again with no other plan alive. Fails when the plan
 * finds the case itself wrong. */
static ndft_status check(group *g, const ndft_candidate *candidate)
{
    double limit_s = g->options->timing.limit_s;
    ndft_status plan_status;
    ndft_check result;
    if (!suits_the_mode(g, candidate, &result)) {
        emit(g, candidate, &result, NULL);
        return NDFT_OK;
    }
    if (g->n == ALIVE) NDFT_TRY(flush(g));
    result = ndft_check_run(&g->fixture, candidate, limit_s, &g->plans[g->n], &plan_status);
    if (plan_status == NDFT_EINVAL) return plan_status;
    if (plan_status == NDFT_ENOMEM && g->n) {
        NDFT_TRY(flush(g));
        return check(g, candidate);
    }
    if (!g->plans[g->n] || !g->options->timed) return dismiss(g, candidate, &result);
    ndft_check_plan_again(&g->fixture, candidate, &result);
    g->candidates[g->n] = candidate;
    g->timings[g->n] = (ndft_timing){0};
    g->checks[g->n++] = result;
    return NDFT_OK;
}

static ndft_status check_and_time(group *g, const ndft_candidate *candidates, int n)
{
    const volatile sig_atomic_t *interrupted = g->options->timing.interrupted;
    ndft_status status = NDFT_OK;
    for (int i = 0; i < n && status == NDFT_OK; i++)
        status = interrupted && *interrupted ? NDFT_EINTR : check(g, &candidates[i]);
    if (status == NDFT_EINVAL) return conclude_all(g, status);
    ndft_status flushed = flush(g);
    return status == NDFT_OK ? flushed : status;
}

/* One verdict for all candidates, without a device. */
static void refuse(const ndft_case *problem, const ndft_candidate *candidates, int n,
                   const ndft_group_options *options, const char *why, const ndft_sink *sink)
{
    for (int i = 0; i < n; i++) {
        ndft_result result = {.problem = problem,
                              .candidate = &candidates[i],
                              .how = ndft_sampling_of(options, options->timing.mode),
                              .check = ndft_check_blank()};
        ndft_set_verdict(&result.check,
                         candidates[i].entry->variant ? NDFT_UNSUPPORTED : NDFT_NOT_BUILT, "%s",
                         why);
        sink->take(sink->context, &result);
    }
}

static ndft_status run_made(const ndft_kind *kind, const ndft_case *problem, const ndft_made *made,
                            const ndft_backend *backend, const ndft_candidate *candidates, int n,
                            const ndft_group_options *options, const ndft_sink *sink,
                            ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    group *g = calloc(1, sizeof *g);
    ndft_status status = g ? ndft_fixture_open(kind, problem, made, backend, exec, &g->fixture)
                           : ndft_fail(err, NDFT_ENOMEM, "no host memory for a group");
    if (status == NDFT_OK) {
        g->fixture.watch = options->watch;
        g->fixture.reference_s = 2 * options->timing.limit_s;
        g->options = options;
        g->sink = sink;
        status = check_and_time(g, candidates, n);
        ndft_fixture_close(&g->fixture);
    } else if (g && status == NDFT_ENOMEM) {
        refuse(problem, candidates, n, options, err->message, sink);
        status = NDFT_OK;
    }
    free(g);
    backend->close(exec);
    if (status == NDFT_EINTR) ndft_fail(err, NDFT_EINTR, "interrupted");
    return status;
}

ndft_status ndft_run_group(const ndft_kind *kind, const ndft_case *problem,
                           const ndft_backend *backend, const ndft_candidate *candidates, int n,
                           const ndft_group_options *options, const ndft_sink *sink,
                           ndft_error *err)
{
    if (backend->missing()) {
        refuse(problem, candidates, n, options, backend->missing(), sink);
        return NDFT_OK;
    }
    ndft_made made;
    ndft_watch_phase(options->watch, NULL, NDFT_PHASE_MAKE, NAN);
    NDFT_TRY(kind->make(problem, &made, err));
    ndft_status status = run_made(kind, problem, &made, backend, candidates, n, options, sink, err);
    ndft_made_free(&made);
    return status;
}
