/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRAJECTORY_H
#define NDFT_TRAJECTORY_H

#include "arena.h"
#include "case.h"

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

/*
 * Fills k and t of the case's trajectory; all arrays come from scratch. t=0 leaves all times 0.
 *
 * The dwell time is t/length rounded to a multiple of 2^-27 s (7.45 ns), so that i * dwell is exact
 * in float; only below half of that it stays as it is, and the clock is not uniform in float.
 */
ndft_status ndft_trajectory_make(const ndft_case *, ndft_arena *scratch, ndft_trajectory *,
                                 ndft_error *);

/* Lines that a shot of `length` samples reads in echo-planar imaging. */
int64_t ndft_epi_train(const ndft_case *, int64_t length);

/* The families: fill k; t is filled already. */
ndft_status ndft_trajectory_random(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_radial(ndft_trajectory *, ndft_error *); /* radial, golden, sos */
ndft_status ndft_trajectory_kooshball(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_spiral(ndft_trajectory *, ndft_error *); /* spiral, vdspiral */
ndft_status ndft_trajectory_epi(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_file(ndft_trajectory *, ndft_error *); /* BART: also t */

/* t[i] = i * dwell in every shot. */
void ndft_trajectory_clock(ndft_trajectory *);

/* The dwell time of a shot of length samples that takes t; see ndft_trajectory_make. */
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
