/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_KNOWN_H
#define NDFT_KNOWN_H

#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Variants that take a time which they know themselves, for tests of the clock. */

/* What the harness's clock made of one of them; of a steady timing, in its last block. */
typedef struct known_time {
    int samples, repetitions; /* of a sample */
    double median_s;          /* of an execution; end to end of the execution alone */
    double clock_mhz;
    bool two_modes;
    char failed[256]; /* why there are no samples; empty: there are */
} known_time;

/*
 * Times a variant alone on the first device of a backend, as ndft_measure does, on a problem that
 * has nothing but `own` in place of readout times, for the variant's plan to find. mode as in
 * options, "batch"; min_time_s above 0: steady.
 */
known_time known_measure(const char *backend, const ndft_variant *, void *own, const char *mode,
                         double min_time_s);

/* NULL where a backend is usable, else why not. */
const char *known_missing(const char *backend);

/* What `own` is in a variant's plan. */
void *known_own(const ndft_problem *);

#ifdef __cplusplus
}
#endif
#endif
