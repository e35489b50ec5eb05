/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include "traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double faster = 0.995; /* less is noise */
enum { SLOWER_IN_A_ROW = 2 };

void ndft_search_begin(ndft_search *s, const ndft_candidate *start)
{
    *s = (ndft_search){.entry = start->entry, .best = {.candidate = *start, .seconds = NAN}};
}

void ndft_search_end(ndft_search *s)
{
    free(s->tried);
    *s = (ndft_search){0};
}

ndft_status ndft_search_take(ndft_search *s, const ndft_setting *run, ndft_error *err)
{
    ndft_setting *tried = realloc(s->tried, (size_t)(s->n + 1) * sizeof *tried);
    if (!tried) return ndft_fail(err, NDFT_ENOMEM, "no memory for the settings tried");
    s->tried = tried;
    tried[s->n++] = *run;
    if (!(run->seconds > 0)) return NDFT_OK;
    if (isnan(s->best.seconds) || run->seconds < faster * s->best.seconds) s->best = *run;
    return NDFT_OK;
}

/* The best setting with another value of one knob. */
static ndft_candidate with(const ndft_search *s, int knob, int value)
{
    ndft_candidate candidate = s->best.candidate;
    candidate.knobs[knob] = value;
    ndft_knobs_settle(s->entry, candidate.knobs);
    return candidate;
}

static const ndft_setting *find(const ndft_search *s, int knob, int value)
{
    ndft_candidate wanted = with(s, knob, value);
    for (int i = 0; i < s->n; i++)
        if (!memcmp(s->tried[i].candidate.knobs, wanted.knobs, sizeof wanted.knobs))
            return &s->tried[i];
    return NULL;
}

/* The candidate of the knob nearest to from on one side; false when there is none. */
static bool step(const ndft_knob *knob, int from, int side, int *value)
{
    bool found = false;
    for (int i = 0; i < knob->n_candidates; i++) {
        int v = knob->candidates[i];
        if ((v - from) * side <= 0 || (found && (*value - v) * side <= 0)) continue;
        *value = v;
        found = true;
    }
    return found;
}

/* Walks outwards from the best value over what was tried, to the first value that was not. */
static bool coarse(const ndft_search *s, int k, int side, int *value)
{
    const ndft_knob *knob = &s->entry->variant->knobs[k];
    int slower = 0;
    *value = s->best.candidate.knobs[k];
    while (slower < SLOWER_IN_A_ROW && step(knob, *value, side, value)) {
        const ndft_setting *run = find(s, k, *value);
        if (!run) return true;
        if (run->failed) return false;
        if (run->seconds > 0) slower++;
    }
    return false;
}

int ndft_knob_grain(const ndft_knob *knob)
{
    int divisor = 0;
    for (int i = 0; i < knob->n_candidates; i++)
        for (int a = knob->candidates[i]; a;) {
            int rest = divisor % a;
            divisor = a;
            a = rest;
        }
    return divisor ? divisor : 1;
}

/* The nearest value on one side that is a candidate or was tried with these other knobs. */
static bool neighbour(const ndft_search *s, int k, int side, int *value)
{
    int best = s->best.candidate.knobs[k];
    bool found = step(&s->entry->variant->knobs[k], best, side, value);
    for (int i = 0; i < s->n; i++) {
        int v = s->tried[i].candidate.knobs[k];
        if ((v - best) * side <= 0 || (found && (*value - v) * side <= 0)) continue;
        if (!find(s, k, v)) continue;
        *value = v;
        found = true;
    }
    return found;
}

/* Halfway to the neighbour, on the grid; nothing once the gap is an eighth of the value. */
static bool fine(const ndft_search *s, int k, int side, int *value)
{
    const ndft_knob *knob = &s->entry->variant->knobs[k];
    int best = s->best.candidate.knobs[k], g = ndft_knob_grain(knob), end = best;
    if (knob->words || !neighbour(s, k, side, &end)) return false;
    if (8 * abs(end - best) <= abs(best)) return false;
    *value = (best + end) / 2 / g * g;
    return *value != best && *value != end && !find(s, k, *value);
}

static int propose(const ndft_search *s, bool (*rule)(const ndft_search *, int, int, int *),
                   ndft_candidate *next)
{
    for (int k = 0; k < s->entry->variant->n_knobs; k++) {
        int n = 0, value;
        if (!ndft_knob_shown(s->entry, s->best.candidate.knobs, k)) continue;
        for (int side = -1; side <= 1; side += 2)
            if (rule(s, k, side, &value)) next[n++] = with(s, k, value);
        if (n) return n;
    }
    return 0;
}

int ndft_search_next(const ndft_search *s, ndft_candidate next[NDFT_SEARCH_STEP])
{
    if (!s->n) {
        next[0] = s->best.candidate;
        return 1;
    }
    int n = propose(s, coarse, next);
    return n || isnan(s->best.seconds) ? n : propose(s, fine, next);
}
