/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_SAMPLES_CUH
#define NDFT_NUFFT_LINE_SAMPLES_CUH

#include "core/device.cuh"
#include "core/shares.cuh"
#include "gemm/line/line_phase.cuh"
#include "line_shape.h"
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

/* Between the vectors of a problem and what nufft_line works on. */

/* The samples of lines, and their grids: [coils][lines][cells]. */
struct ndft_line_ends {
    const ndft_line_direction *lines;
    int n_lines, cells, middle;
    const float *scale; /* [samples of a piece] 1/hat */
    ndft_strides strides;
};

/* Blocks (line, coil): the transformed grid to samples. */
static __global__ void ndft_line_crop(ndft_line_ends s, const ndft_complex<float> *grids,
                                      ndft_complex<float> *out)
{
    const ndft_line_direction &line = s.lines[blockIdx.x];
    grids += ((int64_t)blockIdx.y * s.n_lines + blockIdx.x) * s.cells;
    out += blockIdx.y * s.strides.coil + line.first * s.strides.element;
    for (int q = threadIdx.x; q < line.length; q += blockDim.x) {
        const int i = q + line.before, x = i - s.middle;
        const ndft_complex<float> z = grids[x < 0 ? x + s.cells : x];
        out[q * s.strides.element] = {z.re * s.scale[i], z.im * s.scale[i]};
    }
}

/* The other way round, with zeros where there is no sample. */
static __global__ void ndft_line_pad(ndft_line_ends s, const ndft_complex<float> *in,
                                     ndft_complex<float> *grids)
{
    const ndft_line_direction &line = s.lines[blockIdx.x];
    grids += ((int64_t)blockIdx.y * s.n_lines + blockIdx.x) * s.cells;
    in += blockIdx.y * s.strides.coil + line.first * s.strides.element;
    for (int cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const int i = (cell < (s.cells + 1) / 2 ? cell : cell - s.cells) + s.middle;
        const int q = i - line.before;
        ndft_complex<float> z = {0, 0};
        if (q >= 0 && q < line.length) {
            z = in[q * s.strides.element];
            z = {z.re * s.scale[i], z.im * s.scale[i]};
        }
        grids[cell] = z;
    }
}

/* values[coil][axis][i] = in of voxel order[axis][i], 0 where that is -1; coils in y. */
static __global__ void ndft_line_arrange(const ndft_complex<float> *in, ndft_strides strides,
                                         const int32_t *order, int64_t count,
                                         ndft_complex<float> *values)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int32_t v = order[i];
    ndft_complex<float> z = {0, 0};
    if (v >= 0) z = in[v * strides.element + blockIdx.y * strides.coil];
    values[blockIdx.y * count + i] = z;
}

#endif
