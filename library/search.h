/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEARCH_H
#define NDFT_SEARCH_H

#include "id.h"

/*
 * A search for the fastest knobs of one variant, by cyclic coordinate descent (Bertsekas, Nonlinear
 * Programming, section 3.7): one knob at a time with the others at the best so far. Coarse first,
 * over the candidates that the knob declares, from the best value outwards; when no knob has
 * anything left, fine, by halving the gaps between the best value and its neighbours on the line.
 *
 * A direction ends at a setting that failed, and after two settings in a row that are
 * slower. An unsupported setting is a hole and is stepped over. Every setting is tried once.
 */
typedef struct ndft_setting {
    ndft_candidate candidate;
    double seconds; /* of an execution; NaN where there was none that was right */
    bool failed;    /* it was tried and was not right, or broke down: not what is unsupported */
} ndft_setting;

typedef struct ndft_search {
    const ndft_registered *entry;
    ndft_setting best; /* seconds NaN: nothing has passed yet */
    ndft_setting *tried;
    int n;
} ndft_search;

enum { NDFT_SEARCH_STEP = NDFT_MAX_CANDIDATES };

/* Values of a knob lie on a grid: the greatest common divisor of its candidates. */
int ndft_knob_grain(const ndft_knob *);

/* Starts at these values of the knobs. */
void ndft_search_begin(ndft_search *, const ndft_candidate *);
void ndft_search_end(ndft_search *);

/* What to try next, NDFT_SEARCH_STEP settings at most; 0: there is nothing left. */
int ndft_search_next(const ndft_search *, ndft_candidate next[NDFT_SEARCH_STEP]);

/* What came of one of them. It becomes the best when it is more than half a percent faster, so that
 * the preset stays among equals. NDFT_ENOMEM. */
ndft_status ndft_search_take(ndft_search *, const ndft_setting *, ndft_error *);

#endif
