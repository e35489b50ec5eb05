/* SPDX-License-Identifier: Apache-2.0 */
#include "interpolate_boxes.cuh"

#include "core/copies.cuh"

namespace
{

enum { THREADS = 256, WARPS = THREADS / 32, BANKS = 16, LEAST_WIDTH = 4, MOST_WIDTH = 7 };

/* Cells of a box: a tile and a window beyond it, of an even number along x. */
template <int W> struct box {
    static constexpr int ROW = (NDFT_CELL_BOX + W) / 2 * 2, EDGE = NDFT_CELL_BOX + W - 1;
    static constexpr int CELLS = ROW * EDGE * EDGE, PAIRS = CELLS / 2;

    int at[3]; /* where it begins in the grid */

    __device__ __forceinline__ box(const ndft_nufft_samples &samples, int tile)
    {
#pragma unroll
        for (int d = 0; d < 3; d++) {
            at[d] = tile % samples.tiles[d] * NDFT_CELL_BOX;
            tile /= samples.tiles[d];
        }
    }
    /* Its cell where sorted sample i begins. */
    __device__ __forceinline__ int first(const ndft_nufft_samples &samples, int64_t i) const
    {
        const int y = samples.first[1][i] - at[1], z = samples.first[2][i] - at[2];
        return (z * EDGE + y) * ROW + samples.first[0][i] - at[0];
    }
    /* Asks for its cells of a column. */
    __device__ __forceinline__ void ask(const ndft_nufft_grid &grid,
                                        const ndft_complex<float> *column,
                                        ndft_complex<float> *to) const
    {
        constexpr int ACROSS = ROW / 2;
        for (int e = threadIdx.x; e < PAIRS; e += THREADS) {
            const int row = e / ACROSS, x = (e - row * ACROSS) * 2, z = row / EDGE;
            const int64_t from = ndft_wrapped(at[2] + z, grid.n[2]) * grid.plane +
                                 ndft_wrapped(at[1] + row - z * EDGE, grid.n[1]) * grid.row +
                                 ndft_wrapped(at[0] + x, grid.n[0]);
            ndft_copy_ahead(to + 2 * e, column + from);
        }
        ndft_close_copies();
    }
};

__device__ __forceinline__ int size_of(const ndft_nufft_part &part)
{
    return (part.end - part.begin + part.step - 1) / part.step;
}

/* Block = part: its samples in the order of their ranks among those of their bank, then banks. */
template <int W>
__global__ void __launch_bounds__(THREADS) deal(const __grid_constant__ ndft_nufft_samples samples,
                                                const ndft_nufft_part *parts, uint8_t *order)
{
    __shared__ int of_warp[WARPS][BANKS], all[BANKS];
    const ndft_nufft_part part = parts[blockIdx.x];
    const int count = size_of(part), e = threadIdx.x, warp = e / 32;
    if (e < WARPS * BANKS) of_warp[e / BANKS][e % BANKS] = 0;
    __syncthreads();
    int bank = BANKS;
    if (e < count)
        bank =
            box<W>(samples, part.tile).first(samples, part.begin + (int64_t)part.step * e) % BANKS;
    const unsigned alike = __match_any_sync(~0u, bank);
    int rank = __popc(alike & ((1u << e % 32) - 1));
    if (rank == 0 && bank < BANKS) of_warp[warp][bank] = __popc(alike);
    __syncthreads();
    if (e < BANKS) {
        all[e] = 0;
        for (int w = 0; w < WARPS; w++) all[e] += of_warp[w][e];
    }
    __syncthreads();
    int place = e < count ? 0 : e;
    if (e < count) {
        for (int w = 0; w < warp; w++) rank += of_warp[w][bank];
        for (int b = 0; b < BANKS; b++) place += min(all[b], rank + (b < bank));
    }
    order[blockIdx.x * THREADS + place] = (uint8_t)min(e, count);
}

template <int W>
__device__ __forceinline__ ndft_complex<float> sum_of(const ndft_complex<float> *cell,
                                                      const float (&x)[W], const float (&y)[W],
                                                      const float (&z)[W])
{
    ndft_complex<float> sum = {0, 0};
#pragma unroll
    for (int c = 0; c < W; c++)
#pragma unroll
        for (int b = 0; b < W; b++) {
            const ndft_complex<float> *row = cell + (c * box<W>::EDGE + b) * box<W>::ROW;
            ndft_complex<float> part = {0, 0};
#pragma unroll
            for (int a = 0; a < W; a++) {
                part.re = fma(x[a], row[a].re, part.re);
                part.im = fma(x[a], row[a].im, part.im);
            }
            const float weight = z[c] * y[b];
            sum.re = fma(weight, part.re, sum.re);
            sum.im = fma(weight, part.im, sum.im);
        }
    return sum;
}

/* Block = part (x) of a coil (y). */
template <int W>
__global__ void __launch_bounds__(THREADS, 4)
    read(const __grid_constant__ ndft_nufft_view<float, W> view, ndft_nufft_boxes boxes,
         ndft_complex<float> *out)
{
    __shared__ alignas(16) ndft_complex<float> cell[box<W>::CELLS];
    const ndft_nufft_samples &samples = view.samples;
    const ndft_nufft_part part = boxes.part[blockIdx.x];
    const box<W> own(samples, part.tile);
    const int e = boxes.order[blockIdx.x * THREADS + threadIdx.x];
    const bool active = e < size_of(part);
    const int64_t i = active ? part.begin + (int64_t)part.step * e : part.begin;
    const int first = own.first(samples, i);
    const int64_t j = samples.number[i];
    float s[3], weight[3][W];
#pragma unroll
    for (int d = 0; d < 3; d++) s[d] = ((const float *)samples.s[d])[i];
    ndft_wait_for_kernel_before();
    own.ask(view.grid, ndft_column(view, 0, blockIdx.y), cell);
#pragma unroll
    for (int d = 0; d < 3; d++) ndft_weigh_pairs<ndft_degree<W>>(view.weights, s[d], weight[d]);
    ndft_wait_for_copies<0>();
    __syncthreads();
    if (active)
        ndft_put_sample(view, j, blockIdx.y, sum_of(cell + first, weight[0], weight[1], weight[2]),
                        out);
}

/* f of the width as a constant; the status of none where kernels are for others. */
template <int W = LEAST_WIDTH, class F> ndft_status by_width(const ndft_nufft_plan *plan, F f)
{
    if constexpr (W > MOST_WIDTH) {
        return NDFT_OK;
    } else {
        return ndft_serves<W>(&plan->shape.window) ? f(std::integral_constant<int, W>{})
                                                   : by_width<W + 1>(plan, f);
    }
}

bool serve(const ndft_nufft_plan *plan)
{
    if (plan->prec != NDFT_F32 || plan->shape.dim != 3 || plan->rank.place || plan->table)
        return false;
    for (int d = 0; d < 3; d++)
        if (plan->samples.tile[d] != NDFT_CELL_BOX ||
            plan->grid.n[d] < NDFT_CELL_BOX + plan->shape.window.width)
            return false;
    return true;
}

} // namespace

ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *plan, ndft_nufft_boxes *boxes)
{
    *boxes = {};
    if (!serve(plan)) return NDFT_OK;
    return by_width(plan, [&](auto width) {
        ndft_arrays *arrays = &plan->arrays;
        uint8_t *order = nullptr;
        ndft_nufft_boxes made = {};
        NDFT_TRY(ndft_nufft_parts(arrays, &plan->samples, THREADS, &made.part, &made.count, true));
        NDFT_TRY(ndft_reserve(arrays, "order of parts", (int64_t)made.count * THREADS, &order));
        made.order = order;
        *boxes = made;
        deal<width.value><<<(unsigned)made.count, THREADS, 0, ndft_stream(arrays->exec)>>>(
            plan->samples, made.part, order);
        return ndft_launched(arrays->exec, "dealing samples");
    });
}

ndft_status ndft_nufft_boxes_read(const ndft_nufft_plan *plan, const ndft_nufft_boxes *boxes,
                                  const ndft_nufft_pass *pass, void *out)
{
    return by_width(plan, [&](auto width) {
        return ndft_nufft_launch(plan, dim3((unsigned)boxes->count, (unsigned)pass->coils), THREADS,
                                 0, read<width.value>,
                                 ndft_nufft_view_of<float, width.value>(plan, pass), *boxes,
                                 (ndft_complex<float> *)out);
    });
}
