/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_CONVOLUTION_H
#define NDFT_BASE_CONVOLUTION_H

#include "base/problem.h"

/*
 * A convolution as a problem (ndft/convolution.h), which begins with its ndft_problem: there n and
 * n_voxels are the input's, n_samples the outputs, coils the batch, and there are no arrays.
 * Vectors are planar, x fastest. forward convolves, adjoint correlates.
 */
typedef struct ndft_convolution_problem {
    ndft_problem problem;
    int64_t outputs[3], cells[3]; /* of the output, and of the period */
    void *spectrum;               /* [cells] complex by prec: the kernel's, over their number */
    double spectrum_error;        /* of a factor, over the largest of them */
    double spectrum_max;          /* the largest magnitude of the kernel's spectrum */
    const void *kernel; /* [cells] complex by prec, which executions may transform; NULL: they have
                         * its spectrum alone */
    double kernel_gain; /* what a transform's error is times this is that of a factor, as
                         * spectrum_error */
} ndft_convolution_problem;

static inline const ndft_convolution_problem *ndft_convolution_of(const ndft_problem *p)
{
    return (const ndft_convolution_problem *)p;
}

static inline int64_t ndft_box_size(const int64_t n[3]) { return n[0] * n[1] * n[2]; }

#endif
