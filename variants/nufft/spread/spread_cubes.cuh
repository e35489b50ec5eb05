/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SPREAD_CUBES_CUH
#define NDFT_NUFFT_SPREAD_CUBES_CUH

#include "core/atomic_add.cuh"
#include "nufft/order/cubes.cuh"

/*
 * Spreading to cubes (cubes.cuh): a warp has a part of a tile and, in shared memory, the cells that
 * the tile's windows reach. A cube's cells are in registers while its samples last, as sums of
 *
 *     weights along z and y (8 x 2, x samples)  data times weights along x (samples x 2 x 4)
 *
 * for four pairs of y and both halves of x; a lane has real and imaginary parts side by side. The
 * tile's cells go to the grid by atomics of 16 bytes at the end.
 */

namespace
{

/* A tile with what its windows reach. */
template <int W> struct tile_room {
    static constexpr int reach(int axis) { return cube_tile(W, axis) + W - 1; }
    static constexpr int ROW = (reach(0) + 1) / 2 * 2, ROWS = reach(1), PLANES = reach(2);
    /* Planes apart such that lanes of four meet other banks. */
    static constexpr int apart(int cells) { return (cells + 3) / 8 * 8 + 4; }
    static constexpr int PLANE = apart(ROWS * ROW), CELLS = PLANE * PLANES;
};

template <int W> struct alignas(16) tile_memory {
    ndft_complex<float> cell[tile_room<W>::CELLS];
    float x[CUBE * CUBE_COLUMN], z[CUBE * CUBE_COLUMN], y[32 * CUBE_ROW];
    ndft_complex<float> value[32];
};

/* Cells of a cube that a lane has: of plane lane / 4, at lane % 4 of both halves along x, for all
 * pairs of y; of each of a pair real and imaginary part. */
using cube_sums = float[CUBE / 2][2][4];

/* f(cell that a lane has, its sum's real and imaginary part) for a cube's cells. */
template <int W, class F>
__device__ __forceinline__ void each_cell(ndft_complex<float> *at, cube_sums &sum, F f)
{
#pragma unroll
    for (int y = 0; y < CUBE; y++)
#pragma unroll
        for (int x = 0; x < 2; x++)
            f(at[y * tile_room<W>::ROW + CUBE / 2 * x], sum[y / 2][x][y % 2 * 2],
              sum[y / 2][x][y % 2 * 2 + 1]);
}

/* sum += eight samples from `first` on, of which those from `end` on count nothing. */
template <int W>
__device__ __forceinline__ void add_samples(const tile_memory<W> &m, int first, int end,
                                            cube_sums &sum)
{
    using product = ndft_mma_tf32;
    const int lane = threadIdx.x, g = lane / 4;
    const int one = first + lane % 4, two = one + 4, s0 = min(one, 31), s1 = min(two, 31);
    const float *value = (const float *)m.value + g % 2, *x = m.x + g / 2 * CUBE_COLUMN;
    const float v0 = one < end ? value[2 * s0] : 0, v1 = two < end ? value[2 * s1] : 0;
    const float z0 = m.z[g * CUBE_COLUMN + s0], z1 = m.z[g * CUBE_COLUMN + s1];
    const cube_row y0(m.y + s0 * CUBE_ROW), y1(m.y + s1 * CUBE_ROW);
    cube_operand<2> b[2];
#pragma unroll
    for (int h = 0; h < 2; h++, x += CUBE / 2 * CUBE_COLUMN) {
        b[h].put(0, v0 * x[s0]);
        b[h].put(1, v1 * x[s1]);
    }
#pragma unroll
    for (int pair = 0; pair < CUBE / 2;
         pair += 2) { /* products of one sum do not follow each other */
        cube_operand<4> a[2];
#pragma unroll
        for (int p = 0; p < 2; p++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                a[p].put(e, z0 * y0.v[2 * (pair + p) + e]);
                a[p].put(2 + e, z1 * y1.v[2 * (pair + p) + e]);
            }
#pragma unroll
        for (int i = 0; i < 4; i++)
            product::multiply(sum[pair + i / 2][i % 2], a[i / 2].high, b[i % 2].high[0],
                              b[i % 2].high[1]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            product::multiply(sum[pair + i / 2][i % 2], a[i / 2].low, b[i % 2].high[0],
                              b[i % 2].high[1]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            product::multiply(sum[pair + i / 2][i % 2], a[i / 2].high, b[i % 2].low[0],
                              b[i % 2].low[1]);
    }
}

/* A lane's sample: what is asked for before the one before is done. */
template <int W> struct cube_sample {
    int first[3];
    float s[3];
    ndft_complex<float> value;

    __device__ __forceinline__ void fetch(const ndft_nufft_view<float, W> &view, int i, int64_t j,
                                          int term, int coil, const ndft_complex<float> *in)
    {
#pragma unroll
        for (int d = 0; d < 3; d++) {
            first[d] = view.samples.first[d][i];
            s[d] = ((const float *)view.samples.s[d])[i];
        }
        ndft_complex<float> turn = ndft_sample_weight(view, j, term);
        turn.im = -turn.im;
        ndft_rotate(value, turn, in[ndft_datum(view, j, coil)]);
    }

    /* Its weights and its datum to shared memory; gives its cube's first cell. */
    __device__ __forceinline__ int put(const ndft_weights<float, W> &weights, const int origin[3],
                                       tile_memory<W> &m) const
    {
        const int lane = threadIdx.x;
        int begin[3], shift[3];
#pragma unroll
        for (int d = 0; d < 3; d++) {
            shift[d] = (first[d] - origin[d]) % cube_step<W>;
            begin[d] = first[d] - origin[d] - shift[d];
        }
        put_weights(weights, s[0], shift[0], m.x + lane, CUBE_COLUMN);
        put_weights(weights, s[1], shift[1], m.y + lane * CUBE_ROW, 1);
        put_weights(weights, s[2], shift[2], m.z + lane, CUBE_COLUMN);
        m.value[lane] = value;
        return begin[2] * tile_room<W>::PLANE + begin[1] * tile_room<W>::ROW + begin[0];
    }
};

/* The tile's cells to a column. */
template <int W>
__device__ __forceinline__ void add_tile(const ndft_nufft_grid &grid, const int origin[3],
                                         const ndft_complex<float> *cell,
                                         ndft_complex<float> *column)
{
    using room = tile_room<W>;
    constexpr int across = room::ROW / 2, count = across * room::ROWS * room::PLANES;
    for (int e = threadIdx.x; e < count; e += 32) {
        const int row = e / across, x = (e - row * across) * 2, z = row / room::ROWS,
                  y = row - z * room::ROWS;
        const auto two = *(const ndft_pack<float, 4> *)(cell + z * room::PLANE + y * room::ROW + x);
        const int64_t to = ndft_wrapped(origin[0] + x, grid.n[0]) +
                           ndft_wrapped(origin[1] + y, grid.n[1]) * grid.row +
                           ndft_wrapped(origin[2] + z, grid.n[2]) * grid.plane;
        if (two.v[0] != 0 || two.v[1] != 0 || two.v[2] != 0 || two.v[3] != 0)
            ndft_atomic_add((ndft_pack<float, 4> *)(column + to), two);
    }
}

/* Block = warp = part of a tile (x) of a column (y), terms of a coil one after the other. */
template <int W>
__global__ void __launch_bounds__(32)
    spread_cubes(const __grid_constant__ ndft_nufft_view<float, W> view,
                 const ndft_nufft_part *parts, const ndft_complex<float> *in)
{
    extern __shared__ float4 memory[];
    auto &m = *(tile_memory<W> *)memory;
    const int lane = threadIdx.x, term = blockIdx.y % view.pass.terms,
              coil = blockIdx.y / view.pass.terms;
    ndft_wait_for_kernel_before();
    const ndft_nufft_part part = parts[blockIdx.x];
    const auto number = [&](int i) { return view.samples.number[min(i, part.end - 1)]; };
    const int *tiles = view.samples.tiles;
    const int origin[3] = {part.tile % tiles[0] * cube_tile(W, 0),
                           part.tile / tiles[0] % tiles[1] * cube_tile(W, 1),
                           part.tile / tiles[0] / tiles[1] * cube_tile(W, 2)};
    for (int e = lane; e < tile_room<W>::CELLS / 2; e += 32)
        ((ndft_pack<float, 4> *)m.cell)[e] = {0, 0, 0, 0};
    ndft_complex<float> *const mine = m.cell + lane / 4 * tile_room<W>::PLANE + lane % 4;
    cube_sums sum;
    int current = -1;
    const auto put = [&](int at) {
        each_cell<W>(mine + at, sum, [](auto &cell, float re, float im) { cell = {re, im}; });
    };
    cube_sample<W> sample;
    sample.fetch(view, min(part.begin + lane, part.end - 1), number(part.begin + lane), term, coil,
                 in);
    int next = number(part.begin + lane + 32);
    for (int i = part.begin; i < part.end; i += 32) {
        __syncwarp();
        const int cube = sample.put(view.weights, origin, m);
        if (i + 32 < part.end) {
            sample.fetch(view, min(i + 32 + lane, part.end - 1), next, term, coil, in);
            next = number(i + 64 + lane);
        }
        __syncwarp();
        each_cube(cube, min(32, part.end - i), [&](int first, int end, int at) {
            if (at != current) {
                if (current >= 0) put(current);
                __syncwarp();
                each_cell<W>(mine + at, sum, [](const auto &cell, float &re, float &im) {
                    re = cell.re;
                    im = cell.im;
                });
                current = at;
            }
#pragma unroll 1
            for (int k = first; k < end; k += 8) add_samples<W>(m, k, end, sum);
        });
    }
    put(current);
    __syncwarp();
    add_tile<W>(view.grid, origin, m.cell, ndft_column(view, term, coil));
}

template <int W>
ndft_status run_spread_cubes(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                             const ndft_nufft_part *parts, int count, const void *in)
{
    const dim3 blocks((unsigned)count, (unsigned)(pass->coils * pass->terms));
    return ndft_nufft_launch(plan, blocks, 32, sizeof(tile_memory<W>), spread_cubes<W>,
                             ndft_nufft_view_of<float, W>(plan, pass), parts,
                             (const ndft_complex<float> *)in);
}

} // namespace

#endif
