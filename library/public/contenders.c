/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"

#include <math.h>
#include <stdlib.h>

/* Who takes part in a match: those that may be the fastest, by the errors that the model knows of
 * itself. */

enum { DEVIATIONS = 2 }; /* of the logarithm of an estimate */

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

void ndft_match_add(ndft_match *m, const ndft_ranked *contender)
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
    ndft_match_add(m, setting);
    for (int k = 0; k < v->n_knobs; k++)
        for (int c = 0; (v->tried >> k & 1) && c < v->knobs[k].n_candidates; c++) {
            ndft_ranked other = *setting;
            other.candidate.knobs[k] = v->knobs[k].candidates[c];
            if (other.candidate.knobs[k] != setting->candidate.knobs[k]) ndft_match_add(m, &other);
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
        room += 2 * each * (size_t)ndft_settings(entry, false, settings);
    }
    return room;
}

/* An engine, by all settings that estimates tell apart: those that may be the fastest. */
static void add_settings(ndft_match *m, const ndft_ranked *engine, double longest, ndft_plan *plan,
                         unsigned ops)
{
    ndft_candidate settings[NDFT_MOST_SETTINGS];
    const int n = ndft_settings(engine->candidate.entry, plan->deterministic, settings);
    for (int i = 0; i < n; i++) {
        ndft_ranked one = *engine;
        one.candidate = settings[i];
        if (!ndft_serves_plan(plan, ops, &one.candidate)) continue;
        one.seconds =
            ndft_estimate_all(&one.candidate, &plan->problem->problem, ops, &plan->exec->device);
        if (one.seconds * exp(-DEVIATIONS * one.error) <= longest) add_tried(m, &one);
    }
}

/* What the fastest may take. */
static double longest_of(const ndft_plan *plan, const ndft_ranked *ranked, int n)
{
    double longest = INFINITY;
    for (int i = 0; i < n && plan->mode != NDFT_EXHAUSTIVE; i++)
        longest = fmin(longest, ranked[i].seconds * exp(DEVIATIONS * ranked[i].error));
    return longest;
}

ndft_status ndft_match_begin(ndft_match *m, ndft_plan *plan, unsigned ops)
{
    ndft_ranked *ranked = NULL;
    const int n = ndft_rank_engines(plan, ops, &ranked);
    const size_t room = room_for(ranked, n);
    *m = (ndft_match){.trial = calloc(room, sizeof *m->trial),
                      .rival = calloc(room, sizeof *m->rival)};
    const double longest = longest_of(plan, ranked, n);
    if (m->trial && m->rival)
        for (int i = 0; i < n; i++) add_settings(m, &ranked[i], longest, plan, ops);
    free(ranked);
    if (!n) return plan->error.status;
    return m->trial && m->rival ? NDFT_OK
                                : ndft_fail(&plan->error, NDFT_ENOMEM, "no memory for times");
}

void ndft_match_end(ndft_match *m)
{
    free(m->trial);
    free(m->rival);
}
