/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STATS_H
#define NDFT_STATS_H

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

#endif
