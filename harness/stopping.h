/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOPPING_H
#define NDFT_STOPPING_H

#include "stats.h"

#include <stdbool.h>

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
 * median, was taken after every sample; there are at least 64, and the last 32 values of it lie
 * within 5 % (root mean square) of the newest. This is the second rule of nvbench's stdrel
 * criterion with a robust measure of spread, tried after every 16th sample as there. A drift makes
 * the noise grow with every sample, so it does not stop here.
 */
const char *ndft_stopping_take(ndft_stopping *, const ndft_stats *);

#endif
