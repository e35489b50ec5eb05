/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DESCENT_H
#define NDFT_DESCENT_H

#include "match.h"

/*
 * Searches the knobs of the engine of trial i (search.h), each setting beside the best trial, until
 * time is up. The best found is one more trial, with its seconds and not held, where the match did
 * not have it; it has room for that.
 */
ndft_status ndft_descend(ndft_match *, int i, int best);

#endif
