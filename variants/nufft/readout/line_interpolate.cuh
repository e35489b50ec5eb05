/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_INTERPOLATE_CUH
#define NDFT_NUFFT_LINE_INTERPOLATE_CUH

#include "line_samples.cuh"

#include <cuda_pipeline.h>

/*
 * Transformed lines to voxels. A thread keeps the sums of a few voxels, all coils of a group, and
 * walks lines; a line's grids come into shared memory while those before it are worked on. Beside W
 * reads and multiply-adds per coil a visit costs two phases and W weights.
 */

enum { NDFT_LINE_OWN = 2, NDFT_LINE_TEAM = 384 }; /* voxels of a thread, threads */

struct ndft_line_from {
    ndft_line_grid grid;
    const ndft_line_direction *lines;
    const ndft_line_voxel *voxels;    /* [n_voxels] */
    const ndft_complex<float> *grids; /* [coils][lines][cells] */
    int64_t n_voxels;
    int n_lines, coils;
    ndft_split<float> split;
};

/* A line's grid in shared memory: cell 0 is at NDFT_LINE_MARGIN, what windows reach beyond both
 * ends before and after. */
enum { NDFT_LINE_MARGIN = 8, NDFT_LINE_MOST_CELLS = 1024 };

inline __host__ __device__ int ndft_line_stage(const ndft_line_grid &grid)
{
    return grid.cells + 2 * NDFT_LINE_MARGIN;
}

/* What comes next for a thread: its share of a line's grids and of the line's phases. */
template <int C> struct ndft_line_feed {
    static constexpr int PAIRS = (NDFT_LINE_MOST_CELLS / 2 - 1) / NDFT_LINE_TEAM + 1;
    const ndft_complex<float> *cell[C]; /* 2 threadIdx.x of the next line */
    const uint4 *way;
    int end_from, end_to; /* from there: what lies beyond the grid's ends */

    __device__ __forceinline__ ndft_line_feed(const ndft_line_from &s, int line, int64_t coil)
    {
        const int i = threadIdx.x, cells = s.grid.cells;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const int64_t column = min(coil + c, (int64_t)s.coils - 1) * s.n_lines + line;
            cell[c] = s.grids + column * cells + 2 * i;
        }
        way = (const uint4 *)(s.lines + line) + i;
        const bool before = i < s.grid.back;
        end_from = (before ? cells : 0) - s.grid.back - i;
        end_to = (before ? 0 : cells) - s.grid.back + i;
    }

    /* Starts the copies. */
    __device__ __forceinline__ void next(const ndft_line_from &s, ndft_complex<float> *to,
                                         ndft_line_direction *line)
    {
        const int i = threadIdx.x, cells = s.grid.cells;
        to += NDFT_LINE_MARGIN;
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int k = 0; k < PAIRS; k++) {
                const int j = 2 * k * NDFT_LINE_TEAM;
                if (j + 2 * i < cells)
                    __pipeline_memcpy_async(to + j + 2 * i, cell[c] + j, 2 * sizeof *to);
            }
            if (i < s.grid.places - cells)
                __pipeline_memcpy_async(to + end_to, cell[c] + end_from, sizeof *to);
            cell[c] += cells;
            to += ndft_line_stage(s.grid);
        }
        if (i < sizeof *line / 16) __pipeline_memcpy_async((uint4 *)line + i, way, 16);
        way += sizeof *line / 16;
        __pipeline_commit();
    }
};

/* Adds a line's share of one voxel. */
template <int W, int C>
__device__ __forceinline__ void
ndft_visit_line(const ndft_line_from &s, const ndft_weights<float, W> &weights,
                const ndft_complex<float> *grids, const ndft_line_direction &way,
                const ndft_line_voxel &voxel, ndft_complex<float> (&total)[C])
{
    const ndft_line_window at = ndft_line_place(ndft_fixed_turns(way.step, voxel), s.grid);
    const ndft_complex<float> turn = ndft_fixed_phasor(ndft_fixed_turns(way.middle, voxel));
    float weight[W];
    ndft_weigh(weights, at.s, weight);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const ndft_complex<float> *cell = grids + c * ndft_line_stage(s.grid) + at.first;
        ndft_complex<float> sum = {0, 0};
#pragma unroll
        for (int w = 0; w < W; w++) {
            sum.re = fmaf(weight[w], cell[w].re, sum.re);
            sum.im = fmaf(weight[w], cell[w].im, sum.im);
        }
        ndft_accumulate(total[c], turn.re, turn.im, sum);
    }
}

/* Sums are blocks of voxels for groups of C coils, their steps lines. Shared memory: two stages of
 * C grids and a way. */
template <int W, int C>
__global__ void __launch_bounds__(NDFT_LINE_TEAM, C == 1 ? 2 : 1)
    ndft_line_to_voxels(ndft_line_from s, ndft_weights<float, W> weights, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto *ways = (ndft_line_direction *)shared;
    auto *stages = (ndft_complex<float> *)(ways + 2);
    const int stage = C * ndft_line_stage(s.grid), first = NDFT_LINE_MARGIN - s.grid.back;
    __builtin_assume(weights.table == nullptr);
    const int64_t end = s.split.shares.begin(blockIdx.x + 1);
    for (int64_t at = s.split.shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(s.split.shares, blockIdx.x, at);
        const int64_t coil = segment.sum / s.split.outputs.blocks * C;
        ndft_line_feed<C> feed(s, segment.begin, coil);
        ndft_line_voxel voxel[NDFT_LINE_OWN];
        ndft_complex<float> total[NDFT_LINE_OWN][C] = {};
#pragma unroll
        for (int v = 0; v < NDFT_LINE_OWN; v++) {
            const int64_t i = s.split.outputs.place(segment.sum, v * NDFT_LINE_TEAM + threadIdx.x);
            voxel[v] = s.voxels[min(i, s.n_voxels - 1)];
        }
        feed.next(s, stages, ways);
        for (int line = segment.begin; line < segment.end; line++) {
            const int now = (line - segment.begin) % 2;
            __pipeline_wait_prior(0);
            __syncthreads();
            if (line + 1 < segment.end) feed.next(s, stages + (1 - now) * stage, ways + 1 - now);
#pragma unroll
            for (int v = 0; v < NDFT_LINE_OWN; v++)
                ndft_visit_line<W>(s, weights, stages + now * stage + first, ways[now], voxel[v],
                                   total[v]);
        }
        __syncthreads();
#pragma unroll
        for (int v = 0; v < NDFT_LINE_OWN; v++)
#pragma unroll
            for (int c = 0; c < C; c++)
                ndft_put(s.split, segment, v * NDFT_LINE_TEAM + (int)threadIdx.x, total[v][c], out,
                         c);
        at += segment.end - segment.begin;
    }
}

#endif
