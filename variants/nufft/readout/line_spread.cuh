/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_SPREAD_CUH
#define NDFT_NUFFT_LINE_SPREAD_CUH

#include "line_samples.cuh"

/*
 * Voxels to the grids of lines. A warp has a line's grid of its own in shared memory, or those of G
 * coils, and walks voxels, one a lane: no atomics. Lanes add their windows cell by cell in step, so
 * that only windows that start at the same cell meet; those take turns. Voxels come in an order for
 * each axis, in which neighbouring lanes are NDFT_LINE_STRIDE voxels apart along the axis that the
 * line's phase changes fastest with, four cells or more.
 */

enum { NDFT_LINE_STRIDE = 3, NDFT_LINE_STEP = 256 };

template <int G> constexpr int ndft_line_warps = 24 / G; /* of a block, at most */

struct ndft_line_to {
    ndft_line_grid grid;
    const ndft_line_direction *lines;
    const unsigned char *axis;         /* [lines] whose order of voxels suits it */
    const ndft_line_voxel *voxels;     /* [axes][padded] */
    const ndft_complex<float> *values; /* [coils][axes][padded], zeros beyond n_voxels */
    int64_t padded;                    /* n_voxels in whole steps */
    int n_lines, coils, axes;
    ndft_split<float> split;
};

/* A voxel and its value in each coil. */
template <int G> struct ndft_line_input {
    ndft_line_voxel voxel;
    ndft_complex<float> value[G];

    __device__ __forceinline__ void load(const ndft_line_voxel *voxels,
                                         const ndft_complex<float> *const (&values)[G], int64_t i)
    {
        voxel = voxels[i];
#pragma unroll
        for (int g = 0; g < G; g++) value[g] = values[g][i];
    }
};

/* grid[g] += weights z[g], of all lanes. */
template <int W, int G>
__device__ __forceinline__ void
ndft_add_windows(ndft_complex<float> *const (&grid)[G], const ndft_line_window &at,
                 const float (&weight)[W], const ndft_complex<float> (&z)[G])
{
    const unsigned peers = __match_any_sync(~0u, at.first);
    const unsigned rank = __popc(peers & ((1u << threadIdx.x % 32) - 1));
    const unsigned most = __reduce_max_sync(~0u, rank);
    for (unsigned turn = 0; turn <= most; turn++) {
#pragma unroll
        for (int w = 0; w < W; w++) {
            const int cell = (w % 2 ? at.odd : at.even) + w / 2;
            if (turn == rank) {
                ndft_complex<float> sum[G];
#pragma unroll
                for (int g = 0; g < G; g++) sum[g] = grid[g][cell];
#pragma unroll
                for (int g = 0; g < G; g++)
                    grid[g][cell] = {fmaf(weight[w], z[g].re, sum[g].re),
                                     fmaf(weight[w], z[g].im, sum[g].im)};
            }
            __syncwarp();
        }
    }
}

template <int W, int G>
__device__ __forceinline__ void
ndft_spread_voxel(const ndft_line_to &s, const ndft_weights<float, W> &weights,
                  const ndft_line_direction &way, const ndft_line_input<G> &in,
                  ndft_complex<float> *const (&grid)[G])
{
    const ndft_line_window at = ndft_line_place(ndft_fixed_turns(way.step, in.voxel), s.grid);
    const ndft_complex<float> turn = ndft_fixed_phasor(0 - ndft_fixed_turns(way.middle, in.voxel));
    float weight[W];
    ndft_weigh(weights, at.s, weight);
    ndft_complex<float> z[G];
#pragma unroll
    for (int g = 0; g < G; g++) ndft_rotate(z[g], turn, in.value[g]);
    ndft_add_windows(grid, at, weight, z);
}

/* The sum over all places of a cell. */
__device__ __forceinline__ ndft_complex<float>
ndft_line_folded(const ndft_line_grid &grid, const ndft_complex<float> *places, int cell)
{
    const int first = cell + grid.back;
    ndft_complex<float> sum = {0, 0};
    for (int i = first < grid.cells ? first : first - grid.cells; i < grid.places;
         i += grid.cells) {
        const ndft_complex<float> z = places[ndft_line_at(grid, i)];
        sum.re += z.re;
        sum.im += z.im;
    }
    return sum;
}

/* Sums are the grids of a block's warps for groups of G coils, their steps NDFT_LINE_STEP voxels.
 * Shared memory: G grids a warp. No tables of weights. */
template <int W, int G>
__global__ void __launch_bounds__(32 * ndft_line_warps<G>, 1)
    ndft_line_to_grids(ndft_line_to s, ndft_weights<float, W> weights, ndft_complex<float> *grids)
{
    extern __shared__ __align__(16) unsigned char shared[];
    __builtin_assume(weights.table == nullptr);
    const int room = ndft_line_room(s.grid), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int64_t end = s.split.shares.begin(blockIdx.x + 1), groups = s.split.outputs.blocks;
    for (int64_t at = s.split.shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(s.split.shares, blockIdx.x, at);
        const int64_t line = segment.sum % groups * (blockDim.x / 32) + warp;
        const int of = (int)min(line, (int64_t)s.n_lines - 1), axis = s.axis[of];
        const ndft_line_direction way = s.lines[of];
        ndft_complex<float> *grid[G];
        const ndft_complex<float> *values[G];
#pragma unroll
        for (int g = 0; g < G; g++) {
            const int64_t coil = min(segment.sum / groups * G + g, (int64_t)s.coils - 1);
            grid[g] = (ndft_complex<float> *)shared + (warp * G + g) * room;
            values[g] = s.values + (coil * s.axes + axis) * s.padded;
        }
        for (int i = lane; i < G * room; i += 32) grid[0][i] = {0, 0};
        __syncwarp();
        const ndft_line_voxel *voxels = s.voxels + axis * s.padded;
        const int64_t last = (int64_t)segment.end * NDFT_LINE_STEP;
        int64_t i = (int64_t)segment.begin * NDFT_LINE_STEP + lane;
        ndft_line_input<G> next;
        next.load(voxels, values, i);
        for (; i < last; i += 32) {
            const ndft_line_input<G> now = next;
            if (i + 32 < last) next.load(voxels, values, i + 32);
            ndft_spread_voxel(s, weights, way, now, grid);
        }
        for (int cell = lane; cell < s.grid.cells; cell += 32)
#pragma unroll
            for (int g = 0; g < G; g++)
                ndft_put(s.split, segment, warp * s.grid.cells + cell,
                         ndft_line_folded(s.grid, grid[g], cell), grids, g);
        __syncwarp();
        at += segment.end - segment.begin;
    }
}

#endif
