/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REFERENCE_COILS_H
#define NDFT_REFERENCE_COILS_H

#include "base/problem.h"

/* What coil maps do to an image, and its adjoint, in double. */

/* The image of one coil at a voxel: of an image in the problem's precision, its map times that. */
void ndft_coil_image(const ndft_problem *, int coil, int64_t voxel, const void *image, double z[2]);

/* The sum over coils of conjugate map times image at a voxel, compensated. each: re,im per coil. */
void ndft_coil_sum(const ndft_problem *, int64_t voxel, const double *each, double sum[2]);

#endif
