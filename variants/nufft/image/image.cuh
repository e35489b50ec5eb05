/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_IMAGE_CUH
#define NDFT_NUFFT_IMAGE_CUH

#include "core/device.cuh"
#include "nufft/field/rank.cuh"
#include "nufft/shape.h"

/*
 * Between image and grid. pad writes every cell of a pass: a voxel's value, deapodised and times
 * its weight in each term, or zero. crop takes voxels from the grid, deapodised, and sums the terms
 * with conjugate weights. With coil maps there is one image: pad reads it through a coil's map, and
 * crop sums the coils with conjugate maps.
 */

/* Cell x, y, z of column c is at cells[x + y * row + z * plane + c * column], complex of the
 * problem's precision; all strides are even. */
struct ndft_nufft_grid {
    void *cells;
    int64_t row, plane, column;
    int n[3]; /* cells per axis, 1 beyond dim */
};

/* The cell behind the last is the first. */
__device__ __forceinline__ int ndft_wrapped(int cell, int n) { return cell < n ? cell : cell - n; }

/* The part of all columns that goes through at a time: all coils of some terms, or some coils of
 * one. The grid of term l and coil c is column (l - term) * coils + c - coil. */
struct ndft_nufft_pass {
    int term, terms, coil, coils;
    bool joins; /* the output already holds the sum over earlier passes, to be added to */
};

/* What both need of a plan. */
struct ndft_nufft_image {
    ndft_prec prec;
    int n[3];              /* voxels per axis */
    int64_t count;         /* voxels in use */
    ndft_strides strides;  /* of the image */
    const void *scale[3];  /* [n] per axis, ones beyond dim */
    const int32_t *voxel;  /* [count] their indices; NULL: all */
    const int32_t *inside; /* [all voxels] place in that list, -1: not in use; NULL: all */
    const void *maps;      /* [coils][count]; NULL: each coil has an image of its own */
};

/* A coil's map, NULL without maps. */
template <class R>
__device__ __forceinline__ const ndft_complex<R> *ndft_map_of(const ndft_nufft_image &image,
                                                              int coil)
{
    return image.maps ? (const ndft_complex<R> *)image.maps + coil * image.count : nullptr;
}

/* What the coil of a map sees of a value at voxel v. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_seen(const ndft_complex<R> *map, int64_t v,
                                                     ndft_complex<R> value)
{
    if (!map) return value;
    ndft_complex<R> seen;
    ndft_rotate(seen, map[v], value);
    return seen;
}

/* The index along an axis of N voxels of what lies at a cell of n, -1: only zeros do. */
__device__ __forceinline__ int ndft_voxel_at(int cell, int n, int N)
{
    if (cell < (N + 1) / 2) return cell + N / 2;
    const int back = cell - (n - N / 2);
    return back >= 0 ? back : -1;
}

ndft_status ndft_nufft_image_make(ndft_arrays *, const ndft_problem *, const ndft_nufft_shape *,
                                  ndft_nufft_image *);

/* Coil maps of so many coils, planar on the host, which outlive it. */
ndft_status ndft_nufft_image_through(ndft_arrays *, int coils, const void *maps,
                                     ndft_nufft_image *);

ndft_status ndft_nufft_pad(ndft_exec *, const ndft_nufft_image *, const ndft_nufft_rank *,
                           const ndft_nufft_grid *, const ndft_nufft_pass *, const void *image);
ndft_status ndft_nufft_crop(ndft_exec *, const ndft_nufft_image *, const ndft_nufft_rank *,
                            const ndft_nufft_grid *, const ndft_nufft_pass *, void *image);

#endif
