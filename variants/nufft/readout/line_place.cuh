/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_PLACE_CUH
#define NDFT_NUFFT_LINE_PLACE_CUH

#include "core/shares.cuh"
#include "gemm/line/line_phase.cuh"
#include "nufft/window/weights.cuh"

/*
 * What both directions of nufft_line share: a voxel's place on a line's grid, and how that grid
 * lies in shared memory.
 */

/* Phases in turns per unit of ndft_line_voxel: at the middle, and from sample to sample. */
struct alignas(16) ndft_line_direction {
    double middle[4], step[4];
    int64_t first;      /* sample */
    int length, before; /* as ndft_line's */
};

/*
 * A grid of n cells in shared memory has W more places, so that windows need not wrap: place i is
 * cell i - back mod n. Even places come first and odd ones `odd` later, so that neighbouring lanes,
 * which are two cells apart or one, meet different banks; a half is 8 mod 16 complex numbers for
 * the same reason.
 */
struct ndft_line_grid {
    int cells, back, places, odd;
    unsigned round; /* 2^-32 cells: half a cell for odd widths */
};

inline ndft_line_grid ndft_line_grid_of(int cells, int width)
{
    ndft_line_grid grid = {cells, (width + 1) / 2 - 1, cells + width, 0, width % 2 ? 1u << 31 : 0u};
    grid.odd = ((grid.places + 1) / 2 + 7) / 16 * 16 + 8;
    return grid;
}

/* Complex numbers that it takes. */
inline __host__ __device__ int ndft_line_room(const ndft_line_grid &grid) { return 2 * grid.odd; }

__device__ __forceinline__ int ndft_line_at(const ndft_line_grid &grid, int place)
{
    return place / 2 + (place & 1) * grid.odd;
}

/* Where a window starts, as pointers to its even and its odd cells, and the s of its weights. */
struct ndft_line_window {
    int first, even, odd;
    float s;
};

/* turns: the phase per sample, in units of 2^-32. */
__device__ __forceinline__ ndft_line_window ndft_line_place(unsigned turns,
                                                            const ndft_line_grid &grid)
{
    const uint64_t at = (uint64_t)turns * (unsigned)grid.cells + grid.round;
    const int first = (int)(at >> 32);
    const bool odd = first & 1;
    return {first, first / 2 + (odd ? grid.odd : 0), (first + 1) / 2 + (odd ? 0 : grid.odd),
            (float)(int)(0x7fffffffu - (unsigned)at) * 0x1p-31f};
}

#endif
