/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_FFTW_H
#define NDFT_UNIFORM_BLUESTEIN_FFTW_H

#include "convolve/convolve_batch_fftw.h"
#include "uniform/axes.h"

#include <ndft/variant.h>

/*
 * What the bluestein variants have in common: every axis is a pass over its lines, and on each line
 * the transform is a convolution with a chirp (chirp.h) of a padded length (padded.h), between two
 * products with it.
 */

typedef struct ndft_bluestein_axis {
    ndft_pass pass;
    int mode;                             /* of both tensors, along which it goes */
    const ndft_transform *loads, *stores; /* whose function the pass calls; NULL: none */
    ndft_convolve_batch convolve;
    void *before, *after; /* [in.count], [out.count] complex: factors of a line's elements */
} ndft_bluestein_axis;

typedef struct ndft_bluestein {
    ndft_arena arena;
    ndft_prec prec;
    ndft_axes axes;
    ndft_bluestein_axis axis[3];
    void *kept;            /* padded lines between two stages; NULL: none */
    int64_t kept_lines[3]; /* at a time, of each pass */
} ndft_bluestein;

/* Knobs in order: those that all have, and the one that fusing adds. */
enum {
    NDFT_BLUESTEIN_PADDED,
    NDFT_BLUESTEIN_RIGOR,
    NDFT_BLUESTEIN_COMMON,
    NDFT_BLUESTEIN_CHIRP_FFT = NDFT_BLUESTEIN_COMMON,
    NDFT_BLUESTEIN_ALL
};
enum { NDFT_BLUESTEIN_IN_PLAN, NDFT_BLUESTEIN_IN_EXECUTE }; /* of the chirp's transform */
extern const ndft_knob ndft_bluestein_knobs[NDFT_BLUESTEIN_ALL];

/* keeps: stages work on padded lines in memory. The transform outlives the plan. Released by
 * _release, also after a failure. */
ndft_status ndft_bluestein_make(ndft_exec *, const ndft_transform *, const int *knobs, bool keeps,
                                ndft_bluestein *);
void ndft_bluestein_release(ndft_bluestein *);

/* Lines first, ..., end - 1 of an axis: from an array into the padded lines, and on to another. */
typedef struct ndft_bluestein_part {
    const ndft_bluestein_axis *axis;
    const void *from;
    void *to, *kept;
    int64_t first, end;
} ndft_bluestein_part;

/* passes: over the padded lines in memory, a read or a write each; nodes per axis. */
ndft_cost ndft_bluestein_cost(const ndft_transform *, const int *knob, double passes, double nodes);

#endif
