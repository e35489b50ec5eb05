/* SPDX-License-Identifier: Apache-2.0 */
#include "core/atomic_add.cuh"
#include "nufft/cuda_cost.h"
#include "nufft/interpolate/interpolate_boxes.cuh"
#include "nufft/pipeline_cufft.cuh"

/*
 * A block has a few samples of one tile, a sample per thread, and the box of cells that they touch
 * in shared memory, a column after the other. The hardware adds integers to shared memory, floats
 * only by trial and error: so f32 sums are formed in fixed point, of 2^-30 of the sum of the
 * samples' magnitudes, which no cell can exceed. That is finer than a float's rounding as long as a
 * block has no more than some hundred samples. The box then goes to the grid by atomics of 16
 * bytes. The ceiling is the rate of atomics in shared memory.
 */

namespace
{

/* How sums of a precision are formed in shared memory. */
template <class R> struct fixed;

template <> struct fixed<float> {
    using sum = int;
    static __device__ float scale(float magnitude)
    {
        return 0x1p30f / fmaxf(magnitude, 0x1p-96f); /* which leaves the scale finite */
    }
    static __device__ int of(float value) { return __float2int_rn(value); }
};

template <> struct fixed<double> {
    using sum = double;
    static __device__ double scale(double) { return 1; }
    static __device__ double of(double value) { return value; }
};

/* Weights of a thread's sample. */
template <class R, int DIM, int W> struct tensor {
    R x[W], y[DIM > 1 ? W : 1], z[DIM > 2 ? W : 1];
    int width;

    __device__ tensor(const ndft_nufft_view<R, W> &view, int64_t i)
        : width(W == NDFT_MAX_WIDTH ? view.weights.width : W)
    {
        y[0] = z[0] = 1;
        ndft_weigh(view.weights, ((const R *)view.samples.s[0])[i], x);
        if constexpr (DIM > 1) ndft_weigh(view.weights, ((const R *)view.samples.s[1])[i], y);
        if constexpr (DIM > 2) ndft_weigh(view.weights, ((const R *)view.samples.s[2])[i], z);
    }

    /* f(row of the box, counted from the sample's first, and its weight) */
    template <class F> __device__ __forceinline__ void rows(int height, F f) const
    {
#pragma unroll 1
        for (int c = 0; c < (DIM > 2 ? width : 1); c++) {
#pragma unroll ndft_unroll < W>
            for (int b = 0; b < (DIM > 1 ? width : 1); b++) f(c * height + b, z[c] * y[b]);
        }
    }
};

/* The sum of a value over the block; scratch has a place for each warp. */
template <class R> __device__ R block_sum(R value, R *scratch)
{
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (unsigned i = 0; i < blockDim.x / 32; i++) value += scratch[i];
    return value;
}

/* The larger part of a number; NaN where one is not finite. */
template <class R> __device__ R magnitude_of(ndft_complex<R> z)
{
    return fmax(fabs(z.re), fabs(z.im)) + (z.re - z.re) + (z.im - z.im);
}

/* Adds one column's box, in fixed point, to the grid and leaves zeros. */
template <class R, class Sum>
__device__ void flush(const ndft_nufft_box &box, const ndft_nufft_grid &grid, int cells, R unit,
                      Sum *sum, ndft_complex<R> *column)
{
    constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    box.each<PAIR>(grid, [&](int from, int64_t to) {
        ndft_pack<R, 2 * PAIR> value;
        bool any = false;
#pragma unroll
        for (int e = 0; e < PAIR; e++) {
            const Sum re = sum[from + e], im = sum[cells + from + e];
            any = any || re != 0 || im != 0;
            value.v[2 * e] = unit * (R)re;
            value.v[2 * e + 1] = unit * (R)im;
            sum[from + e] = sum[cells + from + e] = 0;
        }
        if (any) ndft_atomic_add((ndft_pack<R, 2 * PAIR> *)(column + to), value);
    });
}

/* A thread's sample of a part. Lanes of a warp are far apart in the list, for neighbours in it may
 * share their cells, where atomics would wait for each other. */
__device__ int slot(const ndft_nufft_part &part)
{
    const int count = (part.end - part.begin + part.step - 1) / part.step,
              warps = (count + 31) / 32;
    const int warp = threadIdx.x / 32;
    return warp < warps ? (int)(threadIdx.x % 32) * warps + warp : count;
}

template <class R, int DIM, int W>
__global__ void spread(const __grid_constant__ ndft_nufft_view<R, W> view,
                       const ndft_nufft_part *parts, int cells, const ndft_complex<R> *in)
{
    using Sum = typename fixed<R>::sum;
    extern __shared__ double memory[];
    Sum *const sum = (Sum *)memory;
    __shared__ R scratch[32];
    ndft_wait_for_kernel_before();
    const ndft_nufft_part part = parts[blockIdx.x];
    const ndft_nufft_box box(view.samples, view.grid, view.weights.width, part.tile);
    for (int e = threadIdx.x; e < 2 * cells; e += blockDim.x) sum[e] = 0;

    const int64_t mine = part.begin + (int64_t)part.step * slot(part);
    const bool active = mine < part.end;
    const int64_t i = active ? mine : part.begin;
    const tensor<R, DIM, W> weights(view, i);
    const int first = box.first(view.samples, i);
    const int64_t j = view.samples.number[i];
    ndft_complex<R> next = in[ndft_datum(view, j, blockIdx.y)];
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        const ndft_complex<R> datum = next;
        const int later = coil + gridDim.y;
        if (later < view.pass.coils) next = in[ndft_datum(view, j, later)];
        for (int term = 0; term < view.pass.terms; term++) {
            ndft_complex<R> turn = ndft_sample_weight(view, j, term), value;
            turn.im = -turn.im;
            ndft_rotate(value, turn, datum);
            const R magnitude = block_sum(active ? magnitude_of(value) : (R)0, scratch);
            if (!isfinite(magnitude)) { /* no integer is that; one cell tells every voxel */
                if (threadIdx.x == 0) atomicAdd(&ndft_column(view, term, coil)->re, (R)NAN);
            } else if (magnitude > 0) {
                const R scale = fixed<R>::scale(magnitude);
                if (active)
                    weights.rows(box.size[1], [&](int row, R weight) {
                        const R re = scale * value.re * weight, im = scale * value.im * weight;
                        Sum *at = sum + first + row * box.row;
#pragma unroll ndft_unroll < W>
                        for (int a = 0; a < weights.width; a++) {
                            atomicAdd(at + a, fixed<R>::of(re * weights.x[a]));
                            atomicAdd(at + cells + a, fixed<R>::of(im * weights.x[a]));
                        }
                    });
                __syncthreads();
                flush(box, view.grid, cells, 1 / scale, sum, ndft_column(view, term, coil));
            }
            __syncthreads();
        }
    }
}

template <class R, int DIM, int W>
__global__ void interpolate(const __grid_constant__ ndft_nufft_view<R, W> view,
                            const ndft_nufft_part *parts, ndft_complex<R> *out)
{
    constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    using pack = ndft_pack<R, 2 * PAIR>;
    extern __shared__ double memory[];
    ndft_complex<R> *const cell = (ndft_complex<R> *)memory;
    const ndft_nufft_part part = parts[blockIdx.x];
    const ndft_nufft_box box(view.samples, view.grid, view.weights.width, part.tile);

    const int64_t mine = part.begin + (int64_t)part.step * (int)threadIdx.x;
    const bool active = mine < part.end;
    const int64_t i = active ? mine : part.begin;
    const tensor<R, DIM, W> weights(view, i);
    const int first = box.first(view.samples, i);
    const int64_t j = view.samples.number[i];
    ndft_wait_for_kernel_before();
    ndft_let_kernel_after_begin();
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        ndft_complex<R> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            const ndft_complex<R> *column = ndft_column(view, term, coil);
            box.each<PAIR>(view.grid, [&](int to, int64_t from) {
                *(pack *)(cell + to) = *(const pack *)(column + from);
            });
            __syncthreads();
            ndft_complex<R> value = {0, 0};
            if (active)
                weights.rows(box.size[1], [&](int row, R weight) {
                    const ndft_complex<R> *at = cell + first + row * box.row;
                    ndft_complex<R> part_sum = {0, 0};
#pragma unroll ndft_unroll < W>
                    for (int a = 0; a < weights.width; a++) {
                        part_sum.re = fma(weights.x[a], at[a].re, part_sum.re);
                        part_sum.im = fma(weights.x[a], at[a].im, part_sum.im);
                    }
                    value.re = fma(weight, part_sum.re, value.re);
                    value.im = fma(weight, part_sum.im, value.im);
                });
            const ndft_complex<R> turn = ndft_sample_weight(view, j, term);
            ndft_accumulate(sum, turn.re, turn.im, value);
            __syncthreads();
        }
        if (active) ndft_put_sample(view, j, coil, sum, out);
    }
}

/* What the scheme keeps. */
struct subproblem {
    const ndft_nufft_part *parts;
    int count, threads, cells;
    ndft_nufft_boxes boxes; /* by which samples are read where these serve */
    ndft_status (*spread)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*interpolate)(const ndft_nufft_plan *, const ndft_nufft_pass *, void *out);
};

/* Blocks: parts, and columns dealt out so that there are some for every multiprocessor. */
dim3 blocks_of(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass)
{
    const subproblem *own = (const subproblem *)plan->own;
    const int wanted = plan->arrays.exec->device.units * 16 / own->count + 1;
    return {(unsigned)own->count, (unsigned)(wanted < pass->coils ? wanted : pass->coils), 1};
}

template <class R, int DIM, int W>
ndft_status run_spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const subproblem *own = (const subproblem *)plan->own;
    const size_t shared = 2 * (size_t)own->cells * sizeof(typename fixed<R>::sum);
    return ndft_nufft_launch(plan, blocks_of(plan, pass), own->threads, shared, spread<R, DIM, W>,
                             ndft_nufft_view_of<R, W>(plan, pass), own->parts, own->cells,
                             (const ndft_complex<R> *)in);
}

template <class R, int DIM, int W>
ndft_status run_interpolate(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const subproblem *own = (const subproblem *)plan->own;
    const size_t shared = (size_t)own->cells * sizeof(ndft_complex<R>);
    return ndft_nufft_launch(plan, blocks_of(plan, pass), own->threads, shared,
                             interpolate<R, DIM, W>, ndft_nufft_view_of<R, W>(plan, pass),
                             own->parts, (ndft_complex<R> *)out);
}

/* Whether samples are read from boxes, and not straight from the grid, which wide windows in double
 * gain by (interpolate_cells.cu). */
template <class R, int W>
constexpr bool reads_boxes = sizeof(R) == sizeof(float) || W < NDFT_MAX_WIDTH;

template <class R, int DIM, int W> ndft_status take(ndft_nufft_plan *plan, subproblem *own)
{
    own->spread = run_spread<R, DIM, W>;
    own->interpolate = ndft_interpolate_cells.interpolate;
    if constexpr (reads_boxes<R, W>) own->interpolate = run_interpolate<R, DIM, W>;
    ndft_exec *exec = plan->arrays.exec;
    const size_t bytes = (size_t)own->cells * sizeof(ndft_complex<R>); /* of a box */
    NDFT_TRY(ndft_allow_shared(exec, (const void *)spread<R, DIM, W>, bytes));
    if constexpr (reads_boxes<R, W>)
        return ndft_allow_shared(exec, (const void *)interpolate<R, DIM, W>, bytes);
    return NDFT_OK;
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    subproblem *own = (subproblem *)plan->own;
    own->threads = k[NDFT_SUBPROBLEM_SAMPLES];
    own->cells = ndft_nufft_box_cells(plan->samples, plan->shape.dim, plan->shape.window.width);
    NDFT_TRY(ndft_nufft_parts(&plan->arrays, &plan->samples, k[NDFT_SUBPROBLEM_SAMPLES],
                              &own->parts, &own->count, true));
    if (plan->ops != NDFT_ADJOINT) NDFT_TRY(ndft_nufft_boxes_make(plan, &own->boxes));
    return ndft_by_kernel(plan, [&](auto real, auto dim, auto width) {
        return take<decltype(real), dim.value, width.value>(plan, own);
    });
}

ndft_status spread_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ((const subproblem *)plan->own)->spread(plan, pass, in);
}

ndft_status interpolate_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const subproblem *own = (const subproblem *)plan->own;
    return own->boxes.samples.part ? ndft_nufft_boxes_read(plan, &own->boxes, pass, out)
                                   : own->interpolate(plan, pass, out);
}

/* Those that took least for 22 problems drawn at random (docs/performance/nufft-cuda.md). */
void tile(const ndft_nufft_shape *shape, const int *k, int edge[3])
{
    const int length[] = {256, 16, 8}, height[] = {1, 16, 8};
    edge[0] = k[NDFT_SUBPROBLEM_LENGTH] ? k[NDFT_SUBPROBLEM_LENGTH] : length[shape->dim - 1];
    edge[1] = edge[2] =
        k[NDFT_SUBPROBLEM_HEIGHT] ? k[NDFT_SUBPROBLEM_HEIGHT] : height[shape->dim - 1];
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[NDFT_SUBPROBLEM_LENGTH] % 2) return "the length of a tile must be even";
    if (k[NDFT_SUBPROBLEM_SAMPLES] < 32 || k[NDFT_SUBPROBLEM_SAMPLES] > 1024 ||
        k[NDFT_SUBPROBLEM_SAMPLES] % 32)
        return "samples of a block must be a multiple of 32 up to 1024";
    return ndft_nufft_field_unsupported(p, device, k);
}

/*
 * Fixed point rounds each of a sample's W^d cells, re and im, by half of 2^-30 of the sum of the
 * block's magnitudes, of which all blocks together have |x|_1 at most: a block of n samples makes
 * n W^d 2^-30/sqrt 2 of errors, in eps 2^-6 of that. They come out amplified less the weights' sum,
 * which is at least 1 along each axis.
 */
double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    const bool fixed = op == NDFT_ADJOINT && p->prec == NDFT_F32;
    const double cells = pow(ndft_nufft_width(p, k), p->dim);
    return ndft_nufft_any_and(p, op, k,
                              fixed ? 0x1p-6 * M_SQRT1_2 * k[NDFT_SUBPROBLEM_SAMPLES] * cells : 0);
}

/* As Sorensen counts: every sample is read once; its cells are in shared memory, added to twice. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    int cells[3] = {1, 1, 1};
    tile(&work.shape, k, cells);
    return ndft_nufft_box_cost(&work, cells, k[NDFT_SUBPROBLEM_SAMPLES]);
}

} // namespace

const ndft_nufft_stage ndft_spread_subproblem = {
    .summary = "nonuniform FFT; tiles in shared memory, fixed-point atomics, a thread per sample",
    .knobs = ndft_knob_bits(NDFT_SUBPROBLEM_LENGTH, NDFT_SUBPROBLEM_SAMPLES),
    .worst = worst,
    .tile = tile,
    .own_bytes = sizeof(subproblem),
    .prepare = prepare,
    .spread = spread_pass,
    .interpolate = interpolate_pass,
    .unsupported = unsupported,
    .cost = cost,
};
