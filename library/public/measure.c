/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "match.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The engine that is the fastest on the very problem. Those that may be, by the errors that the
 * model knows of itself, have a match (match.h); then the knobs of those that came out on top are
 * searched (search.h), and the settings found are in another.
 */

enum { MOST_DESCENTS = 2, BESIDE = 5 /* rows by which a setting is compared */ };
static const double usual_limit_s = 2, much_slower = 1.5; /* of a setting: times the best */

/* Of the time that there is: until when plans are made, rounds run, knobs are searched. */
static const double plans = 0.4, rounds = 0.65, knobs = 0.85, whole = 1;

static bool serves_capacity(const ndft_plan *plan, unsigned ops, const ndft_candidate *c)
{
    return !plan->capacity ||
           ndft_check_promised(c->entry->variant, c->knobs, &plan->capacity->problem, ops,
                               plan->exec) == NDFT_OK;
}

/* With its knobs. */
static bool serves(ndft_plan *plan, unsigned ops, const ndft_candidate *c)
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
    double begin, limit_s;
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
        if (2 * match->trial[i].ranked.seconds < ndft_trials_left(&match->trials))
            NDFT_TRY(ndft_match_hold(match, i));
    return NDFT_OK;
}

/* Seconds of a setting, by what it takes beside the best engine. */
static ndft_status compare(const ndft_match *m, const ndft_trial *trial, int best, double *seconds)
{
    ndft_rival pair[2];
    *seconds = trial->first_s;
    if (trial->first_s > much_slower * m->trial[best].first_s) return NDFT_OK;
    for (int r = 0; r < BESIDE; r++) {
        NDFT_TRY(ndft_trial_row(&m->trials, trial, &pair[0].row[r]));
        NDFT_TRY(ndft_trial_row(&m->trials, &m->trial[best], &pair[1].row[r]));
    }
    *seconds = ndft_match_seconds(m, best) * ndft_rounds_ratio(&pair[0], &pair[1], BESIDE).median;
    return NDFT_OK;
}

static ndft_status try_setting(const ndft_match *m, int best, ndft_setting *setting)
{
    const ndft_trials *t = &m->trials;
    ndft_trial trial = {.ranked.candidate = setting->candidate};
    setting->seconds = NAN;
    if (!serves(t->plan, t->ops, &setting->candidate)) return NDFT_OK;
    const ndft_status status = ndft_trial_hold(t, &trial, ndft_trials_left(t) / NDFT_SEARCH_STEP);
    if (status == NDFT_EUNSUPPORTED || status == NDFT_ENOMEM) return NDFT_OK;
    NDFT_TRY(status);
    const ndft_status compared = compare(m, &trial, best, &setting->seconds);
    ndft_trial_drop(&trial);
    return compared;
}

static ndft_status search(const ndft_match *m, int best, ndft_search *s)
{
    ndft_candidate next[NDFT_SEARCH_STEP];
    const double each_s = 2 * (BESIDE + 1) * m->trial[best].first_s;
    for (int n; (n = ndft_search_next(s, next));)
        for (int i = 0; i < n; i++) {
            if (ndft_trials_left(&m->trials) < each_s) return NDFT_OK;
            ndft_setting setting = {.candidate = next[i]};
            NDFT_TRY(try_setting(m, best, &setting));
            NDFT_TRY(ndft_search_take(s, &setting, &m->trials.plan->error));
        }
    return NDFT_OK;
}

/* The best setting of trial i is one more trial, where it is another than the engine's own. */
static ndft_status descend(ndft_match *m, int i, int best)
{
    ndft_search s;
    const ndft_candidate *own = &m->trial[i].ranked.candidate, *found = &s.best.candidate;
    ndft_search_begin(&s, own);
    const ndft_status status = search(m, best, &s);
    if (memcmp(found->knobs, own->knobs, sizeof own->knobs) != 0)
        m->trial[m->n++] = (ndft_trial){.ranked.candidate = *found};
    ndft_search_end(&s);
    return status;
}

/* Of those that came out on top, or of all that there are. */
static ndft_status search_knobs(measuring *m, bool all)
{
    ndft_match *match = &m->match;
    const int n = match->n, best = ndft_match_winner(match);
    int descents = 0;
    give_time(m, knobs);
    for (int i = 0; i < n && (all || descents < MOST_DESCENTS); i++) {
        if (all ? match->trial[i].first_s <= 0 : match->rival[i].out) continue;
        NDFT_TRY(descend(match, i, best));
        descents++;
    }
    if (match->n == n) return NDFT_OK;
    give_time(m, whole);
    NDFT_TRY(hold_all(m, n));
    NDFT_TRY(ndft_match_play(match));
    for (int i = n; i < match->n && !match->rounds; i++) ndft_match_leave(match, i);
    return NDFT_OK;
}

static ndft_status decide(measuring *m)
{
    ndft_plan *plan = m->match.trials.plan;
    give_time(m, plans);
    NDFT_TRY(hold_all(m, 0));
    if (ndft_match_winner(&m->match) < 0)
        return ndft_fail(&plan->error, NDFT_ENOMEM,
                         "no memory or time to measure any of %d engines", m->match.n);
    give_time(m, rounds);
    NDFT_TRY(ndft_match_play(&m->match));
    return search_knobs(m, plan->mode == NDFT_EXHAUSTIVE);
}

static double limit_of(const ndft_plan *plan, unsigned ops)
{
    const double all = plan->time_limit_s > 0          ? plan->time_limit_s
                       : plan->mode == NDFT_EXHAUSTIVE ? INFINITY
                                                       : usual_limit_s;
    return all * __builtin_popcount(ops) / __builtin_popcount(plan->ops);
}

static ndft_status measure(measuring *m, ndft_plan *plan, unsigned ops, ndft_ranked *fastest)
{
    ndft_match *match = &m->match;
    const ndft_problem *p = &plan->problem->problem;
    m->begin = ndft_now_s();
    m->limit_s = limit_of(plan, ops);
    match->random.state = (uint64_t)(p->n_voxels + p->n_samples);
    ndft_status status = ndft_trials_begin(&match->trials, plan, ops);
    if (status == NDFT_OK) status = decide(m);
    const int best = status == NDFT_OK ? ndft_match_winner(match) : -1;
    if (best >= 0)
        *fastest = (ndft_ranked){.candidate = match->trial[best].ranked.candidate,
                                 .seconds = ndft_match_seconds(match, best),
                                 .why = "fastest as measured"};
    for (int i = 0; i < match->n; i++) ndft_match_leave(match, i);
    ndft_trials_end(&match->trials);
    return status;
}

/* An engine, and then with each other value of a knob that is to be tried. */
static void add(ndft_match *m, const ndft_ranked *engine)
{
    const ndft_variant *v = engine->candidate.entry->variant;
    m->trial[m->n++].ranked = *engine;
    for (int k = 0; k < v->n_knobs; k++)
        for (int c = 0; (v->tried >> k & 1) && c < v->knobs[k].n_candidates; c++) {
            if (v->knobs[k].candidates[c] == engine->candidate.knobs[k]) continue;
            m->trial[m->n].ranked = *engine;
            m->trial[m->n++].ranked.candidate.knobs[k] = v->knobs[k].candidates[c];
        }
}

/* Of all that may be added, and for each another setting. */
static size_t room_for(const ndft_ranked *ranked, int n)
{
    size_t room = 1;
    for (int i = 0; i < n; i++) {
        const ndft_variant *v = ranked[i].candidate.entry->variant;
        room += 2;
        for (int k = 0; k < v->n_knobs; k++)
            if (v->tried >> k & 1) room += 2 * (size_t)v->knobs[k].n_candidates;
    }
    return room;
}

/* Who may be the fastest, with what the estimates err by. */
static void take_contenders(ndft_match *m, const ndft_ranked *ranked, int n, bool all)
{
    enum { DEVIATIONS = 2 };
    double longest = INFINITY; /* that the fastest may take */
    for (int i = 0; i < n; i++)
        longest = fmin(longest, ranked[i].seconds * exp(DEVIATIONS * ranked[i].error));
    for (int i = 0; i < n; i++)
        if (all || ranked[i].seconds * exp(-DEVIATIONS * ranked[i].error) <= longest)
            add(m, &ranked[i]);
}

ndft_status ndft_measure_engines(ndft_plan *plan, unsigned ops, ndft_ranked *fastest)
{
    ndft_ranked *ranked = NULL;
    const int n = ndft_rank_engines(plan, ops, &ranked);
    const size_t room = room_for(ranked, n);
    measuring m = {.match = {.trial = calloc(room, sizeof *m.match.trial),
                             .rival = calloc(room, sizeof *m.match.rival),
                             .best_s = INFINITY}};
    ndft_status status = n ? NDFT_OK : plan->error.status;
    if (!m.match.trial || !m.match.rival)
        status = ndft_fail(&plan->error, NDFT_ENOMEM, "no memory for times");
    if (status == NDFT_OK) {
        take_contenders(&m.match, ranked, n, plan->mode == NDFT_EXHAUSTIVE);
        status = measure(&m, plan, ops, fastest);
    }
    free(m.match.trial);
    free(m.match.rival);
    free(ranked);
    return status;
}
