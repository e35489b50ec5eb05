/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_FIELD_H
#define NDFT_NUFFT_FIELD_H

#include "nufft/knobs.h"
#include "rank.h"

#include "phase/worst_entry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The field map's terms (rank.h) as the family's knobs and a case's tolerance want them: what the
 * window leaves of tol is theirs, and never less than ndft_nufft_field_share of it. */

ndft_rank_choice ndft_nufft_field(const ndft_problem *, const int *knobs);

ndft_status ndft_nufft_field_make(const ndft_problem *, const int *knobs, ndft_error *,
                                  ndft_rank *);

/* NULL, or why the family cannot serve the problem: what ndft_nufft_unsupported says, or for field
 * map and gradients. */
const char *ndft_nufft_field_unsupported(const ndft_problem *, const ndft_device *,
                                         const int *knobs);

/* The claim's truncation: errors of window and terms together; a, b, c are 0. */
double ndft_nufft_truncation(const ndft_problem *, const int *knobs);

/*
 * The claim's truncation for any data, with rounding and all. With d the window's error of an entry
 * and f the terms', (1 + d)(F + f) - F is at most d (1 + f) + f, for |F| <= 1; the roundings of
 * each column are weighed by both its weights (rank.h's gain). _and: with more units of eps, of
 * what a scheme rounds beside what worst.h counts.
 */
double ndft_nufft_any(const ndft_problem *, ndft_op, const int *knobs);
double ndft_nufft_any_and(const ndft_problem *, ndft_op, const int *knobs, double units);

#ifdef __cplusplus
}
#endif
#endif
