/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ROUNDS_H
#define NDFT_ROUNDS_H

#include <stdbool.h>

/*
 * Who of several is the fastest. Each runs one row of executions in every round, and what slows a
 * machine down slows a round: so a row is compared with those of its own round, as the ratio of
 * both, and of these the median counts. Its lower bound is an order statistic (Hahn and Meeker,
 * Statistical Intervals, 1991, section 5.2), which asks for no distribution.
 */
enum { NDFT_LEAST_ROUNDS = 5, NDFT_MOST_ROUNDS = 64 };

typedef struct ndft_rival {
    bool out;                     /* takes no part, or no more */
    int queued;                   /* rounds in which the host took as long to queue the row */
    double row[NDFT_MOST_ROUNDS]; /* seconds by round */
} ndft_rival;

typedef struct ndft_ratio {
    double median, low; /* low: of the median, with 95 % from so many rounds on */
} ndft_ratio;

/* How many times as long as another one takes. */
ndft_ratio ndft_rounds_ratio(const ndft_rival *, const ndft_rival *than, int rounds);

/* The fastest; -1 where all are out. */
int ndft_rounds_leader(const ndft_rival *, int n, int rounds);

/* Who is surely more than 5 % slower than the leader is out. Whether enough is known: nobody that
 * is left may be more than 2 % faster than the leader. */
bool ndft_rounds_settle(ndft_rival *, int n, int rounds);

/* The first that the leader cannot be told apart from. Where both last as long as the host takes to
 * queue them in most rounds, all that is known of the device is that it is no slower: then it is
 * the first of those that are not more than 5 % slower. */
int ndft_rounds_winner(const ndft_rival *, int n, int rounds);

#endif
