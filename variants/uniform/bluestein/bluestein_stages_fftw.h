/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_STAGES_FFTW_H
#define NDFT_UNIFORM_BLUESTEIN_STAGES_FFTW_H

#include "bluestein_fftw.h"

/* Plans of the bluestein variants, which differ in the stages that they take an axis' lines
 * through: how many there are, and what lies in memory between two of them. */

typedef void ndft_bluestein_stage(const ndft_bluestein_part *);

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

#endif
