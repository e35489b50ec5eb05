/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SAMPLES_CUH
#define NDFT_NUFFT_SAMPLES_CUH

#include "core/complex.cuh"
#include "core/device.cuh"
#include "nufft/shape.h"

/*
 * Samples in device memory, sorted: by tile of the oversampled grid, and inside a tile by cell, x
 * fastest, so that neighbours in the list touch the same cells. A sample belongs to the tile of its
 * first cell; its width^dim cells may reach into the next tiles, around the grid's edge too. With
 * tiles of one cell the list is in the order of the grid and begin counts per cell.
 */
struct ndft_nufft_samples {
    int64_t count;
    const int32_t *number;   /* [count] the sample's number in the problem, where its data are */
    const int32_t *first[3]; /* [count] its first cell per axis, in [0, grid); NULL beyond dim */
    const void *s[3];        /* [count] its place among its cells, in [-1, 1): see window.h */
    int tile[3], tiles[3]; /* cells of a tile, the last of an axis cut short; tiles; 1 beyond dim */
    int64_t n_tiles;
    const int32_t *begin; /* [n_tiles + 1] first sample of each tile, tiles in order, x fastest */
};

/* Uploads, places and sorts, on the device. What it needs only meanwhile is released again. */
ndft_status ndft_nufft_sort(ndft_arrays *, const ndft_problem *, const ndft_nufft_shape *,
                            const int tile[3], ndft_nufft_samples *);

/*
 * Shares of the work: the samples of one tile in equal parts of at most `most`. Heaviest first, so
 * that a block that comes late is short. A part's samples are neighbours in the list, or dealt out:
 * of n parts each takes every n-th, so that they differ in their cells where many share one.
 */
struct ndft_nufft_part {
    int32_t tile, begin, end, step; /* sorted samples begin, begin + step .. below end */
};

ndft_status ndft_nufft_parts(ndft_arrays *, const ndft_nufft_samples *, int most,
                             const ndft_nufft_part **parts, int *count, bool dealt = false);

#endif
