/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_IMAGE_CUH
#define NDFT_NUFFT_IMAGE_CUH

#include "core/device.cuh"
#include "nufft/field/rank.cuh"
#include "nufft/shape.h"
#include "nufft/transform/grid.cuh"

/*
 * Between image and grid. pad writes every cell of a pass: a voxel's value, deapodised and times
 * its weight in each term, or zero. crop takes voxels from the grid, deapodised, and sums the terms
 * with conjugate weights.
 */

/* The part of all columns that goes through at a time: all coils of some terms, or some coils of
 * one. The grid of term l and coil c is column (l - term) * coils + c - coil. */
struct ndft_nufft_pass {
    int term, terms, coil, coils;
    bool joins; /* the output already holds the sum over earlier terms, to be added to */
};

/* A field map's tables (rank.h) in device memory; all NULL without one. */
struct ndft_nufft_rank {
    int terms, nodes, degree;
    int64_t n_voxels;
    const int32_t *row;
    const void *b, *turn, *c, *place;
};

template <class R> ndft_rank_view<R> ndft_rank_of(const ndft_nufft_rank &rank)
{
    return {rank.terms,
            rank.nodes,
            rank.terms * rank.nodes,
            rank.degree,
            rank.n_voxels,
            rank.row,
            (const ndft_complex<R> *)rank.b,
            (const ndft_complex<R> *)rank.turn,
            (const R *)rank.c,
            (const ndft_rank_place<R> *)rank.place};
}

/* What both need of a plan. */
struct ndft_nufft_image {
    ndft_prec prec;
    int n[3];              /* voxels per axis */
    int64_t count;         /* voxels in use */
    ndft_strides strides;  /* of the image */
    const void *scale[3];  /* [n] per axis, ones beyond dim */
    const int32_t *voxel;  /* [count] their indices; NULL: all */
    const int32_t *inside; /* [all voxels] place in that list, -1: not in use; NULL: all */
};

/* The index along an axis of N voxels of what lies at a cell of n, -1: only zeros do. */
__device__ __forceinline__ int ndft_voxel_at(int cell, int n, int N)
{
    if (cell < (N + 1) / 2) return cell + N / 2;
    const int back = cell - (n - N / 2);
    return back >= 0 ? back : -1;
}

ndft_status ndft_nufft_image_make(ndft_arrays *, const ndft_problem *, const ndft_nufft_shape *,
                                  ndft_nufft_image *);

ndft_status ndft_nufft_pad(ndft_exec *, const ndft_nufft_image *, const ndft_nufft_rank *,
                           const ndft_nufft_grid *, const ndft_nufft_pass *, const void *image);
ndft_status ndft_nufft_crop(ndft_exec *, const ndft_nufft_image *, const ndft_nufft_rank *,
                            const ndft_nufft_grid *, const ndft_nufft_pass *, void *image);

#endif
