/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COORDS_H
#define NDFT_COORDS_H

#include "base/problem.h"

/*
 * The phase is bilinear: in turns, phi/(2 pi) = sum_d (k_d)(x_d/N_d) + (t)(dw/(2 pi)). These fill
 * one coordinate of one side, scaled in double and rounded once to the problem's precision.
 */

static const double ndft_two_pi = 6.283185307179586476925;

/* out[j] = k_d[j] * scale; zeros beyond dim. */
static inline void ndft_sample_coord_fill(const ndft_problem *p, int d, double scale, void *out)
{
    for (int64_t j = 0; j < p->n_samples; j++)
        ndft_put_real(out, p->prec, j, p->k[d] ? scale * ndft_real_at(p->k[d], p->prec, j) : 0);
}

/* out[v] = x_d[v] * scale, x in voxels from the centre. */
static inline void ndft_voxel_coord_fill(const ndft_problem *p, int d, double scale, void *out)
{
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double x[3];
        ndft_voxel_at(p, v, x);
        ndft_put_real(out, p->prec, v, scale * x[d]);
    }
}

/* out[v] = array[v] * scale; zeros where array is absent. */
static inline void ndft_map_fill(const ndft_problem *p, const void *array, int64_t length,
                                 double scale, void *out)
{
    for (int64_t v = 0; v < length; v++)
        ndft_put_real(out, p->prec, v, array ? scale * ndft_real_at(array, p->prec, v) : 0);
}

#endif
