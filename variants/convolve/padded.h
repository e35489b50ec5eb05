/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PADDED_H
#define NDFT_CONVOLVE_PADDED_H

#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How many cells a convolution is given: the length 2^a 3^b 5^c 7^d, no less than it needs, whose
 * transforms take the least time on this device. Which one it is no operation count says, so those
 * that promise most are timed.
 */

enum { NDFT_PADDED_MOST = 8 }; /* candidates */

/* A knob: the measured length, or the next power of two for comparison. */
enum { NDFT_PADDED_AUTO, NDFT_PADDED_POWER };

static const char *const ndft_padded_words[] = {"auto", "power", NULL};

#define NDFT_PADDED_KNOB                                                                           \
    NDFT_KNOB_WORDS(                                                                               \
        "padded",                                                                                  \
        "length of the convolution: the fastest, measured in plan, or the next power of two",      \
        ndft_padded_words, NDFT_PADDED_AUTO, (NDFT_PADDED_AUTO, NDFT_PADDED_POWER))

/* The smallest power of two from least on. */
int64_t ndft_padded_power(int64_t least);

/* Up to NDFT_PADDED_MOST lengths from least to its power of two, which is among them, the most
 * promising by operations first; their number. least: 1 to 2^41. */
int ndft_padded_candidates(int64_t least, int64_t lengths[NDFT_PADDED_MOST]);

/* Seconds of the transforms at a length, measured by whoever will execute them. */
typedef ndft_status ndft_padded_clock(void *context, int64_t length, double *seconds);

/* The candidate with the least time; once `patience` seconds were measured, those that promise
 * less are tried no more. */
ndft_status ndft_padded_choose(int64_t least, double patience, ndft_padded_clock *, void *context,
                               int64_t *best);

#ifdef __cplusplus
}
#endif

#endif
