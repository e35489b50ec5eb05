/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TOEPLITZ_LOOP_H
#define NDFT_NUFFT_TOEPLITZ_LOOP_H

#include "convolve/convolve_fftw.h"
#include "core/loop.h"

/* The normal operator by convolutions: everything that its loop reads. */
typedef struct ndft_toeplitz_plan ndft_toeplitz_plan;
typedef void ndft_toeplitz_loop(const ndft_toeplitz_plan *, const void *in, void *out);

struct ndft_toeplitz_plan {
    ndft_arena arena;
    ndft_convolve convolve;
    ndft_toeplitz_loop *loop;
    int coils, terms;
    int64_t element, coil_stride; /* in complex elements */
    const int32_t *voxel;         /* of the problem */
    const int64_t *row_first;     /* [rows + 1] the first voxel of each row along x */
    const double *field;          /* [voxels] dw/pi; NULL without */
    const double *tau;            /* [terms] */
    const void *spectrum;         /* [terms][cells] */
    int64_t cells;
};

#endif
