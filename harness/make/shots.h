/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHOTS_H
#define NDFT_SHOTS_H

#include "case/case.h"
#include "files/arena.h"

/*
 * A trajectory is shots of `length` samples, the last cut short (and empty ones left out). Each
 * shot's clock starts at 0; sample i of a shot is read at i * dwell.
 */
typedef struct ndft_trajectory {
    const ndft_case *problem;
    int64_t length; /* samples of a shot */
    int64_t shots;  /* shots asked for, partitions counted */
    double dwell;   /* s; 0: no clock */
    double *k[3];   /* [m] cycles/FOV; NULL beyond dim */
    double *t;      /* [m] s */
    ndft_arena *scratch;
} ndft_trajectory;

/* t[i] = i * dwell in every shot. */
void ndft_trajectory_clock(ndft_trajectory *);

/* The dwell time of a shot of length samples that takes t; see trajectory.h. */
double ndft_dwell(double t, int64_t length);

/* First sample of a shot, and its samples: 0 for shots beyond m. */
int64_t ndft_shot_first(const ndft_trajectory *, int64_t shot);
int64_t ndft_shot_samples(const ndft_trajectory *, int64_t shot);

/* Rounds toward 0 to a multiple of 2^-15 cycles/FOV (coarser where n > 1024 leaves float no room),
 * so that lines are exactly uniform in float and never leave [-n/2, n/2]. */
double ndft_snap(double k, int64_t n);

/*
 * Samples first .. first + count - 1 become a straight line through the centre of k-space, of
 * `length` samples for its whole diameter: sample i at direction * n_d * (i - floor(length/2)) /
 * length. direction: within [-1, 1] per axis.
 */
void ndft_trajectory_diameter(ndft_trajectory *, int64_t first, int64_t count, int64_t length,
                              const double *direction, int axes);

#endif
