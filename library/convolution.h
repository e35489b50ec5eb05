/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_CONVOLUTION_H
#define NDFT_LIBRARY_CONVOLUTION_H

#include "id.h"
#include "prepared.h"

/*
 * A convolution as a problem, which begins with its ndft_problem: there n and n_voxels are the
 * input's, n_samples the outputs, coils the batch, and there are no arrays. Vectors are planar, x
 * fastest. forward convolves, adjoint correlates.
 */
typedef struct ndft_convolution_problem {
    ndft_problem problem;
    int64_t outputs[3], cells[3]; /* of the output, and of the period */
    void *spectrum;               /* [cells] complex by prec: the kernel's, over their number */
    double spectrum_error;        /* of a factor, over the largest of them */
} ndft_convolution_problem;

static inline int64_t ndft_box_size(const int64_t n[3]) { return n[0] * n[1] * n[2]; }

/*
 * The one engine of such problems: a transform of the period, the product, the transform back, both
 * in place by the fastest engines of uniform transforms. Its parts share the tolerance, half of
 * which is kept for the second of two convolutions of a normal operator.
 */
ndft_candidate ndft_convolution_on(const char *backend, bool deterministic);

/* What an execution declares to launch, where that is what was prepared. */
double ndft_convolution_launches(const ndft_prepared *, ndft_op op);

#endif
