/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RANK_H
#define NDFT_RANK_H

#include "id.h"
#include "prepared.h"

/* An engine that serves a problem, with what its operations are estimated, or were measured, to
 * take together, and why it is taken where it is the first. */
typedef struct ndft_ranked {
    ndft_candidate candidate;
    double seconds;
    double error; /* of the estimate: the usual deviation of its logarithm */
    const char *why;
} ndft_ranked;

/* Whether an execution may leave other numbers where its input was: transforms to reals by somebody
 * else's library do. */
bool ndft_overwrites_input(const ndft_candidate *, const ndft_problem *);

bool ndft_is_deterministic(const ndft_candidate *);

/* The settings of an engine that an estimate can tell apart: its presets first, or, where it is to
 * be deterministic and has a knob for that, with that knob; then those with another oversampling,
 * halfway between candidates too. Their number. */
enum { NDFT_MOST_SETTINGS = 1 + NDFT_MAX_CANDIDATES };
int ndft_settings(const ndft_registered *, bool deterministic, ndft_candidate[NDFT_MOST_SETTINGS]);

/* What its operations are estimated to take together, in s. */
double ndft_estimate_all(const ndft_candidate *, const ndft_problem *, unsigned ops,
                         const ndft_device *);

/* Whether an engine takes part in choices for these problems on a device: built, right and ours. */
bool ndft_may_be_chosen(const ndft_registered *, ndft_kind_of_problem, const ndft_device *);

/* Whether all that can be known without planning lets it serve these operations within tol, its
 * input left as it was; else why not. */
bool ndft_serves(const ndft_candidate *, const ndft_problem *, unsigned ops, const ndft_device *,
                 bool deterministic, ndft_error *why);

/* The engine that wisdom knows to be the fastest for the problem's shape on this device, as it was
 * measured; false: it knows none that serves. */
bool ndft_known(ndft_kind_of_problem, const ndft_problem *, unsigned ops, const ndft_device *,
                bool deterministic, ndft_ranked *known);

/*
 * All engines of the device's backend that can serve a problem by these operations within its tol
 * and leave their input as it was, each by the fastest of its settings, the fastest first by
 * ndft_estimate; deterministic: only those. Their number, and *ranked to be freed; 0 with a
 * sentence in err where there are none.
 */
int ndft_rank(ndft_kind_of_problem, const ndft_problem *, unsigned ops, const ndft_device *,
              bool deterministic, ndft_ranked **ranked, ndft_error *err);

/* Prepares the first of them that can be: what does not fit is known, but memory may not suffice.
 */
ndft_status ndft_prepare_fastest(ndft_kind_of_problem, const ndft_problem *, unsigned ops,
                                 bool deterministic, ndft_exec *, ndft_ranked *taken,
                                 ndft_prepared *);

/* How many times as long as the fastest of all, deterministic or not, an engine takes by estimate;
 * 1 at least. */
double ndft_price(const ndft_candidate *, const ndft_problem *, unsigned ops, const ndft_device *);

#endif
