/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "descent.h"
#include "estimate.h"

#include <math.h>
#include <stdlib.h>

/*
 * The engine that is the fastest on the very problem. Those that may be, by the errors that the
 * model knows of itself, have a match (match.h); then the knobs of those that came out on top are
 * searched (descent.h), and the settings found are in another. Where executions take too long for
 * that, it is done with a part of the coils, and those that come out on top of it, each by how much
 * longer all coils take it by estimate, have a match with all of them.
 */

enum { MOST_DESCENTS = 2 };
static const double usual_limit_s = 2;

/* Of the time that there is: what an execution may take before a part of the coils is tried, and
 * how long that may last. */
static const double too_long = 0.02, preliminary = 0.7;
enum { LEAST_COILS = 4 };
enum { DEVIATIONS = 2 }; /* of the logarithm of an estimate, within which one may be the fastest */
static const double on_top = 1.1; /* times the best */

/* Of the time that there is: until when plans are made, rounds run, knobs are searched. */
static const double plans = 0.4, rounds = 0.65, knobs = 0.85, whole = 1;

static bool serves_capacity(const ndft_plan *plan, unsigned ops, const ndft_candidate *c)
{
    return !plan->capacity ||
           ndft_check_promised(c->entry->variant, c->knobs, &plan->capacity->problem, ops,
                               plan->exec) == NDFT_OK;
}

bool ndft_serves_plan(ndft_plan *plan, unsigned ops, const ndft_candidate *c)
{
    ndft_error why = {.status = NDFT_OK};
    return ndft_serves(c, &plan->problem->problem, ops, &plan->exec->device, plan->deterministic,
                       &why) &&
           serves_capacity(plan, ops, c);
}

int ndft_rank_engines(ndft_plan *plan, unsigned ops, ndft_ranked **ranked)
{
    const ndft_owned *problem = plan->problem;
    const int all = ndft_rank(problem->kind, &problem->problem, ops, &plan->exec->device,
                              plan->deterministic, ranked, &plan->error);
    int n = 0;
    for (int i = 0; i < all; i++)
        if (serves_capacity(plan, ops, &(*ranked)[i].candidate)) (*ranked)[n++] = (*ranked)[i];
    return n;
}

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
static int next_engine(const ndft_match *m, int n, bool all, const bool *searched)
{
    int next = -1;
    for (int i = 0; i < n; i++) {
        if (searched[i] || (all ? m->trial[i].first_s <= 0 : m->rival[i].out)) continue;
        if (next < 0 || ndft_match_seconds(m, i) < ndft_match_seconds(m, next)) next = i;
    }
    return next;
}

static ndft_status search_engines(ndft_match *m, bool all, bool *searched)
{
    const int n = m->n, best = ndft_match_winner(m);
    int engine = best;
    for (int done = 0; engine >= 0 && (all || done < MOST_DESCENTS); done++) {
        const ndft_registered *entry = m->trial[engine].ranked.candidate.entry;
        for (int i = 0; i < n; i++)
            searched[i] = searched[i] || m->trial[i].ranked.candidate.entry == entry;
        NDFT_TRY(ndft_descend(m, engine, best));
        engine = next_engine(m, n, all, searched);
    }
    return NDFT_OK;
}

static ndft_status search_knobs(measuring *m, bool all)
{
    ndft_match *match = &m->match;
    const int n = match->n;
    bool *searched = calloc((size_t)n, sizeof *searched);
    if (!searched)
        return ndft_fail(&match->trials.plan->error, NDFT_ENOMEM, "no memory for a list");
    give_time(m, knobs);
    const ndft_status status = search_engines(match, all, searched);
    free(searched);
    return status != NDFT_OK || match->n == n ? status : settle(m, n);
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
    return m->searches ? search_knobs(m, plan->mode == NDFT_EXHAUSTIVE) : NDFT_OK;
}

static double limit_of(const ndft_plan *plan, unsigned ops)
{
    const double all = plan->time_limit_s > 0          ? plan->time_limit_s
                       : plan->mode == NDFT_EXHAUSTIVE ? INFINITY
                                                       : usual_limit_s;
    return all * __builtin_popcount(ops) / __builtin_popcount(plan->ops);
}

/* What comes of a problem, the plan's or with fewer coils. */
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

/* The plan's problem, with fewer coils where its executions are estimated to take too long. */
static ndft_problem with_few_coils(const ndft_problem *p, double execution_s, double limit_s)
{
    ndft_problem few = *p;
    while (few.coils > LEAST_COILS && execution_s * few.coils > too_long * limit_s * p->coils)
        few.coils = (few.coils + 1) / 2;
    return few;
}

static int faster(const void *a, const void *b)
{
    const double x = ((const ndft_trial *)a)->ranked.seconds;
    const double y = ((const ndft_trial *)b)->ranked.seconds;
    return (x > y) - (x < y);
}

/* Those on top of a match with fewer coils, the best first, and what all coils take them. */
static void keep_top(ndft_match *m, const ndft_problem *few, const ndft_plan *plan, unsigned ops)
{
    const ndft_device *device = &plan->exec->device;
    int n = 0, top = 0;
    for (int i = 0; i < m->n; i++) {
        if (m->rival[i].out) continue; /* or was never held */
        ndft_ranked *r = &m->trial[i].ranked;
        r->seconds = m->trial[i].first_s *
                     ndft_estimate_all(&r->candidate, &plan->problem->problem, ops, device) /
                     ndft_estimate_all(&r->candidate, few, ops, device);
        m->trial[i].first_s = r->seconds;
        m->trial[n++] = m->trial[i];
    }
    qsort(m->trial, (size_t)n, sizeof *m->trial, faster);
    while (top < n && m->trial[top].ranked.seconds <= on_top * m->trial[0].ranked.seconds) top++;
    m->n = top;
}

static ndft_status measure_all(measuring *m, ndft_plan *plan, unsigned ops)
{
    const double limit_s = limit_of(plan, ops);
    const ndft_problem *p = &plan->problem->problem;
    const ndft_problem few = with_few_coils(p, m->match.trial[0].ranked.seconds, limit_s);
    m->limit_s = limit_s;
    m->searches = true;
    if (few.coils < p->coils) {
        m->limit_s = preliminary * limit_s;
        NDFT_TRY(measure(m, plan, &few, ops));
        keep_top(&m->match, &few, plan, ops);
        m->best = 0;
        m->limit_s = limit_s - m->limit_s;
        m->searches = false;
        if (m->match.n * m->match.trial[0].ranked.seconds > m->limit_s) return NDFT_OK;
    }
    return measure(m, plan, p, ops);
}

/* Behind all that are estimated to take no longer. */
static void add(ndft_match *m, const ndft_ranked *contender)
{
    int i = m->n++;
    for (; i > 0 && m->trial[i - 1].ranked.seconds > contender->seconds; i--)
        m->trial[i] = m->trial[i - 1];
    m->trial[i] = (ndft_trial){.ranked = *contender};
}

/* A setting of an engine, and then with each other value of a knob that is to be tried. */
static void add_tried(ndft_match *m, const ndft_ranked *setting)
{
    const ndft_variant *v = setting->candidate.entry->variant;
    add(m, setting);
    for (int k = 0; k < v->n_knobs; k++)
        for (int c = 0; (v->tried >> k & 1) && c < v->knobs[k].n_candidates; c++) {
            ndft_ranked other = *setting;
            other.candidate.knobs[k] = v->knobs[k].candidates[c];
            if (other.candidate.knobs[k] != setting->candidate.knobs[k]) add(m, &other);
        }
}

/* Of all that may be added, and for each another setting. */
static size_t room_for(const ndft_ranked *ranked, int n)
{
    ndft_candidate settings[NDFT_MOST_SETTINGS];
    size_t room = 1;
    for (int i = 0; i < n; i++) {
        const ndft_registered *entry = ranked[i].candidate.entry;
        size_t each = 1;
        for (int k = 0; k < entry->variant->n_knobs; k++)
            if (entry->variant->tried >> k & 1)
                each += (size_t)entry->variant->knobs[k].n_candidates;
        room += 2 * each * (size_t)ndft_settings(entry, settings);
    }
    return room;
}

/* An engine, by all settings that estimates tell apart: those that may be the fastest. */
static void add_settings(ndft_match *m, const ndft_ranked *engine, double longest, ndft_plan *plan,
                         unsigned ops)
{
    ndft_candidate settings[NDFT_MOST_SETTINGS];
    const int n = ndft_settings(engine->candidate.entry, settings);
    for (int i = 0; i < n; i++) {
        ndft_ranked one = *engine;
        one.candidate = settings[i];
        if (!ndft_serves_plan(plan, ops, &one.candidate)) continue;
        one.seconds =
            ndft_estimate_all(&one.candidate, &plan->problem->problem, ops, &plan->exec->device);
        if (one.seconds * exp(-DEVIATIONS * one.error) <= longest) add_tried(m, &one);
    }
}

/* Who may be the fastest, with what the estimates err by. */
static void take_contenders(ndft_match *m, const ndft_ranked *ranked, int n, ndft_plan *plan,
                            unsigned ops)
{
    double longest = INFINITY; /* that the fastest may take */
    for (int i = 0; i < n && plan->mode != NDFT_EXHAUSTIVE; i++)
        longest = fmin(longest, ranked[i].seconds * exp(DEVIATIONS * ranked[i].error));
    for (int i = 0; i < n; i++) add_settings(m, &ranked[i], longest, plan, ops);
}

ndft_status ndft_measure_engines(ndft_plan *plan, unsigned ops, ndft_ranked *fastest)
{
    ndft_ranked *ranked = NULL;
    const int n = ndft_rank_engines(plan, ops, &ranked);
    const size_t room = room_for(ranked, n);
    measuring m = {.match = {.trial = calloc(room, sizeof *m.match.trial),
                             .rival = calloc(room, sizeof *m.match.rival)}};
    ndft_status status = n ? NDFT_OK : plan->error.status;
    if (!m.match.trial || !m.match.rival)
        status = ndft_fail(&plan->error, NDFT_ENOMEM, "no memory for times");
    if (status == NDFT_OK) {
        take_contenders(&m.match, ranked, n, plan, ops);
        status = measure_all(&m, plan, ops);
    }
    const ndft_trial *best = &m.match.trial[m.best];
    if (status == NDFT_OK)
        *fastest = (ndft_ranked){.candidate = best->ranked.candidate,
                                 .seconds = best->first_s,
                                 .why = "fastest as measured"};
    free(m.match.trial);
    free(m.match.rival);
    free(ranked);
    return status;
}
