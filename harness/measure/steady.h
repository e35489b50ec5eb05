/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STEADY_H
#define NDFT_STEADY_H

#include "modes.h"
#include "settle.h"

/*
 * A block of a steady timing: one candidate runs without a pause, first until the device has come
 * to rest, then for as long as is measured. The next samples are queued while one runs, since a
 * device that waits cools and clocks up.
 */
typedef struct ndft_steady {
    ndft_subject *subject;
    double time_s;   /* least measured time */
    int least, most; /* samples */

    int taken;
    double measured_s, sample_s; /* so far; of the newest */
    double warm_up_s;
    bool settled;           /* the warm-up came to rest */
    double joules, joule_s; /* what was drawn, and in what time; 0 where unknown */
    int started, read;      /* of all regions of the block */
    int sizes[NDFT_TIMERS]; /* repetitions of those between */
    double call_s[NDFT_TIMERS];
    bool dry[NDFT_TIMERS];
    double meter_j, meter_at_s; /* of the energy counter's newest step; NaN before the first */
    ndft_settling settling;
} ndft_steady;

/* Whether a mode has steady timings: batch and graph. */
bool ndft_steady_mode(ndft_mode);

/* Warms up, for 3 s at most, and, in the subject's first block, finds the repetitions of samples
 * that are few enough. The subject has begun. NDFT_EDEVICE. ndft_steady_end in any case. */
ndft_status ndft_steady_begin(ndft_steady *, ndft_subject *, double time_s, int least, int most);

/* Whether more is to be measured. */
bool ndft_steady_goes_on(const ndft_steady *);

/* The next sample. NDFT_EDEVICE. */
ndft_status ndft_steady_take(ndft_steady *, ndft_sample *);

/* Waits for what is still queued. */
ndft_status ndft_steady_end(ndft_steady *);

#endif
