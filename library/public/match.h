/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MATCH_H
#define NDFT_MATCH_H

#include "base/random.h"
#include "rounds.h"
#include "trial.h"

/*
 * Engines that are planned, kept and run in rounds; where memory does not hold all, those that it
 * holds are, and the best of them stays for the others.
 */
typedef struct ndft_match {
    ndft_trials trials; /* when time is up is the caller's */
    ndft_trial *trial;  /* by estimate; a tie goes to the first */
    ndft_rival *rival;  /* of each; out: not held, too */
    int n;
    int rounds;    /* that all who are held have run */
    double best_s; /* of executions on their own */
    ndft_random random;
} ndft_match;

/* All settings that estimates tell apart of engines that may be the fastest by these operations on
 * a plan's problem, by estimate, with room for as many more; NDFT_ENOMEM, or that none serves. */
ndft_status ndft_match_begin(ndft_match *, ndft_plan *, unsigned ops);
void ndft_match_end(ndft_match *);

/* One more trial, behind all that take no longer by their ranked seconds. */
void ndft_match_add(ndft_match *, const ndft_ranked *);

/* Plans trial i, which was not held. Where the host's FFT tries out, each of those from i on has
 * the same share of the time. It is not held where it does not fit after all, or is hopeless. */
ndft_status ndft_match_hold(ndft_match *, int i);
void ndft_match_leave(ndft_match *, int i);

/* Whether the time that is left holds rounds from which anything is known. */
bool ndft_match_has_time(const ndft_match *);

/* Rounds among those that are held, from the first, until enough is known or time is up. */
ndft_status ndft_match_play(ndft_match *);

/* Where most rounds tell of the winner no more than that the host takes as long to queue it: rounds
 * of those that are left, by what the device takes for them, as all that follow. */
ndft_status ndft_match_play_device(ndft_match *);

/* What rounds found is what each takes, as if executed on its own. */
void ndft_match_conclude(ndft_match *);

/* Of those that are held; -1: none is. */
int ndft_match_winner(const ndft_match *);

/* What one execution took. */
double ndft_match_seconds(const ndft_match *, int i);

#endif
