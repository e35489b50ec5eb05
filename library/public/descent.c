/* SPDX-License-Identifier: Apache-2.0 */
#include "descent.h"

#include "search.h"

#include <math.h>
#include <string.h>

enum { BESIDE = 5 };                 /* rows by which a setting is compared, at most */
static const double enough_s = 0.05, /* of such rows */
    much_slower = 1.5;               /* times the best */

/* Rows by which a setting is compared: fewer of what takes long, which varies less. */
static int rows_beside(const ndft_trial *trial)
{
    return (int)fmax(1, fmin(BESIDE, enough_s / trial->first_s));
}

/* Seconds of a setting, by what it takes beside the best engine. */
static ndft_status compare(const ndft_match *m, const ndft_trial *trial, int best, double *seconds)
{
    ndft_rival pair[2];
    bool queued;
    const int rows = rows_beside(&m->trial[best]);
    *seconds = trial->first_s;
    if (trial->first_s > much_slower * m->trial[best].first_s) return NDFT_OK;
    for (int r = 0; r < rows; r++) {
        NDFT_TRY(ndft_trial_row(&m->trials, trial, &pair[0].row[r], &queued));
        NDFT_TRY(ndft_trial_row(&m->trials, &m->trial[best], &pair[1].row[r], &queued));
    }
    *seconds = ndft_match_seconds(m, best) * ndft_rounds_ratio(&pair[0], &pair[1], rows).median;
    return NDFT_OK;
}

static ndft_status try_setting(const ndft_match *m, int best, ndft_setting *setting)
{
    const ndft_trials *t = &m->trials;
    ndft_trial trial = {.ranked.candidate = setting->candidate};
    setting->seconds = NAN;
    if (!ndft_serves_plan(t->plan, t->ops, &setting->candidate)) return NDFT_OK;
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
    const double each_s = 2 * (rows_beside(&m->trial[best]) + 1) * m->trial[best].first_s;
    for (int n; (n = ndft_search_next(s, next));)
        for (int i = 0; i < n; i++) {
            if (ndft_trials_left(&m->trials) < each_s) return NDFT_OK;
            ndft_setting setting = {.candidate = next[i]};
            NDFT_TRY(try_setting(m, best, &setting));
            NDFT_TRY(ndft_search_take(s, &setting, &m->trials.plan->error));
        }
    return NDFT_OK;
}

/* What the match found of an engine's settings. */
static ndft_status take_known(ndft_match *m, const ndft_registered *entry, ndft_search *s)
{
    for (int i = 0; i < m->n; i++) {
        const ndft_candidate *c = &m->trial[i].ranked.candidate;
        if (c->entry != entry) continue;
        m->trial[i].searched = true;
        if (!(m->trial[i].first_s > 0)) continue;
        const ndft_setting known = {.candidate = *c, .seconds = ndft_match_seconds(m, i)};
        NDFT_TRY(ndft_search_take(s, &known, &m->trials.plan->error));
    }
    return NDFT_OK;
}

static bool is_known(const ndft_match *m, const ndft_candidate *c)
{
    for (int i = 0; i < m->n; i++) {
        const ndft_candidate *known = &m->trial[i].ranked.candidate;
        if (known->entry == c->entry && !memcmp(known->knobs, c->knobs, sizeof c->knobs))
            return true;
    }
    return false;
}

ndft_status ndft_descend(ndft_match *m, int i, int best)
{
    ndft_search s;
    const ndft_candidate *own = &m->trial[i].ranked.candidate, *found = &s.best.candidate;
    ndft_search_begin(&s, own);
    ndft_status status = take_known(m, own->entry, &s);
    if (status == NDFT_OK) status = search(m, best, &s);
    if (!is_known(m, found))
        m->trial[m->n++] =
            (ndft_trial){.ranked.candidate = *found, .first_s = s.best.seconds, .searched = true};
    ndft_search_end(&s);
    return status;
}
