/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLUTION_H
#define NDFT_CONVOLUTION_H

#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What to convolve, with a period of C cells along each axis:
 *
 *     forward   y(r) = sum_s kernel((r - s) mod C) x(s)              input -> output
 *     adjoint   x(s) = sum_r conj(kernel((r - s) mod C)) y(r)        output -> input
 *     normal    forward and then adjoint                             input -> input
 *
 * for x on a grid of n voxels and y on one of `outputs`, which both begin at cell 0. Where C is at
 * least n + outputs - 1 nothing wraps around. Bluestein's transforms, chirp-z and Toeplitz normal
 * operators are made of it. Arrays are complex numbers of prec, real and imaginary part side by
 * side, the first axis fastest; the kernel is in host or device memory, and read during the call
 * alone. tol is of what y errs by, over the largest magnitude of the spectrum and the norm of x:
 * both norms l2, as is to be expected of white data (typical), or the largest error over |x|_1,
 * whatever the data (any).
 */
typedef struct ndft_convolution_desc {
    size_t struct_size;     /* sizeof(ndft_convolution_desc) */
    int dim;                /* 1..3 */
    int64_t n[3];           /* voxels of the input along each axis, at least 1; beyond dim 0 or 1 */
    int64_t outputs[3];     /* of the output; 0: n */
    int64_t cells[3];       /* C, at least both; 0: the larger of both */
    ndft_prec prec;         /* of kernel and data, and of the computation */
    int batch;              /* 1..256 inputs of one execution, one after the other; 0: 1 */
    double tol;             /* error that is allowed, 1e-13..1; 0: 1e-4 (f32), 1e-9 (f64) */
    ndft_tol_kind tol_kind; /* of what error */
    const void *kernel;     /* [cells[2]][cells[1]][cells[0]] */
    bool spectrum; /* the kernel is given by sum_r kernel(r) exp(-2 pi i q.r/C) in its place */
} ndft_convolution_desc;

/*
 * A convolution as a problem: its plans transform the period, multiply and transform back, by the
 * fastest engines of uniform transforms, in one vector of the period a batch. ndft_problem_lengths
 * has the lengths of input and output in place of voxels and samples. NDFT_EINVAL names the field
 * that is wrong with the nearest right one, and the element of the kernel that is not finite;
 * NDFT_EUNSUPPORTED where no transform is as exact; NDFT_ENOMEM.
 */
NDFT_API ndft_status ndft_convolution_create(ndft_device *, const ndft_convolution_desc *,
                                             ndft_problem **problem);

#ifdef __cplusplus
}
#endif
#endif
