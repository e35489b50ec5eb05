/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRAJECTORY_H
#define NDFT_TRAJECTORY_H

#include "case/case.h"
#include "files/arena.h"

#include <math.h>

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
 * Fills k and t of the case's trajectory; all arrays come from scratch. t=0 leaves all times 0; a
 * file's are taken as they are.
 *
 * The dwell time is t/length rounded to a multiple of 2^-27 s (7.45 ns), so that i * dwell is exact
 * in float; only below half of that it stays as it is, and the clock is not uniform in float.
 */
ndft_status ndft_trajectory_make(const ndft_case *, ndft_arena *scratch, ndft_trajectory *,
                                 ndft_error *);

/* What spirals are played with, that of Sorensen et al. (IEEE Trans. Med. Imaging 27, 2008), for
 * protons. */
#define NDFT_GRADIENT_LIMIT 40e-3 /* T/m */
#define NDFT_SLEW_LIMIT 140.0     /* T/m/s */
#define NDFT_GAMMA 42.577e6       /* Hz/T */

/* The family with a file of its own: k of spiral and vdspiral. */
ndft_status ndft_trajectory_spiral(ndft_trajectory *, ndft_error *);

/* The dwell time of a shot of length samples that takes t. */
static inline double ndft_dwell(double t, int64_t length)
{
    const double ticks = round(t / (double)length * 0x1p27);
    return ticks > 0 ? ticks * 0x1p-27 : t / (double)length;
}

/* Lines that a shot of `length` samples reads in echo-planar imaging. */
int64_t ndft_epi_train(const ndft_case *, int64_t length);

#endif
