/* SPDX-License-Identifier: Apache-2.0 */
#include "box_deal.cuh"

#include "core/copies.cuh"

namespace
{

enum { THREADS = 128, LEAST_WIDTH = 4, MOST_WIDTH = 7 };

/* Of a part at most: few where there are few. */
constexpr int samples_of(int dim) { return dim == 3 ? BOX_SAMPLES : 256; }

__host__ __device__ constexpr int banks_apart(int cells) { return (cells + 7) / 16 * 16 + 8; }

/* Cells of a box: a tile and a window beyond it, of an even number along x. Along its last axis
 * they are a STEP apart, 8 banks. */
template <int DIM, int W> struct box {
    static constexpr int TILE = box_tile(DIM), EDGE = TILE + W - 1;
    static constexpr int ALONG = (TILE + W) / 2 * 2, ROWS = DIM == 3 ? EDGE * EDGE : EDGE;
    static constexpr int ROW = DIM == 3 ? ALONG : banks_apart(ALONG);
    static constexpr int STEP = DIM == 3 ? banks_apart(ROW * EDGE) : ROW, CELLS = STEP * EDGE;

    int at[DIM]; /* where it begins in the grid */

    __device__ __forceinline__ box(const ndft_nufft_samples &samples, int tile)
    {
#pragma unroll
        for (int d = 0; d < DIM; d++) {
            at[d] = tile % samples.tiles[d] * TILE;
            tile /= samples.tiles[d];
        }
    }
    /* Its cell where sorted sample i begins. */
    __device__ __forceinline__ int first(const ndft_nufft_samples &samples, int64_t i) const
    {
        int cell = (samples.first[DIM - 1][i] - at[DIM - 1]) * STEP;
        if constexpr (DIM == 3) cell += (samples.first[1][i] - at[1]) * ROW;
        return cell + samples.first[0][i] - at[0];
    }
    /* Asks for its cells of a column. */
    __device__ __forceinline__ void ask(const ndft_nufft_grid &grid,
                                        const ndft_complex<float> *column,
                                        ndft_complex<float> *to) const
    {
        constexpr int ACROSS = ALONG / 2;
        for (int e = threadIdx.x; e < ACROSS * ROWS; e += THREADS) {
            const int row = e / ACROSS, x = (e - row * ACROSS) * 2;
            const int z = DIM == 3 ? row / EDGE : 0, y = row - z * EDGE;
            int64_t from =
                ndft_wrapped(at[1] + y, grid.n[1]) * grid.row + ndft_wrapped(at[0] + x, grid.n[0]);
            if constexpr (DIM == 3) from += ndft_wrapped(at[2] + z, grid.n[2]) * grid.plane;
            ndft_copy_ahead(to + z * STEP + y * ROW + x, column + from);
        }
        ndft_close_copies();
    }
};

/* What is dealt, and where to. */
struct dealing {
    const ndft_nufft_part *from;
    ndft_nufft_part *part;
    uint16_t *place;
    float *s[3];
    int32_t *number;
};

/* Block = part. */
template <int DIM, int W>
__global__ void __launch_bounds__(BOX_SAMPLES)
    deal(const __grid_constant__ ndft_nufft_samples samples, dealing d)
{
    __shared__ box_turns turns;
    const ndft_nufft_part part = d.from[blockIdx.x];
    const ndft_nufft_part to = dealt_part(part, samples.begin[part.tile]);
    const int count = to.end - to.begin, e = threadIdx.x, warp = e / 32;
    for (int i = e; i < DEAL_WARPS * 2 * BOX_BANKS; i += BOX_SAMPLES)
        turns.of_warp[i / (2 * BOX_BANKS)][i % (2 * BOX_BANKS)] = 0;
    __syncthreads();
    const int64_t i = part.begin + (int64_t)part.step * e;
    int first = 0, bank = 2 * BOX_BANKS;
    if (e < count) {
        first = box<DIM, W>(samples, part.tile).first(samples, i);
        bank = first % (2 * BOX_BANKS);
    }
    const unsigned alike = __match_any_sync(~0u, bank);
    int rank = __popc(alike & ((1u << e % 32) - 1));
    if (rank == 0 && bank < 2 * BOX_BANKS) turns.of_warp[warp][bank] = __popc(alike);
    __syncthreads();
    if (e < 2 * BOX_BANKS) {
        turns.all[e] = 0;
        for (int w = 0; w < DEAL_WARPS; w++) turns.all[e] += turns.of_warp[w][e];
    }
    __syncthreads();
    if (warp == 0)
        turns.fill(turns.all[e % BOX_BANKS] + turns.all[e % BOX_BANKS + BOX_BANKS], count);
    __syncthreads();
    if (e == 0) d.part[blockIdx.x] = to;
    if (e >= count) return;
    for (int w = 0; w < warp; w++) rank += turns.of_warp[w][bank];
    const int low = bank % BOX_BANKS;
    const int both = min(turns.all[low], turns.all[low + BOX_BANKS]);
    rank = rank < both ? 2 * rank + bank / BOX_BANKS : both + rank;
    const int at = to.begin + turns.place(low, rank, count);
    d.place[at] = (uint16_t)first;
#pragma unroll
    for (int axis = 0; axis < DIM; axis++) d.s[axis][at] = ((const float *)samples.s[axis])[i];
    d.number[at] = samples.number[i];
}

/* A thread's sample. */
template <int DIM> struct own_sample {
    int first;
    float s[DIM];
    int64_t j;

    __device__ __forceinline__ own_sample(const ndft_nufft_dealt &dealt, int i)
        : first(dealt.place[i]), j(dealt.number[i])
    {
#pragma unroll
        for (int d = 0; d < DIM; d++) s[d] = dealt.s[d][i];
    }
};

template <int DIM, int W>
__device__ __forceinline__ ndft_complex<float> sum_of(const ndft_complex<float> *cell, int first,
                                                      const float (&weight)[DIM][W])
{
    constexpr int STEP = box<DIM, W>::STEP;
    const float(&x)[W] = weight[0], (&last)[W] = weight[DIM - 1];
    const bool turned = (first / BOX_BANKS ^ (int)threadIdx.x / BOX_BANKS) & 1;
    const int even = first + (turned ? STEP : 0), odd = first - (turned ? STEP : 0);
    ndft_complex<float> sum = {0, 0};
#pragma unroll
    for (int c = 0; c < W; c++) {
        const bool lone = c == W - 1 && W % 2;
        const float depth = lone || !turned ? last[c] : last[c ^ 1];
        const ndft_complex<float> *rows = cell + (lone ? first : c % 2 ? odd : even) + c * STEP;
#pragma unroll
        for (int b = 0; b < (DIM == 3 ? W : 1); b++) {
            const ndft_complex<float> *row = rows + b * box<DIM, W>::ROW;
            ndft_complex<float> part = {0, 0};
#pragma unroll
            for (int a = 0; a < W; a++) {
                part.re = fma(x[a], row[a].re, part.re);
                part.im = fma(x[a], row[a].im, part.im);
            }
            const float height = DIM == 3 ? depth * weight[1][b] : depth;
            sum.re = fma(height, part.re, sum.re);
            sum.im = fma(height, part.im, sum.im);
        }
    }
    return sum;
}

template <int DIM, int W>
__device__ __forceinline__ void weigh(const ndft_weights<float, W> &weights, const float (&s)[DIM],
                                      float (&weight)[DIM][W])
{
#pragma unroll
    for (int d = 0; d < DIM; d++) ndft_weigh_pairs<ndft_degree<W>>(weights, s[d], weight[d]);
}

/* Block = part (x) of a coil (y). */
template <int DIM, int W>
__global__ void __launch_bounds__(THREADS, 8)
    read(const __grid_constant__ ndft_nufft_view<float, W> view, ndft_nufft_dealt dealt,
         ndft_complex<float> *out)
{
    __shared__ alignas(16) ndft_complex<float> cell[box<DIM, W>::CELLS];
    const ndft_nufft_part part = dealt.part[blockIdx.x];
    const int last = part.end - 1;
    int i = part.begin + (int)threadIdx.x;
    own_sample<DIM> own(dealt, min(i, last));
    float weight[DIM][W];
    constexpr bool EARLY = DIM == 2; /* weights are there before the grid is */
    if constexpr (EARLY) weigh(view.weights, own.s, weight);
    ndft_wait_for_kernel_before();
    box<DIM, W>(view.samples, part.tile).ask(view.grid, ndft_column(view, 0, blockIdx.y), cell);
    for (int from = part.begin; from < part.end; from += THREADS, i += THREADS) {
        if (from > part.begin) own = own_sample<DIM>(dealt, min(i, last));
        if (!EARLY || from > part.begin) weigh(view.weights, own.s, weight);
        if (from == part.begin) {
            ndft_wait_for_copies<0>();
            __syncthreads();
        }
        if (i <= last)
            ndft_put_sample(view, own.j, blockIdx.y, sum_of<DIM>(cell, own.first, weight), out);
    }
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

/* The same of both, of the dimension, too. */
template <class F> ndft_status by_shape(const ndft_nufft_plan *plan, F f)
{
    return by_width(plan, [&](auto width) {
        return plan->shape.dim == 3 ? f(std::integral_constant<int, 3>{}, width)
                                    : f(std::integral_constant<int, 2>{}, width);
    });
}

/* In two dimensions a column alone: of several its weights would be evaluated for each. */
bool serve(const ndft_nufft_plan *plan)
{
    const int dim = plan->shape.dim, tile = box_tile(dim);
    if (plan->prec != NDFT_F32 || dim < 2 || plan->rank.place || plan->table) return false;
    if (dim == 2 && plan->shape.columns > 1) return false;
    for (int d = 0; d < dim; d++)
        if (plan->samples.tile[d] != tile || plan->grid.n[d] < tile + plan->shape.window.width)
            return false;
    return true;
}

/* Parts with samples of their own places, in the order in which they are read. */
template <int DIM, int W>
ndft_status run_deal(ndft_nufft_plan *plan, dealing d, ndft_nufft_boxes *boxes)
{
    NDFT_TRY(ndft_reserve(&plan->arrays, "parts of tiles", boxes->count, &d.part));
    boxes->samples = {d.part, d.place, {d.s[0], d.s[1], d.s[2]}, d.number};
    deal<DIM, W><<<(unsigned)boxes->count, BOX_SAMPLES, 0, ndft_stream(plan->arrays.exec)>>>(
        plan->samples, d);
    return ndft_launched(plan->arrays.exec, "dealing samples");
}

} // namespace

ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *plan, ndft_nufft_boxes *boxes)
{
    *boxes = {};
    if (!serve(plan)) return NDFT_OK;
    return by_shape(plan, [&](auto dim, auto width) {
        ndft_arrays *arrays = &plan->arrays, meanwhile = {};
        const int64_t count = plan->samples.count;
        dealing d = {};
        meanwhile.exec = arrays->exec;
        NDFT_TRY(ndft_reserve(arrays, "dealt samples", count, &d.place));
        for (int axis = 0; axis < dim.value; axis++)
            NDFT_TRY(ndft_reserve(arrays, "dealt samples", count, &d.s[axis]));
        NDFT_TRY(ndft_reserve(arrays, "dealt samples", count, &d.number));
        ndft_status status = ndft_nufft_parts(&meanwhile, &plan->samples, samples_of(dim.value),
                                              &d.from, &boxes->count, true);
        if (status == NDFT_OK) status = run_deal<dim.value, width.value>(plan, d, boxes);
        return ndft_release_meanwhile(&meanwhile, status);
    });
}

ndft_status ndft_nufft_boxes_read(const ndft_nufft_plan *plan, const ndft_nufft_boxes *boxes,
                                  const ndft_nufft_pass *pass, void *out)
{
    return by_shape(plan, [&](auto dim, auto width) {
        return ndft_nufft_launch(plan, dim3((unsigned)boxes->count, (unsigned)pass->coils), THREADS,
                                 0, read<dim.value, width.value>,
                                 ndft_nufft_view_of<float, width.value>(plan, pass), boxes->samples,
                                 (ndft_complex<float> *)out);
    });
}
