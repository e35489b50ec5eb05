/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SETTLE_H
#define NDFT_SETTLE_H

#include <stdbool.h>

enum { NDFT_MAX_SIGHTS = 2048 };

/*
 * Whether a device that works without a pause has come to rest: clock and power, or, where neither
 * is known, the times of samples stand still. All zeros at the beginning.
 */
typedef struct ndft_settling {
    int n; /* the newest that are kept */
    double at[NDFT_MAX_SIGHTS];
    double clock_mhz[NDFT_MAX_SIGHTS], power_w[NDFT_MAX_SIGHTS], seconds[NDFT_MAX_SIGHTS];
} ndft_settling;

/* Takes in what was seen at a moment, in s; clock and power NaN when unknown. */
void ndft_settling_see(ndft_settling *, double at, double clock_mhz, double power_w,
                       double seconds);

/*
 * Over the last half second (false before it has passed) the median of the first half and that of
 * the second lie within 2 % of each other. Medians, so that one sight of a busy neighbour does not
 * count; halves, so that a drift does.
 */
bool ndft_settled(const ndft_settling *);

/* The lower quartile of the samples' times in that half second, or of what there is of it, so that
 * what is planned by it lasts long enough when others leave; NaN of nothing. */
double ndft_settling_seconds(const ndft_settling *);

#endif
