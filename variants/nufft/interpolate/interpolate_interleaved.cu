/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.cuh"
#include "interleaved_boxes.cuh"
#include "interleaved_strips.cuh"
#include "nufft/pipeline_cufft.cuh"
#include "nufft/transform/interleaved_grids.cuh"

/*
 * Forward transforms of many columns, whose grids are interleaved (interleaved_fft.cuh): a kernel
 * deapodises, weighs and transforms rows of voxels, the other axes are transformed in place, and
 * samples read 128 neighbouring bytes at a time. Planar grids (nufft_scatter) cost a pass over
 * memory more for padding, and a thread that reads a row of one column for itself shares few
 * sectors with its neighbours. Two cells of a row are read at a time, by as many threads as their
 * lanes have 16 bytes: 128 neighbouring bytes by 8 threads that share a sample. The ceiling is the
 * first cache's rate of bytes.
 */

namespace
{

enum { THREADS = 256, BLOCKS = 2, SIDE = 2 }; /* cells of a row that are read side by side */

/* A thread's columns of a group, SIDE threads of which share them and have every second cell. */
template <class R, int W> struct reader {
    ndft_nufft_view<R, W> view;
    ndft_nufft_lanes lanes;
    int log_threads; /* of a sample */

    __host__ __device__ int packs() const { return (1 << log_threads) / SIDE; } /* of a cell */
};

/* A sample's cells in one thread: places of their columns and rows in a group's grid, in packs of
 * 16 bytes, and weights. */
template <class R, int DIM, int W> struct strip {
    static constexpr int CELLS = (W + SIDE - 1) / SIDE;
    static constexpr int ROWS = DIM > 1 ? W : 1, PLANES = DIM > 2 ? W : 1;
    static constexpr int UNROLL = ndft_unroll<W>;
    static constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    using pack = ndft_pack<R, 2 * PAIR>;

    int width, column[CELLS], row[ROWS], plane;
    R x[CELLS], y[ROWS], z[PLANES];

    __device__ strip(const reader<R, W> &r, int64_t i, int part)
        : width(W == NDFT_MAX_WIDTH ? r.view.weights.width : W), plane(0)
    {
        const int packs = r.packs(), side = part >= packs;
        int first[DIM]; /* all are asked for before any is waited for */
        R s[DIM];
#pragma unroll
        for (int d = 0; d < DIM; d++) {
            first[d] = r.view.samples.first[d][i];
            s[d] = ((const R *)r.view.samples.s[d])[i];
        }
        place_columns(r, first[0], s[0], side, part - side * packs, packs);
        y[0] = z[0] = 1;
        row[0] = 0;
        if constexpr (DIM > 1) place_rows(r, first[1], s[1], r.view.grid.n[0] * packs);
        if constexpr (DIM > 2) {
            ndft_weigh(r.view.weights, s[2], z);
            plane = first[2];
        }
    }

    /* Every SIDE-th cell of a row from the thread's on; of weight 0 beyond the window. */
    __device__ __forceinline__ void place_columns(const reader<R, W> &r, int first, R s, int side,
                                                  int own, int packs)
    {
        R at[W];
        ndft_weigh(r.view.weights, s, at);
#pragma unroll UNROLL
        for (int k = 0; k < CELLS; k++) {
            R weight = 0;
#pragma unroll
            for (int e = 0; e < SIDE; e++)
                if (e == side && SIDE * k + e < W) weight = at[SIDE * k + e];
            const bool inside = SIDE * k + side < width;
            x[k] = inside ? weight : (R)0;
            const int cell = inside ? first + SIDE * k + side : first;
            column[k] = ndft_wrapped(cell, r.view.grid.n[0]) * packs + own;
        }
    }

    __device__ __forceinline__ void place_rows(const reader<R, W> &r, int first, R s, int line)
    {
        ndft_weigh(r.view.weights, s, y);
#pragma unroll UNROLL
        for (int b = 0; b < ROWS; b++)
            if (b < width) row[b] = ndft_wrapped(first + b, r.view.grid.n[1]) * line;
    }

    /* sum of weight times cell, of the thread's cells in a group's grid */
    __device__ __forceinline__ pack gather(const ndft_nufft_grid &grid, int packs,
                                           const pack *cells) const
    {
        pack sum = {};
        const int64_t deep = (int64_t)grid.n[0] * grid.n[1] * packs;
#pragma unroll 1
        for (int c = 0; c < PLANES; c++) {
            if (W == NDFT_MAX_WIDTH && DIM > 2 && c >= width) break;
            const pack *from = DIM > 2 ? cells + ndft_wrapped(plane + c, grid.n[2]) * deep : cells;
#pragma unroll UNROLL
            for (int b = 0; b < ROWS; b++) {
                if (W == NDFT_MAX_WIDTH && DIM > 1 && b >= width) break;
                add_row(from, row[b], z[c] * y[b], &sum);
            }
        }
        return sum;
    }

    __device__ __forceinline__ void add_row(const pack *from, int row, R weight, pack *sum) const
    {
        pack part = {};
#pragma unroll UNROLL
        for (int k = 0; k < CELLS; k++) {
            if (W == NDFT_MAX_WIDTH && SIDE * k >= width) break;
            const pack cell = from[row + column[k]];
#pragma unroll
            for (int e = 0; e < 2 * PAIR; e++) part.v[e] = fma(x[k], cell.v[e], part.v[e]);
        }
#pragma unroll
        for (int e = 0; e < 2 * PAIR; e++) sum->v[e] = fma(weight, part.v[e], sum->v[e]);
    }
};

/* The columns of a thread's packs: sample j's weights in their terms. */
template <class R, int W> struct pack_columns {
    static constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    const reader<R, W> &r;
    const ndft_complex<R> *row;
    int64_t j;
    int term[PAIR]; /* among those of a group */

    __device__ pack_columns(const reader<R, W> &r, int64_t j, int lane)
        : r(r), row(ndft_rank_row(r.view.rank, j)), j(j)
    {
#pragma unroll
        for (int e = 0; e < PAIR; e++) term[e] = (lane + e) / r.lanes.coils;
    }

    __device__ __forceinline__ ndft_complex<R> weight(int l) const
    {
        if (l >= r.view.pass.terms) return {0, 0};
        return ndft_rank_sample(r.view.rank, row, j, r.view.pass.term + l);
    }

    /* sum += weights times a pack of the group whose first term is given */
    __device__ __forceinline__ void add(int first, const ndft_pack<R, 2 * PAIR> &part,
                                        ndft_complex<R> (&sum)[PAIR]) const
    {
        ndft_complex<R> turn = weight(first + term[0]);
#pragma unroll
        for (int e = 0; e < PAIR; e++) {
            if (e > 0 && r.lanes.coils < PAIR) turn = weight(first + term[e]);
            ndft_accumulate(sum[e], turn.re, turn.im, {part.v[2 * e], part.v[2 * e + 1]});
        }
    }
};

/* Adds what threads `apart` or more from each other, below `end`, have of the same columns. */
template <class R> __device__ __forceinline__ void join(int apart, int end, ndft_complex<R> *sum)
{
    for (int step = apart; step < end; step *= 2) {
        sum->re += __shfl_xor_sync(~0u, sum->re, step);
        sum->im += __shfl_xor_sync(~0u, sum->im, step);
    }
}

/* What lanes have of one coil in several terms, in the first of them. */
template <class R, int PAIR>
__device__ __forceinline__ void join_terms(int coils, int packs, ndft_complex<R> (&sum)[PAIR])
{
    if (coils < PAIR) sum[0] = {sum[0].re + sum[PAIR - 1].re, sum[0].im + sum[PAIR - 1].im};
#pragma unroll
    for (int e = 0; e < PAIR; e++) join(max(1, coils / PAIR), packs, &sum[e]);
}

/* Thread = part of a sample; groups of coils by blockIdx.y, all their terms. */
template <class R, int DIM, int W>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    read_samples(const __grid_constant__ reader<R, W> r, ndft_complex<R> *out)
{
    using strip_of = strip<R, DIM, W>;
    constexpr int PAIR = strip_of::PAIR;
    const int part = threadIdx.x & ((1 << r.log_threads) - 1), packs = r.packs();
    const int64_t at =
        blockIdx.x * (int64_t)(THREADS >> r.log_threads) + (threadIdx.x >> r.log_threads);
    const bool inside = at < r.view.samples.count;
    const int64_t i = inside ? at : r.view.samples.count - 1, j = r.view.samples.number[i];
    const strip_of cells(r, i, part);
    const pack_columns<R, W> columns(r, j, (part & (packs - 1)) * PAIR);
    const ndft_nufft_grid &grid = r.view.grid;
    const int64_t group = (int64_t)grid.n[0] * grid.n[1] * grid.n[2] * packs;
    for (int coils = blockIdx.y; coils < r.lanes.coil_groups; coils += gridDim.y) {
        ndft_complex<R> sum[PAIR] = {};
        const auto *from = (const typename strip_of::pack *)grid.cells + coils * group;
        for (int l = 0; l < r.lanes.term_groups; l++, from += r.lanes.coil_groups * group)
            columns.add(l * r.lanes.terms, cells.gather(grid, packs, from), sum);
#pragma unroll
        for (int e = 0; e < PAIR; e++) join(packs, SIDE * packs, &sum[e]);
        join_terms(r.lanes.coils, packs, sum);
#pragma unroll
        for (int e = 0; e < PAIR; e++) {
            const int coil = coils * r.lanes.coils + part * PAIR + e;
            const bool first = part * PAIR + e < r.lanes.coils;
            if (inside && first && coil < r.view.pass.coils)
                ndft_put_sample(r.view, j, coil, sum[e], out);
        }
    }
}

/* Blocks along y, so that threads fill the device: each takes some groups of coils. */
unsigned coil_blocks(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes, int64_t threads)
{
    const int64_t wanted = plan->arrays.exec->device.units * 2048 / threads + 1;
    return (unsigned)(wanted < lanes.coil_groups ? wanted : lanes.coil_groups);
}

template <class R, int DIM, int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                const ndft_nufft_lanes &lanes, void *out)
{
    constexpr int PAIR = strip<R, DIM, W>::PAIR;
    const int log_threads = ndft_log2(SIDE * lanes.count / PAIR);
    const int64_t all = plan->samples.count << log_threads;
    const reader<R, W> r = {ndft_nufft_view_of<R, W>(plan, pass), lanes, log_threads};
    read_samples<R, DIM, W>
        <<<dim3(ndft_blocks(all, THREADS), coil_blocks(plan, lanes, all)), THREADS, 0,
           ndft_stream(plan->arrays.exec)>>>(r, (ndft_complex<R> *)out);
    return ndft_launched(plan->arrays.exec, "interpolation of interleaved grids");
}

/* Whether parts of tiles are what a pass of such lanes is read by. */
bool by_boxes(const ndft_nufft_lanes &lanes)
{
    return lanes.coils == NDFT_BOX_COILS && lanes.terms == 1;
}

template <int W>
ndft_status run_boxes(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const ndft_nufft_boxes &boxes = ((const ndft_nufft_interleaved *)plan->own)->boxes;
    box_reader<W> r = {ndft_nufft_view_of<float, W>(plan, pass), boxes.part};
    r.view.samples = boxes.samples;
    return ndft_launch_early(plan->arrays.exec, dim3(boxes.parts), NDFT_BOX_THREADS,
                             box_bytes<W>(pass->terms),
                             plan->rank.place ? read_boxes<true, W> : read_boxes<false, W>, r,
                             (ndft_complex<float> *)out);
}

/* Of parts of tiles: a group of coils by boxes, several by strips. */
ndft_status read_parts(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                       const ndft_nufft_lanes &lanes, void *out)
{
    if (lanes.coil_groups > 1) return ndft_nufft_strips_read(plan, pass, lanes, out);
    return ndft_by_width<float>(&plan->shape.window, [&](auto width) {
        if constexpr (width.value <= NDFT_BOX_WIDTH)
            return run_boxes<width.value>(plan, pass, out);
        else
            return NDFT_OK; /* boxes are not made */
    });
}

ndft_status interpolate(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const ndft_nufft_lanes lanes = ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms);
    if (((const ndft_nufft_interleaved *)plan->own)->boxes.part && by_boxes(lanes))
        return read_parts(plan, pass, lanes, out);
    return ndft_by_kernel(plan, [&](auto real, auto dim, auto width) {
        return run<decltype(real), dim.value, width.value>(plan, pass, lanes, out);
    });
}

void tile(const ndft_nufft_shape *, const int *k, int edge[3])
{
    edge[0] = k[NDFT_INTERLEAVED_LENGTH];
    edge[1] = edge[2] = k[NDFT_INTERLEAVED_HEIGHT];
}

} // namespace

ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *plan, const ndft_nufft_lanes passes[2],
                                  ndft_nufft_boxes *boxes)
{
    const ndft_window *window = &plan->shape.window;
    const int *n = plan->grid.n, least = NDFT_BOX_EDGE + NDFT_BOX_WIDTH - 1;
    const bool known =
        ndft_by_width<float>(window, [](auto width) { return width.value <= NDFT_BOX_WIDTH; });
    if (plan->prec != NDFT_F32 || plan->shape.dim != 2 || !known || n[0] < least || n[1] < least ||
        !(by_boxes(passes[0]) || by_boxes(passes[1])))
        return NDFT_OK;
    const int tile[3] = {NDFT_BOX_EDGE, NDFT_BOX_EDGE, 1};
    boxes->samples = plan->samples;
    if (plan->samples.tile[0] != tile[0] || plan->samples.tile[1] != tile[1])
        NDFT_TRY(
            ndft_nufft_sort(&plan->arrays, plan->problem, &plan->shape, tile, 1, &boxes->samples));
    NDFT_TRY(ndft_nufft_parts(&plan->arrays, &boxes->samples, NDFT_BOX_SAMPLES, &boxes->part,
                              &boxes->parts));
    for (int i = 0; i < 2; i++)
        if (by_boxes(passes[i]) && passes[i].coil_groups > 1)
            return ndft_nufft_strips_make(plan, boxes);
    return NDFT_OK;
}

const ndft_nufft_stage ndft_interpolate_interleaved = {
    .summary = "nonuniform FFT, forward; grids of several columns interleaved",
    .knobs = ndft_knob_bits(NDFT_INTERLEAVED_LENGTH, NDFT_INTERLEAVED_LANES),
    .deterministic = true,
    .tile = tile,
    .own_bytes = sizeof(ndft_nufft_interleaved),
    .prepare = ndft_nufft_interleaved_prepare,
    .fit = ndft_nufft_fit_lines,
    .transform = ndft_nufft_interleaved_transform,
    .interpolate = interpolate,
    .chosen = ndft_nufft_interleaved_chosen,
    .unsupported = ndft_nufft_interleaved_unsupported,
    .cost = ndft_nufft_interleaved_execution,
    .weighed = ndft_nufft_interleaved_weighed,
};
