/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STATS_H
#define NDFT_STATS_H

#include <stdbool.h>

/* Sorts n values, none of them NaN. */
void ndft_sort_ascending(double *values, int n);

/* Order statistics of a sample; every field NaN where the sample is too small for it. */
typedef struct ndft_stats {
    double median, q1, q3; /* quartiles interpolated linearly (Hyndman and Fan 1996, type 7) */
    double mad;            /* median absolute deviation from the median, unscaled */
    double ci_lo, ci_hi;   /* at least 95 % interval of the median; needs 6 values */
} ndft_stats;

/*
 * Statistics of n >= 0 values in any order; those that are NaN, unknown, are left out. The interval
 * is that of the sign test: the order statistics k and n+1-k with the largest k for which
 * P(Binomial(n, 1/2) < k) <= 2.5 %; it assumes independent values and no distribution (David and
 * Nagaraja, Order Statistics, section 7.1).
 */
ndft_stats ndft_stats_of(const double *values, int n);

/*
 * One number of several processes. Where code and buffers come to lie, which pages, which clocks:
 * every process draws them once, so that the samples of one agree with each other and not with the
 * next one's (Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM 2013; Quantifying
 * performance changes with effect size confidence intervals, TR 4-12, University of Kent, 2012).
 *
 * Of process i, with the effect b_i of its draw and the error e_i of its samples, the median is
 * M_i = mu + b_i + e_i. The M_i are independent and of one distribution, whatever b and e are, and
 * the variance S^2 between them has that of both in it. So their mean has the interval
 *
 *     mean(M) +- t(n - 1, 97.5 %) S / sqrt(n)
 *
 * which is exact for normal effects. Two or three processes agree by chance now and then; so a side
 * is never narrower than what the samples alone would leave of it, the root of the summed squares
 * of the distances of the ends of their own intervals, over n. Times are above zero: the lower side
 * is by the same factor below the mean as that distance is above it. Without any effect of
 * processes it then holds the truth in 98 to 99 of 100; with effects of skewness 1 (gamma of shape
 * 4) in 93.5 to 94.5, tests/unit/harness/unit_processes.c; with those of an exponential, skewness
 * 2, in 88 to 92 only.
 */
typedef struct ndft_processes_stats {
    double median;       /* mean of the processes' medians; the middle one's where two_modes */
    double ci_lo, ci_hi; /* at least 95 %, NaN with fewer than two processes; of two_modes the ends
                            of all that was seen */
    /* The medians fall into two groups that their own intervals do not explain, a quarter apart or
     * more and each half as wide as that at most: processes of two modes, which no mean stands for.
     */
    bool two_modes;
    int middle; /* the process whose median is the middle one, the lower of two */
} ndft_processes_stats;

/* Of n >= 1 processes, 100 at most. An interval that is NaN counts as having no width. */
ndft_processes_stats ndft_stats_of_processes(const ndft_stats *, int n);

/* The t that Student's t with so many degrees of freedom (1 or more) exceeds, either way, with
 * probability 5 %. */
double ndft_student_95(int freedom);

#endif
