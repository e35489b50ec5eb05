/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SQUARES_CUH
#define NDFT_NUFFT_SQUARES_CUH

#include "core/atomic_add.cuh"
#include "nufft/order/cubes.cuh"

/*
 * Spreading of few columns in two dimensions by products, a column at a time: what the windows of a
 * tile of 8 x 8 cells reach is a square of 16 x 16 cells at most, which a warp has in registers,
 * two by two sums of 8 x 8 cells, for a part of a tile's samples,
 *
 *     sum (8 of real and imaginary parts, 16, x 8) += data times weights along y  weights along x.
 *
 * Nothing but weights and data goes through shared memory, and nothing waits for other warps: few
 * columns wait for latencies. Weights are evaluated before the kernel before has ended.
 */

namespace
{

constexpr int SQUARE_TILE = 8;
constexpr int SQUARE = 16;             /* cells of an edge */
constexpr int SQUARE_ROW = SQUARE + 9; /* reals from one sample's weights to the next's */
constexpr int SQUARE_WARPS = 4;        /* of a block */

struct square_weights {
    float x[32 * SQUARE_ROW], y[32 * SQUARE_ROW];
    ndft_complex<float> value[32];
};

/* Cells beyond the tile's first that its windows reach. */
template <int W> constexpr int square_reach = SQUARE_TILE + W - 1;

/* The weights of sample i along an axis, in 16 cells from the tile's first on. */
template <int W, bool ALONE>
__device__ __forceinline__ void put_square_row(const ndft_nufft_view<float, W> &view, int axis,
                                               int i, int origin, float *rows)
{
    float at[W], *row = rows + threadIdx.x * SQUARE_ROW;
    const float s = ((const float *)view.samples.s[axis])[i];
    if constexpr (ALONE)
        ndft_weigh_pairs<ndft_degree<W>>(view.weights, s, at);
    else
        ndft_weigh(view.weights, s, at);
#pragma unroll
    for (int c = 0; c < SQUARE; c++) row[c] = 0;
    row += view.samples.first[axis][i] - origin;
#pragma unroll
    for (int c = 0; c < W; c++) row[c] = at[c];
}

template <int W, bool ALONE>
__device__ __forceinline__ void put_square(const ndft_nufft_view<float, W> &view, int i,
                                           const int origin[2], square_weights &m)
{
    put_square_row<W, ALONE>(view, 0, i, origin[0], m.x);
    put_square_row<W, ALONE>(view, 1, i, origin[1], m.y);
}

/* sum += eight samples from `first` on, of which those from `end` on count nothing; of rows g and
 * g + 8 real and imaginary parts, two cells along x. */
__device__ __forceinline__ void add_to_square(const square_weights &m, int first, int end,
                                              float (&sum)[2][2][4])
{
    using product = ndft_mma_tf32;
    const int g = threadIdx.x / 4, q = threadIdx.x % 4;
    cube_operand<4> a[2];
    cube_operand<2> b[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int sample = first + q + 4 * k, s = min(sample, 31) * SQUARE_ROW;
        ndft_complex<float> value = m.value[min(sample, 31)];
        if (sample >= end) value = {0, 0};
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const float y = m.y[s + 8 * h + g];
            a[h].put(2 * k, y * value.re);
            a[h].put(2 * k + 1, y * value.im);
            b[h].put(k, m.x[s + 8 * h + g]);
        }
    }
#pragma unroll
    for (int y = 0; y < 2; y++)
#pragma unroll
        for (int x = 0; x < 2; x++)
            product::multiply(sum[y][x], a[y].high, b[x].high[0], b[x].high[1]);
#pragma unroll
    for (int y = 0; y < 2; y++)
#pragma unroll
        for (int x = 0; x < 2; x++)
            product::multiply(sum[y][x], a[y].low, b[x].high[0], b[x].high[1]);
#pragma unroll
    for (int y = 0; y < 2; y++)
#pragma unroll
        for (int x = 0; x < 2; x++)
            product::multiply(sum[y][x], a[y].high, b[x].low[0], b[x].low[1]);
}

/* f(half along y, along x, cell of a column) for a lane's pairs of cells that windows reach. */
template <int W, class F>
__device__ __forceinline__ void each_pair(const ndft_nufft_grid &grid, const int origin[2], F f)
{
    const int g = threadIdx.x / 4, q = threadIdx.x % 4;
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 2; e++) {
            const int y = 8 * h + g, x = 8 * e + 2 * q;
            if (y < square_reach<W> && x < square_reach<W>)
                f(h, e,
                  ndft_wrapped(origin[0] + x, grid.n[0]) +
                      ndft_wrapped(origin[1] + y, grid.n[1]) * grid.row);
        }
}

__device__ __forceinline__ void square_origin(const ndft_nufft_samples &samples, int tile,
                                              int origin[2])
{
    origin[0] = tile % samples.tiles[0] * SQUARE_TILE;
    origin[1] = tile / samples.tiles[0] * SQUARE_TILE;
}

/* Warp = part of a tile (x) of a column (y). ALONE: of one column, without a field map, whose
 * weights come by polynomials: fewer instructions before samples are there. */
template <int W, bool ALONE>
__global__ void __launch_bounds__(32 * SQUARE_WARPS)
    spread_squares(const __grid_constant__ ndft_nufft_view<float, W> view,
                   const ndft_nufft_part *parts, int count, const ndft_complex<float> *in)
{
    __shared__ square_weights memory[SQUARE_WARPS];
    square_weights &m = memory[threadIdx.y];
    const int index = blockIdx.x * SQUARE_WARPS + threadIdx.y;
    const int term = ALONE ? 0 : blockIdx.y % view.pass.terms;
    const int coil = ALONE ? 0 : blockIdx.y / view.pass.terms;
    if (index >= count) return;
    const ndft_nufft_part part = parts[index];
    int origin[2];
    square_origin(view.samples, part.tile, origin);
    float sum[2][2][4] = {};
    for (int i = part.begin; i < part.end; i += 32) {
        const int mine = min(i + (int)threadIdx.x, part.end - 1), samples = min(32, part.end - i);
        const int64_t j = view.samples.number[mine];
        __syncwarp();
        put_square<W, ALONE>(view, mine, origin, m);
        ndft_complex<float> turn = {1, 0};
        if constexpr (!ALONE) turn = ndft_sample_weight(view, j, term);
        turn.im = -turn.im;
        ndft_wait_for_kernel_before();
        const ndft_complex<float> datum = in[ndft_datum(view, j, coil)];
        if constexpr (ALONE)
            m.value[threadIdx.x] = datum;
        else
            ndft_rotate(m.value[threadIdx.x], turn, datum);
        __syncwarp();
#pragma unroll 1
        for (int k = 0; k < samples; k += 8) add_to_square(m, k, samples, sum);
    }
    ndft_complex<float> *column = ndft_column(view, term, coil);
    each_pair<W>(view.grid, origin, [&](int h, int e, int64_t to) {
        const float(&s)[4] = sum[h][e];
        if (s[0] != 0 || s[1] != 0 || s[2] != 0 || s[3] != 0)
            ndft_atomic_add((ndft_pack<float, 4> *)(column + to), {s[0], s[2], s[1], s[3]});
    });
}

template <int W>
ndft_status run_spread_squares(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                               const ndft_nufft_part *parts, int count, const void *in)
{
    const dim3 blocks(ndft_blocks(count, SQUARE_WARPS), (unsigned)(pass->coils * pass->terms));
    const bool alone = blocks.y == 1 && !plan->rank.place && !plan->table;
    return ndft_launch(plan->arrays.exec, plan->planar != nullptr, blocks, dim3(32, SQUARE_WARPS),
                       0, alone ? spread_squares<W, true> : spread_squares<W, false>,
                       ndft_nufft_view_of<float, W>(plan, pass), parts, count,
                       (const ndft_complex<float> *)in);
}

} // namespace

#endif
