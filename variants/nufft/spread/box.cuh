/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_BOX_CUH
#define NDFT_NUFFT_BOX_CUH

#include "nufft/view.cuh"

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

/* Cells of the largest box of a plan. */
inline int ndft_nufft_box_cells(const ndft_nufft_plan *plan)
{
    const int width = plan->shape.window.width;
    int cells = (plan->samples.tile[0] + width) / 2 * 2;
    for (int d = 1; d < plan->shape.dim; d++) cells *= plan->samples.tile[d] + width - 1;
    return cells;
}

#endif
