/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_CONVOLVE_CUH
#define NDFT_NUFFT_LINE_CONVOLVE_CUH

#include "line_samples.cuh"

#include <cuda_pipeline.h>

/*
 * Voxels to the grids of lines. A warp has a line's grid of its own in shared memory, or those of G
 * coils, and takes voxel after voxel, one a lane: no atomics. Lanes add their windows cell by cell
 * in step, so that only windows that start at the same cell meet; those take turns. Voxels come in
 * an order for each axis, in which neighbouring lanes are NDFT_LINE_STRIDE voxels apart along the
 * axis that the line's phase changes fastest with, four cells or more.
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
                  const ndft_line_direction &direction, const ndft_line_input<G> &in,
                  ndft_complex<float> *const (&grid)[G])
{
    const ndft_line_window at = ndft_line_place(ndft_fixed_turns(direction.step, in.voxel), s.grid);
    const ndft_complex<float> turn =
        ndft_fixed_phasor(0 - ndft_fixed_turns(direction.middle, in.voxel));
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
        const ndft_line_direction direction = s.lines[of];
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
            ndft_spread_voxel(s, weights, direction, now, grid);
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

/*
 * Transformed lines to voxels. A thread keeps the sums of a few voxels, all coils of a group, and
 * takes line after line; a line's grids come into shared memory while those before it are worked
 * on. Beside W reads and multiply-adds per coil a visit costs two phases and W weights.
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
    const uint4 *direction;
    int end_from, end_to; /* from there: what lies beyond the grid's ends */

    __device__ __forceinline__ ndft_line_feed(const ndft_line_from &s, int line, int64_t coil)
    {
        const int i = threadIdx.x, cells = s.grid.cells;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const int64_t column = min(coil + c, (int64_t)s.coils - 1) * s.n_lines + line;
            cell[c] = s.grids + column * cells + 2 * i;
        }
        direction = (const uint4 *)(s.lines + line) + i;
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
        if (i < sizeof *line / 16) __pipeline_memcpy_async((uint4 *)line + i, direction, 16);
        direction += sizeof *line / 16;
        __pipeline_commit();
    }
};

/* Adds a line's share of one voxel. */
template <int W, int C>
__device__ __forceinline__ void
ndft_visit_line(const ndft_line_from &s, const ndft_weights<float, W> &weights,
                const ndft_complex<float> *grids, const ndft_line_direction &direction,
                const ndft_line_voxel &voxel, ndft_complex<float> (&total)[C])
{
    const ndft_line_window at = ndft_line_place(ndft_fixed_turns(direction.step, voxel), s.grid);
    const ndft_complex<float> turn = ndft_fixed_phasor(ndft_fixed_turns(direction.middle, voxel));
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
 * C grids and a direction. */
template <int W, int C>
__global__ void __launch_bounds__(NDFT_LINE_TEAM, C == 1 ? 2 : 1)
    ndft_line_to_voxels(ndft_line_from s, ndft_weights<float, W> weights, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto *directions = (ndft_line_direction *)shared;
    auto *stages = (ndft_complex<float> *)(directions + 2);
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
        feed.next(s, stages, directions);
        for (int line = segment.begin; line < segment.end; line++) {
            const int now = (line - segment.begin) % 2;
            __pipeline_wait_prior(0);
            __syncthreads();
            if (line + 1 < segment.end)
                feed.next(s, stages + (1 - now) * stage, directions + 1 - now);
#pragma unroll
            for (int v = 0; v < NDFT_LINE_OWN; v++)
                ndft_visit_line<W>(s, weights, stages + now * stage + first, directions[now],
                                   voxel[v], total[v]);
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

/* What voxels and lines cost when they meet, by the machine code and ncu; the transforms of lines
 * are little beside it. */
inline ndft_cost ndft_line_cost(const ndft_problem *p, ndft_op op, const int *k,
                                const ndft_line_limits &limits)
{
    const bool adjoint = op == NDFT_ADJOINT;
    const ndft_line_cut cut = ndft_line_cut_of(p, limits.longest);
    const ndft_problem line = ndft_line_problem(p, cut.length);
    const double width = ndft_line_chosen(&line, k, &limits).k[NDFT_KNOB_WIDTH];
    const double lines = (double)ndft_n_lines(p, &cut);
    const double cells = cut.length * k[NDFT_LINE_SIGMA] / 100.0;
    const int together = p->coils == 1 ? 1 : adjoint ? 4 : 2; /* coils that share weights */
    const double visits = lines * (double)p->n_voxels * ndft_blocks(p->coils, together);
    const double adds = visits * together; /* of coils that are not there, too */
    const double grids = lines * cells * p->coils * sizeof(ndft_complex<float>);
    ndft_cost cost = {};
    cost.fma = visits * (12 + (width + 1) * (width + 1) / 2) + adds * (2 * width + 4);
    cost.add = visits * 2 + 18 * lines * cells * p->coils; /* and the transforms' */
    cost.special = visits * (adjoint ? 2.2 : 3);
    cost.integer = visits * (adjoint ? 32 : 40);
    cost.issue_slots = visits * (adjoint ? 41 + 5.5 * width : 93 + 10.5 * width) +
                       adds * (adjoint ? 8 + 5 * width : 5 * width);
    cost.shared_bytes = adds * width * (adjoint ? 15.4 : 44);
    cost.l2_bytes =
        adjoint ? adds * cells * sizeof(ndft_complex<float>) / (NDFT_LINE_TEAM * NDFT_LINE_OWN)
                : visits * 10;
    cost.dram_bytes = ndft_both_bytes(p) + 2 * grids +
                      2 * fmax(0, grids - 25e6); /* which L2 holds of what is written */
    cost.launches = adjoint ? 4 : 5;
    return cost;
}

#endif
