/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "descent.h"
#include "estimate.h"
#include "structure.h"

#include <math.h>

/*
 * The engine that is the fastest on the very problem. Those that may be, by the errors that the
 * model knows of itself, have a match (match.h); then the knobs of those that came out on top are
 * searched (descent.h), and the settings found are in another. Where executions take too long for
 * that, it is done with a part of the coils and of the samples, and those that come out on top,
 * each by how much longer all of them take it by estimate, have a match on the whole problem.
 */

enum { MOST_DESCENTS = 2 };
static const double usual_limit_s = 2;

/* Of the time that there is: what an execution may take before a part of the problem is tried, and
 * how long that may last. */
static const double too_long = 0.02, preliminary = 0.7;
enum { LEAST_COILS = 4, LEAST_SAMPLES = 1 << 15 };
static const double on_top = 1.1; /* times the best */

/* Of the time that there is: until when plans are made, rounds run, knobs are searched. */
static const double plans = 0.4, rounds = 0.65, knobs = 0.85, whole = 1;

typedef struct measuring {
    ndft_match match;
    int best; /* trial */
    double begin, limit_s;
    bool searches; /* knobs */
} measuring;

static void give_time(measuring *m, double share)
{
    m->match.trials.ends = m->begin + share * m->limit_s;
}

static ndft_status hold_all(measuring *m, int from)
{
    ndft_match *match = &m->match;
    for (int i = from; i < match->n; i++) match->rival[i].out = true;
    for (int i = from; i < match->n; i++)
        if (match->trial[i].ranked.seconds < ndft_trials_left(&match->trials))
            NDFT_TRY(ndft_match_hold(match, i));
    return NDFT_OK;
}

/* Settings that were found, beside the engines that are held; by what the search says where no time
 * is left for rounds. */
static ndft_status settle(measuring *m, int found)
{
    ndft_match *match = &m->match;
    give_time(m, whole);
    if (!ndft_match_has_time(match)) {
        ndft_match_conclude(match);
        return NDFT_OK;
    }
    NDFT_TRY(hold_all(m, found));
    NDFT_TRY(ndft_match_play(match));
    for (int i = found; i < match->n && !match->rounds; i++) ndft_match_leave(match, i);
    return NDFT_OK;
}

/* The fastest trial of an engine whose knobs were not searched, of those that came out on top or of
 * all; -1: none is left. */
static int next_engine(const ndft_match *m, bool all)
{
    int next = -1;
    for (int i = 0; i < m->n; i++) {
        if (m->trial[i].searched || (all ? m->trial[i].first_s <= 0 : m->rival[i].out)) continue;
        if (next < 0 || ndft_match_seconds(m, i) < ndft_match_seconds(m, next)) next = i;
    }
    return next;
}

static ndft_status search_knobs(measuring *m, bool all)
{
    ndft_match *match = &m->match;
    const int n = match->n, best = ndft_match_winner(match);
    int engine = best;
    give_time(m, knobs);
    for (int done = 0; engine >= 0 && (all || done < MOST_DESCENTS); done++) {
        NDFT_TRY(ndft_descend(match, engine, best));
        engine = next_engine(match, all);
    }
    return match->n == n ? NDFT_OK : settle(m, n);
}

static ndft_status decide(measuring *m)
{
    ndft_plan *plan = m->match.trials.plan;
    give_time(m, m->searches ? plans : whole);
    NDFT_TRY(hold_all(m, 0));
    if (ndft_match_winner(&m->match) < 0)
        return ndft_fail(&plan->error, NDFT_ENOMEM,
                         "no memory or time to measure any of %d engines", m->match.n);
    give_time(m, m->searches ? rounds : whole);
    if (ndft_match_has_time(&m->match)) NDFT_TRY(ndft_match_play(&m->match));
    NDFT_TRY(ndft_match_play_device(&m->match));
    return m->searches ? search_knobs(m, plan->mode == NDFT_EXHAUSTIVE) : NDFT_OK;
}

static double limit_of(const ndft_plan *plan, unsigned ops)
{
    const double all = plan->time_limit_s > 0          ? plan->time_limit_s
                       : plan->mode == NDFT_EXHAUSTIVE ? INFINITY
                                                       : usual_limit_s;
    return all * __builtin_popcount(ops) / __builtin_popcount(plan->ops);
}

/* What comes of a problem, the plan's or a part of it. */
static ndft_status measure(measuring *m, ndft_plan *plan, const ndft_problem *p, unsigned ops)
{
    ndft_match *match = &m->match;
    m->begin = ndft_now_s();
    match->random.state = (uint64_t)(p->n_voxels + p->n_samples);
    match->best_s = INFINITY;
    ndft_status status = ndft_trials_begin(&match->trials, plan, p, ops);
    if (status == NDFT_OK) status = decide(m);
    m->best = status == NDFT_OK ? ndft_match_winner(match) : 0;
    ndft_match_conclude(match);
    for (int i = 0; i < match->n; i++) ndft_trial_drop(&match->trial[i]);
    ndft_trials_end(&match->trials);
    return status;
}

/* Of a problem as much as does not take too long, coils before samples; the smallest part may. */
static ndft_status take_part(ndft_problem *p, double execution_s, double most_s, ndft_error *err)
{
    const int64_t samples = p->n_samples;
    double coils = p->coils;
    while (p->coils > LEAST_COILS && execution_s * p->coils / coils > most_s)
        p->coils = (p->coils + 1) / 2;
    execution_s *= p->coils / coils;
    for (; p->n_samples >= 2 * LEAST_SAMPLES && execution_s > most_s; execution_s /= 2)
        p->n_samples /= 2;
    return p->n_samples < samples ? ndft_structure_find(p, NULL, err) : NDFT_OK;
}

/* Those on top of a match on a part, the best first, and what the whole takes them. */
static void keep_top(ndft_match *m, const ndft_problem *part, const ndft_plan *plan, unsigned ops)
{
    const ndft_device *device = &plan->exec->device;
    const int n = m->n;
    m->n = 0;
    for (int i = 0; i < n; i++) {
        if (m->rival[i].out) continue; /* or was never held */
        ndft_ranked r = m->trial[i].ranked;
        r.seconds = m->trial[i].first_s *
                    ndft_estimate_all(&r.candidate, &plan->problem->problem, ops, device) /
                    ndft_estimate_all(&r.candidate, part, ops, device);
        ndft_match_add(m, &r);
    }
    while (m->trial[m->n - 1].ranked.seconds > on_top * m->trial[0].ranked.seconds) m->n--;
    m->trial[0].first_s = m->trial[0].ranked.seconds;
}

static ndft_status measure_part(measuring *m, ndft_plan *plan, const ndft_problem *part,
                                unsigned ops)
{
    for (int i = 0; i < m->match.n; i++) {
        ndft_ranked *r = &m->match.trial[i].ranked;
        r->seconds = ndft_estimate_all(&r->candidate, part, ops, &plan->exec->device);
    }
    NDFT_TRY(measure(m, plan, part, ops));
    keep_top(&m->match, part, plan, ops);
    m->best = 0;
    return NDFT_OK;
}

static ndft_status measure_all(measuring *m, ndft_plan *plan, unsigned ops)
{
    const double limit_s = limit_of(plan, ops), execution_s = m->match.trial[0].ranked.seconds;
    const ndft_problem *p = &plan->problem->problem;
    m->limit_s = limit_s;
    m->searches = true;
    if (plan->problem->kind != NDFT_NONUNIFORM || execution_s <= too_long * limit_s)
        return measure(m, plan, p, ops);
    ndft_problem part = *p;
    NDFT_TRY(take_part(&part, execution_s, too_long * limit_s, &plan->error));
    if (part.coils < p->coils || part.n_samples < p->n_samples) {
        m->limit_s = preliminary * limit_s;
        NDFT_TRY(measure_part(m, plan, &part, ops));
        m->limit_s = limit_s - m->limit_s;
        m->searches = false;
        if (m->match.n * m->match.trial[0].ranked.seconds > m->limit_s) return NDFT_OK;
    }
    return measure(m, plan, p, ops);
}

ndft_status ndft_measure_engines(ndft_plan *plan, unsigned ops, ndft_ranked *fastest)
{
    measuring m = {0};
    ndft_status status = ndft_match_begin(&m.match, plan, ops);
    if (status == NDFT_OK) status = measure_all(&m, plan, ops);
    if (status == NDFT_OK) {
        const ndft_trial *best = &m.match.trial[m.best];
        *fastest = (ndft_ranked){.candidate = best->ranked.candidate,
                                 .seconds = best->first_s,
                                 .why = "fastest as measured"};
    }
    ndft_match_end(&m.match);
    return status;
}
