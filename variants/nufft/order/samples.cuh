/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SAMPLES_CUH
#define NDFT_NUFFT_SAMPLES_CUH

#include "core/complex.cuh"
#include "core/device.cuh"
#include "nufft/image/image.cuh"
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

/* What the device has, for the host, which waits for it. */
template <class T>
ndft_status ndft_fetch(const ndft_exec *exec, const T *device, T *host, const char *what)
{
    const cudaStream_t stream = ndft_stream(exec);
    cudaError_t error = cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    return ndft_checked(exec, error, what);
}

/* Pieces of one allocation, which costs what a kernel does; of none, only their sum is found. */
struct ndft_shelf {
    char *memory;
    size_t used;

    template <class T> T *take(int64_t count)
    {
        T *piece = (T *)(memory + used);
        used += ((size_t)count * sizeof(T) + 255) / 256 * 256;
        return piece;
    }
};

/* Uploads, places and sorts, on the device. What it needs only meanwhile is released again. Inside
 * a tile samples are in the order of boxes of so many cells an edge, before that of their cells; of
 * one cell for none. */
ndft_status ndft_nufft_sort(ndft_arrays *, const ndft_problem *, const ndft_nufft_shape *,
                            const int tile[3], int box, ndft_nufft_samples *);

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

/*
 * For each tile of cells all samples whose window reaches into it, as in T. S. Sorensen, T.
 * Schaeffter, K. O. Noe, M. S. Hansen, "Accelerating the nonequispaced fast Fourier transform on
 * commodity graphics hardware", IEEE Trans. Med. Imaging 27, 2008, section III-B: runs of
 * successive samples, each the first of them and how many. Here successive means in sorted order,
 * so that a tile whose neighbours are reached whole has few runs, whatever the trajectory.
 */
struct ndft_nufft_run {
    int32_t first, count;
};

/* The samples [from, to) of the list of the tile that begins at these cells, which are in its runs
 * [run, end), for one warp. Long lists come in several units, each with a slot for its part of the
 * tile; slot -1: it is the whole list. */
struct ndft_nufft_unit {
    int32_t at[3], run, end, from, to, slot;
};

/* A tile in several units: their slots. */
struct ndft_nufft_joint {
    int32_t at[3], begin, end;
};

struct ndft_nufft_lists {
    int tile[3]; /* cells of a tile, the last of an axis cut short */
    const ndft_nufft_run *run;
    const ndft_nufft_unit *unit; /* those of cut lists first; every tile is in one at least */
    const ndft_nufft_joint *joint;
    int n_units, n_joints, n_slots;
};

/* The lists over the tiles that samples are sorted by, in units of at most `most` samples. */
ndft_status ndft_nufft_lists_make(ndft_arrays *, const ndft_nufft_samples *,
                                  const ndft_nufft_shape *, int most, ndft_nufft_lists *);

/*
 * The cells that the samples of one tile touch: the tile and width - 1 cells beyond it, a box that
 * fits into shared memory. Its rows have an even number of cells and begin at even ones, so that
 * two f32 cells go between it and the grid at a time; where the grid ends it wraps around.
 */
struct ndft_nufft_box {
    int origin[3], size[3]; /* cells; 1 beyond dim */
    int row;                /* cells from a row of the box to the next */

    __device__ ndft_nufft_box(const ndft_nufft_samples &samples, const ndft_nufft_grid &grid,
                              int width, int tile)
        : row((samples.tile[0] + width) / 2 * 2)
    {
        for (int d = 0; d < 3; d++) {
            origin[d] = tile % samples.tiles[d] * samples.tile[d];
            tile /= samples.tiles[d];
            size[d] = min(samples.tile[d], grid.n[d] - origin[d]);
            if (samples.first[d]) size[d] += width - 1;
        }
        size[0] = (size[0] + 1) / 2 * 2;
    }

    /* The box's cell where sorted sample i begins. */
    __device__ int first(const ndft_nufft_samples &samples, int64_t i) const
    {
        int at = 0;
        if (samples.first[2]) at = (samples.first[2][i] - origin[2]) * size[1];
        if (samples.first[1]) at += samples.first[1][i] - origin[1];
        return at * row + samples.first[0][i] - origin[0];
    }

    /* f(cell of the box, cell of a column) for a block's share of the box, PAIR cells at a time. */
    template <int PAIR, class F>
    __device__ __forceinline__ void each(const ndft_nufft_grid &grid, F f) const
    {
        const int across = size[0] / PAIR, count = across * size[1] * size[2];
        for (int e = threadIdx.x; e < count; e += blockDim.x) {
            const int y = e / across, x = (e - y * across) * PAIR, z = y / size[1];
            const int64_t to = ndft_wrapped(origin[0] + x, grid.n[0]) +
                               ndft_wrapped(origin[1] + y - z * size[1], grid.n[1]) * grid.row +
                               ndft_wrapped(origin[2] + z, grid.n[2]) * grid.plane;
            f(y * row + x, to);
        }
    }
};

/* Cells of the largest box. */
inline int ndft_nufft_box_cells(const ndft_nufft_samples &samples, int dim, int width)
{
    int cells = (samples.tile[0] + width) / 2 * 2;
    for (int d = 1; d < dim; d++) cells *= samples.tile[d] + width - 1;
    return cells;
}

#endif
