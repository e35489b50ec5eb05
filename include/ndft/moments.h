/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MOMENTS_H
#define NDFT_MOMENTS_H

#include <ndft/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most weights of one call. */
enum { NDFT_MOST_WEIGHTS = 4 };

/*
 * Sums that derivatives by samples are made of (Wang and Fessler, IEEE TCI 9, 2023). Of images x_c
 * and samples s_c of all coils, and real weights w_l of voxels,
 *     sums_jl = sum_c Im((A (w_l x_c))_j conj(s_cj)),
 * with coil maps of the one image and of what forward makes of it for each coil.
 * The derivative of Re sum_cj conj(s_cj) (A x_c)_j by k_jd has w_d = 2 pi x_d / N_d, x_d being the
 * voxel's position, in voxels from the centre, and that by t_j the field; both without gradient
 * maps and, by t, without decay. It is an execution forward for each weight, a product before and a
 * sum behind.
 */

/* Bytes that a call with as many weights works in: all weighted images and their samples. */
NDFT_API ndft_status ndft_moments_workspace(const ndft_plan *, int weights, size_t *bytes);

/*
 * Memory is the device's, of the plan's precision and layout: w (weights, voxels) reals, image and
 * samples as of an execution, sums (samples, weights) reals, to which is added where add is true.
 * It is queued on stream as ndft_execute_on does, and never allocates: workspace is the caller's,
 * of ndft_moments_workspace bytes, aligned to 16, which the next call may use once this one is
 * done. NDFT_EINVAL for a plan that was not made for NDFT_FORWARD, for weights below 1 or above
 * NDFT_MOST_WEIGHTS, or NULL.
 */
NDFT_API ndft_status ndft_moments(ndft_plan *, void *stream, int weights, const void *w,
                                  const void *image, const void *samples, bool add, void *workspace,
                                  void *sums);

#ifdef __cplusplus
}
#endif
#endif
