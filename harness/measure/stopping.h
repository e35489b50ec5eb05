/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOPPING_H
#define NDFT_STOPPING_H

#include "stats.h"

enum { NDFT_MAX_SAMPLES = 200 };

/* When a stream of samples has told what it can. All zeros before the first sample. */
typedef struct ndft_stopping {
    int n;
    double noise[NDFT_MAX_SAMPLES]; /* after each sample: MAD over median of all so far */
} ndft_stopping;

/*
 * Why to stop after a further sample, given the statistics of all of them; NULL: go on.
 *
 * "ci": the interval of the median is narrower than 0.5 % of it.
 * "noise": further samples would narrow the interval by their number alone. The noise, MAD over
 * median of all samples so far, is taken after each, and its last 64 values lie within 6 % of the
 * newest (root mean square). This is the second rule of nvbench's stdrel criterion, with a robust
 * measure of spread, tried after every 16th sample as there. While the median or the spread drifts,
 * the noise grows with every sample and does not stop. Window and 6 % are set so that of streams of
 * white noise nearly all stop, and of drifting ones nearly none:
 * tests/unit/harness/unit_stopping.c.
 */
const char *ndft_stopping_take(ndft_stopping *, const ndft_stats *);

#endif
