/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_FFTW_H
#define NDFT_UNIFORM_BLUESTEIN_FFTW_H

#include "convolve/convolve_batch_fftw.h"
#include "uniform/axes.h"

#include "base/variant.h"

/*
 * What the bluestein variants have in common: every axis is a pass over its lines, and on each line
 * the transform is a convolution with a chirp (chirp.h) of a padded length (padded.h), between two
 * products with it.
 */

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

/* The variants differ in the stages that they take an axis' lines through: how many there are, and
 * what lies in memory between two of them. */

enum { NDFT_BLUESTEIN_STAGES = 6 }; /* at most */

/* In their order; of each its name and its loop of every instruction set and precision. */
typedef struct ndft_bluestein_stages {
    int count, once; /* once: the first of them, done with an axis' first lines alone */
    const char *const *names;
    ndft_bluestein_stage *const (*loops)[3][2];
} ndft_bluestein_stages;

/* The descriptors' functions. Padded lines are kept in memory where there are several stages. */
const char *ndft_bluestein_unsupported(const ndft_problem *, const ndft_device *, const int *knobs);
ndft_status ndft_bluestein_plan(const ndft_problem *, const int *knobs, ndft_exec *,
                                const ndft_bluestein_stages *, void **plan);
ndft_status ndft_bluestein_execute(void *plan, ndft_op, const void *in, void *out);
void ndft_bluestein_destroy(void *plan);
void ndft_bluestein_chosen(const void *plan, char *text, size_t size); /* cells=LENGTHS */

/* passes: over the padded lines in memory, a read or a write each; nodes per axis. */
ndft_cost ndft_bluestein_cost(const ndft_transform *, const int *knob, double passes, double nodes);

#endif
