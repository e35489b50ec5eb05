/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RANKS_H
#define NDFT_RANKS_H

#include "contest.h"

#include "cli/child.h"

#include <ndft/communicator.h>

/*
 * A group of processes, of which this one is the first rank: the others are started here, each with
 * the device of its number, and do what they are told. All that they and this one do of the group
 * they do in the same order.
 */
typedef struct ndft_ranks {
    int n;                             /* this one too */
    ndft_child child[NDFT_MOST_PARTS]; /* from 1 on */
    ndft_communicator *communicator;
    ndft_error *err;
} ndft_ranks;

/* An order: of which arrays, and what. */
typedef enum ndft_ranks_arrays { NDFT_WHOLE = 'w', NDFT_PARTS = 'p' } ndft_ranks_arrays;
typedef enum ndft_ranks_task {
    NDFT_TO_PLAN = 'p',
    NDFT_TO_EXECUTE = '1',
    NDFT_TO_EXECUTE_TWICE = '2',
    NDFT_TO_COMPARE = 'b', /* by eight parts, whose bits are looked at here */
} ndft_ranks_task;

/* s that calls wait for a rank, which may plan longer than this one; and that this one waits for
 * ranks to meet, all of which have just said that they come. */
enum { NDFT_RANKS_TIMEOUT_S = 120, NDFT_RANKS_MEETING_S = 15 };

/* n ranks of the contest's case, and its text; each has all but its plan. NDFT_EDEVICE. */
ndft_status ndft_ranks_start(const ndft_contest *, const char *text, int n, ndft_ranks **);

/* What all of them do next, as this one does. NULL: there are none. */
ndft_status ndft_ranks_tell(const ndft_ranks *, ndft_ranks_arrays, ndft_ranks_task);

/* Until they have done it. seconds: becomes the longest that any of them took, if that is longer.
 * NDFT_EDEVICE where one has ended, who has said why. */
ndft_status ndft_ranks_wait(const ndft_ranks *, double *seconds);

/* Tells all to compare, and waits until they begin: one that does not would be waited for in vain,
 * and all is false. NDFT_EDEVICE where one has ended. */
ndft_status ndft_ranks_compare(const ndft_ranks *, bool *all);
/* Which a rank says. */
#define NDFT_COMPARES "compares"

/* Behind the group's plans. NULL is allowed. */
void ndft_ranks_end(ndft_ranks *);

/* The life of another rank, by the arguments that ndft_ranks_start makes behind "rank"; an exit
 * code. */
int ndft_rank_main(int argc, char **argv);

#endif
