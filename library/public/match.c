/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"

#include "order.h"

#include <math.h>
#include <stdlib.h>

/* Times the best; of what takes long one execution says more. */
static const double hopeless = 4, hopeless_if_long = 1.25;

void ndft_match_leave(ndft_match *m, int i)
{
    ndft_trial_drop(&m->trial[i]);
    m->rival[i].out = true;
}

int ndft_match_winner(const ndft_match *m)
{
    if (m->rounds) return ndft_rounds_winner(m->rival, m->n, m->rounds);
    int best = -1;
    for (int i = 0; i < m->n; i++)
        if (!m->rival[i].out && (best < 0 || m->trial[i].first_s < m->trial[best].first_s))
            best = i;
    return best;
}

double ndft_match_seconds(const ndft_match *m, int i)
{
    ndft_rival second;
    for (int r = 0; r < m->rounds; r++) second.row[r] = 1;
    return m->rounds && m->trial[i].held
               ? ndft_rounds_ratio(&m->rival[i], &second, m->rounds).median
               : m->trial[i].first_s;
}

void ndft_match_conclude(ndft_match *m)
{
    for (int i = 0; i < m->n; i++) m->trial[i].first_s = ndft_match_seconds(m, i);
    m->rounds = 0;
}

bool ndft_match_has_time(const ndft_match *m)
{
    double round_s = 0;
    for (int i = 0; i < m->n; i++)
        if (!m->rival[i].out) round_s += ndft_trial_row_s(&m->trials, &m->trial[i]);
    return NDFT_LEAST_ROUNDS * round_s < ndft_trials_left(&m->trials);
}

/* *whole: time was left for all of it. */
static ndft_status run_round(ndft_match *m, const int *order, bool *whole)
{
    for (int i = 0; i < m->n; i++) {
        ndft_rival *rival = &m->rival[order[i]];
        if (rival->out) continue;
        *whole = ndft_trials_left(&m->trials) > 0;
        if (!*whole) return NDFT_OK;
        bool queued;
        NDFT_TRY(ndft_trial_row(&m->trials, &m->trial[order[i]], &rival->row[m->rounds], &queued));
        rival->queued += queued;
    }
    return NDFT_OK;
}

ndft_status ndft_match_play(ndft_match *m)
{
    ndft_status status = NDFT_OK;
    bool whole = true, settled = false;
    int *order = calloc((size_t)m->n, sizeof *order);
    if (!order) return ndft_fail(&m->trials.plan->error, NDFT_ENOMEM, "no memory for an order");
    for (int i = 0; i < m->n; i++) m->rival[i].queued = 0;
    for (m->rounds = 0; !settled && m->rounds < NDFT_MOST_ROUNDS; m->rounds++) {
        ndft_order_round(order, m->n, m->rounds, &m->random);
        status = run_round(m, order, &whole);
        if (status != NDFT_OK || !whole) break;
        settled = ndft_rounds_settle(m->rival, m->n, m->rounds + 1);
    }
    free(order);
    for (int i = 0; i < m->n; i++)
        if (m->rival[i].out) ndft_match_leave(m, i);
    return status;
}

ndft_status ndft_match_play_device(ndft_match *m)
{
    const int winner = ndft_match_winner(m);
    if (winner < 0 || 2 * m->rival[winner].queued <= m->rounds) return NDFT_OK;
    NDFT_TRY(ndft_trials_put_gate(&m->trials));
    return m->trials.gate.seconds > 0 && ndft_match_has_time(m) ? ndft_match_play(m) : NDFT_OK;
}

/* The best of those that are held so far stays. */
static ndft_status make_room(ndft_match *m)
{
    NDFT_TRY(ndft_match_play(m));
    const int best = ndft_match_winner(m);
    m->rounds = 0;
    for (int i = 0; i < m->n; i++)
        if (i != best) ndft_match_leave(m, i);
    return NDFT_OK;
}

ndft_status ndft_match_hold(ndft_match *m, int i)
{
    ndft_trial *trial = &m->trial[i];
    const double patience_s = ndft_trials_left(&m->trials) / (m->n - i);
    ndft_status status = ndft_trial_hold(&m->trials, trial, patience_s);
    if (status == NDFT_ENOMEM && ndft_match_winner(m) >= 0) {
        NDFT_TRY(make_room(m));
        status = ndft_trial_hold(&m->trials, trial, patience_s);
    }
    if (status == NDFT_EUNSUPPORTED || status == NDFT_ENOMEM) return NDFT_OK;
    NDFT_TRY(status);
    const double most = ndft_trial_is_long(trial) ? hopeless_if_long : hopeless;
    m->rival[i].out = trial->first_s > most * m->best_s;
    if (m->rival[i].out) ndft_match_leave(m, i);
    m->best_s = fmin(m->best_s, trial->first_s);
    return NDFT_OK;
}
