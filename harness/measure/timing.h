/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TIMING_H
#define NDFT_TIMING_H

#include "modes.h"
#include "stopping.h"

/* The rules by which a sample is said to have been taken on a throttled device. */
typedef enum ndft_throttle_rule {
    NDFT_THROTTLED_BY_REASON,    /* the device named a reason of NDFT_THROTTLED after it */
    NDFT_THROTTLED_BY_HIGHEST,   /* its clock is below 95 % of the device's highest */
    NDFT_THROTTLED_BY_ROUND,     /* and below 95 % of its round-mates' median */
    NDFT_THROTTLED_BY_VIOLATION, /* the device counted violations while it was taken */
    NDFT_N_THROTTLE_RULES
} ndft_throttle_rule;

/* What a quantity was over a whole window; NaN when unknown. */
typedef struct ndft_range {
    double mean, least, highest;
} ndft_range;

/*
 * What was measured of one candidate. stop: "ci", "noise", "budget", "samples", "time" of a steady
 * timing, "interrupted", "failed", or "lost" where the device was lost with it; NULL while it has
 * no sample. order: of the candidates in a round, "random" or "abba". regime: "burst" or "steady".
 */
typedef struct ndft_timing {
    int n;
    double samples[NDFT_MAX_SAMPLES];    /* s per execution */
    double clocks[NDFT_MAX_SAMPLES];     /* MHz, mean over each sample; NaN when unknown */
    int rounds[NDFT_MAX_SAMPLES];        /* in which each was taken, from 0 */
    bool idle[NDFT_MAX_SAMPLES];         /* the device said that it ran slowly for want of work */
    unsigned char dry[NDFT_MAX_SAMPLES]; /* 1: the host was too slow to keep the device at work */
    unsigned char throttled[NDFT_MAX_SAMPLES]; /* bits 1 << rule; such samples are flagged, and
                                                  part of all statistics */
    int repetitions;                           /* executions in a sample */
    const char *stop, *order, *regime;
    ndft_stats stats;
    double clock_mhz;              /* median */
    const char *const *step_names; /* as ndft_mode_steps says; NULL: none */
    double steps[NDFT_MAX_STEPS];  /* s, medians of as many */
    ndft_state state;              /* the worst seen */
    double min_time_s;             /* that a steady timing was to measure; 0 of a burst */
    ndft_range clock, power;       /* of a steady timing's samples; MHz and W */
    double warm_up_s;              /* of a steady timing's blocks, the longest; NaN of a burst */
    bool settled;                  /* of a steady timing: each block's warm-up came to rest */
    double energy_j;               /* of an execution; NaN when unknown, as of a burst */
    double call_s;                 /* the host's for a call; NaN when unknown, as on a CPU */
    double working_set_bytes;      /* inputs, outputs and what the plan holds; NaN when unknown */
    int pinned;                    /* 1: the processor's threads had a core each; 0: not; -1: it is
                                      none of theirs */
    bool two_modes;                /* the samples are of two kinds, and have no middle */
    double mode_medians[2];        /* s, of both kinds */
    bool rechecked;                /* the output of this mode was looked at after the last sample */
    char failed[1024];             /* why it has no further samples; empty: it has not failed */
} ndft_timing;

#endif
