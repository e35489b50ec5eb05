/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CUBES_CUH
#define NDFT_NUFFT_CUBES_CUH

#include "core/mma.cuh"
#include "nufft/pipeline_cufft.cuh"

/*
 * Cubes of 8 x 8 x 8 cells inside a tile: what samples have in common whose windows lie in one
 * cube, so that they are spread to it, or read from it, as products of small matrices on tensor
 * cores. Cubes of a tile begin 9 - W cells apart. Samples are sorted by tile, then by cube. A warp
 * evaluates the weights of 32 samples, a lane each, into rows of 8 in shared memory, shifted to
 * where the window lies in its cube, zeros beside.
 */

namespace
{

constexpr int CUBE = 8; /* cells of an edge */
constexpr int CUBE_LEAST_WIDTH = 4, CUBE_MOST_WIDTH = 7;

constexpr int CUBE_ROW = 12;    /* reals from one sample's row of weights to the next */
constexpr int CUBE_COLUMN = 36; /* from one cell's weights of all samples to the next's */

/* Samples of which one cube has all the windows begin within so many cells. */
template <int W> constexpr int cube_step = CUBE + 1 - W;

/* Cells of a tile along an axis: few, so that what its windows reach leaves room for other warps;
 * even along x. */
__host__ __device__ constexpr int cube_tile(int width, int axis)
{
    const int step = CUBE + 1 - width, cubes = width == 7 ? 3 : 2;
    if (axis == 0) return (width < 6 ? 2 : 4) * step;
    return axis == 2 && width == 4 ? step : cubes * step;
}

/* A sample's weights along an axis, `step` reals apart. */
template <int W>
__device__ __forceinline__ void put_weights(const ndft_weights<float, W> &weights, float s,
                                            int shift, float *to, int step)
{
    float at[W];
    ndft_weigh(weights, s, at);
#pragma unroll
    for (int c = 0; c < CUBE; c++) to[c * step] = 0;
    to += shift * step;
#pragma unroll
    for (int c = 0; c < W; c++) to[c * step] = at[c];
}

/* Eight weights of a sample. */
struct cube_row {
    float v[CUBE];

    __device__ __forceinline__ cube_row(const float *row)
    {
#pragma unroll
        for (int h = 0; h < CUBE; h += 4) {
            const auto four = *(const ndft_pack<float, 4> *)(row + h);
#pragma unroll
            for (int c = 0; c < 4; c++) v[h + c] = four.v[c];
        }
    }
};

/* f(first and end of samples of one cube, their lane's `cube`) for the first `count` lanes. */
template <class F> __device__ __forceinline__ void each_cube(int cube, int count, F f)
{
    const int lane = threadIdx.x % 32, before = __shfl_up_sync(~0u, cube, 1);
    unsigned begins = __ballot_sync(~0u, lane > 0 && lane < count && cube != before);
    for (int first = 0; first < count;) {
        const int end = begins ? __ffs((int)begins) - 1 : count;
        begins &= begins - 1;
        f(first, end, __shfl_sync(~0u, cube, first));
        first = end;
    }
}

/* A lane's parts of the sums of samples `at` and `at` + 1, both real parts, then both imaginary
 * ones, are added to those of the lanes that have the same samples, a multiple of four away; the
 * sums of samples before `end` go to shared memory. */
__device__ __forceinline__ void add_lanes(const float (&part)[4], int at, int end,
                                          ndft_complex<float> *sum)
{
    const int g = threadIdx.x / 4;
    const bool odd = g & 1, imaginary = g & 2;
    const float re = (odd ? part[1] : part[0]) + __shfl_xor_sync(~0u, odd ? part[0] : part[1], 4);
    const float im = (odd ? part[3] : part[2]) + __shfl_xor_sync(~0u, odd ? part[2] : part[3], 4);
    float one = (imaginary ? im : re) + __shfl_xor_sync(~0u, imaginary ? re : im, 8);
    one += __shfl_xor_sync(~0u, one, 16);
    if (g < 4 && at + odd < end) (imaginary ? sum[at + odd].im : sum[at + odd].re) = one;
}

/* Parts of tf32 of a number: three products of them are one of f32. */
template <int N> struct cube_operand {
    unsigned high[N], low[N];

    __device__ __forceinline__ void put(int i, float value)
    {
        ndft_split_tf32(value, high[i], low[i]);
    }
};

} // namespace

#endif
