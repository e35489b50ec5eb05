/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_POSITION_H
#define NDFT_NUFFT_POSITION_H

#include <math.h>
#include <stdint.h>

/* Where voxels and samples lie on the oversampled grid; all handling of centres is here. In CUDA
 * NDFT_INLINE comes from complex.cuh, included before. */
#ifndef NDFT_INLINE
#define NDFT_INLINE static inline
#endif

/*
 * The cell of a voxel with centred coordinate x = -floor(N/2) .. ceil(N/2)-1 on an axis of n cells:
 * x mod n. So negative x lie at the end, odd and even N are alike, and no factor (-1)^i and no half
 * shift is needed anywhere.
 */
NDFT_INLINE int64_t ndft_grid_cell(int64_t x, int64_t n) { return x < 0 ? x + n : x; }

/* A sample's W cells are first .. first + W - 1 mod n; s is its place among them (window.h). */
typedef struct ndft_grid_position {
    int32_t first; /* in [0, n) */
    double s;      /* in [-1, 1) */
} ndft_grid_position;

/*
 * The position u = k n/N of a sample at k cycles/FOV on an axis of N voxels and n cells, taken
 * mod n. The whole cells and the fraction are kept apart: k n is a product and its remainder, from
 * which the FMA takes the whole cells exactly, so that s has an absolute error of about eps.
 */
NDFT_INLINE ndft_grid_position ndft_grid_place(double k, int64_t voxels, int64_t n, int width)
{
    const double N = (double)voxels, cells = (double)n;
    const double high = k * cells, low = fma(k, cells, -high);
    const double nearest = rint(high / N);
    const double fraction = (fma(-nearest, N, high) + low) / N; /* u - nearest */
    const double half = 0.5 * width, above = ceil(fraction - half);
    double first = nearest + above;
    first -= cells * floor(first / cells);
    return (ndft_grid_position){(int32_t)first, 2 * (above + half - fraction) - 1};
}

#endif
