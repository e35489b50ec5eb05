/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_LINES_CUH
#define NDFT_CONVOLVE_FILTER_LINES_CUH

#include "core/early.cuh"
#include "fft/block_fft.cuh"
#include "filter_shape.h"

/*
 * Circular convolutions of signals with one complex filter of any length that filter_shape.h has:
 * forward transform, multiply, inverse, all transforms inside blocks. What is loaded and stored
 * comes from hooks, so that padding, products and crops need no kernels:
 *
 *     load       the signals through a hook, transformed along columns, kept
 *     rows       in place: transformed along rows, multiplied, transformed back
 *     store      transformed back along columns, through a hook to where they belong
 *
 * A signal that is one line has no columns: load transforms all of it, and store multiplies when
 * it reads; or one kernel does both. Frequencies stay in the order in which the transforms leave
 * them, the filter's spectrum too. Cell x of a matrix is x/row of column x%row; between columns and
 * rows lie the phases of Gentleman and Sande's four steps (1966).
 *
 *     auto start(unsigned signal)                               where it begins: mostly an int64_t
 *     ndft_complex<R> load(start, int cell)                     0 beyond the signal
 *     void store(start, int cell, ndft_complex<R>)              ignores what is beyond
 *
 * A hook may want whole lines to store (wants_line in block_fft.cuh), where a signal is a line, or
 * to load (weighs_lines), where one kernel does both.
 */

/* What the transforms of a shape need: phases, and the filter's spectrum with the factor 1/cells.
 */
struct ndft_filter {
    ndft_exec *exec;
    ndft_filter_shape shape;
    const void *row_turns, *column_turns; /* exp(-2 pi i j/n) */
    const void *fine, *coarse;            /* exp(-2 pi i j/cells): j, and 1024 j */
    const void *steps;                    /* exp(-2 pi i j/(row cells of a thread)) */
    void *spectrum;
    bool dry; /* for plans: launches nothing, but lets kernels have their shared memory */
};

namespace
{

enum { FILTER_FINE = 1024 };

/* Threads of a block at most, and such blocks that a multiprocessor holds at least: as many
 * registers as the cells of a thread want. */
template <class R> __host__ __device__ constexpr int filter_threads(int cells)
{
    return sizeof(R) == 4 && cells > 8 ? 768 : 512;
}

template <class R> __host__ __device__ constexpr int filter_blocks(int cells)
{
    return sizeof(R) == 4 && cells == 8 ? 2 : 1;
}

/* The same where a kernel only loads or only stores, and waits for memory more than it computes. */
template <class R> __host__ __device__ constexpr int filter_end_threads(int cells)
{
    return sizeof(R) == 4 && cells == 16 ? 1024 : filter_threads<R>(cells);
}

/* One kernel's lines of n cells, `beside` of them interleaved. */
template <class R> struct filter_stage {
    int n;
    ndft_line_passes passes;
    unsigned lines, beside;
    bool across; /* neighbouring threads are in neighbouring lines */
    const ndft_complex<R> *turns, *fine, *coarse, *steps;
};

/* Where a thread works. */
template <class R, int CELLS> struct filter_place {
    block_part<R> part;
    bool inside;
    unsigned signal;
    int lane;        /* among the lines beside it */
    int cell, cells; /* of the signal: the thread's first, and from each to the next */
    int64_t at;      /* its first, where signals are kept */

    __device__ explicit filter_place(const filter_stage<R> &stage)
    {
        extern __shared__ __align__(16) unsigned char filter_bytes[];
        ndft_complex<R> *memory = (ndft_complex<R> *)filter_bytes;
        const int n = stage.n, line = stage.across ? threadIdx.x : threadIdx.y;
        const int t = stage.across ? threadIdx.y : threadIdx.x;
        const int lines = stage.across ? blockDim.x : blockDim.y;
        const unsigned id = blockIdx.x * lines + line;
        part = {n,
                stage.passes.first,
                stage.passes.rest,
                t,
                stage.across ? lines : 1,
                memory + line * (stage.across ? 1 : skipping<CELLS>(n)),
                stage.turns};
        inside = id < stage.lines;
        signal = id / stage.beside;
        lane = (int)(id - signal * stage.beside);
        cell = t * (int)stage.beside + lane;
        cells = n / CELLS * (int)stage.beside;
        at = (int64_t)signal * stage.beside * n + cell;
    }
};

/* Between columns and rows: v times exp(SIGN 2 pi i lane k/cells) at frequencies k of the column.
 */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void turn_columns(const filter_stage<R> &stage,
                                             const filter_place<R, CELLS> &place,
                                             ndft_complex<R> (&v)[CELLS])
{
    const unsigned turns = (unsigned)(place.lane * place.part.t);
    ndft_complex<R> base = stage.fine[turns % FILTER_FINE] * stage.coarse[turns / FILTER_FINE];
    if (SIGN > 0) base.im = -base.im;
    rotate_by_powers<true>(base, turns_at<SIGN>(stage.steps, place.lane), v);
}

template <int CELLS, class R, class Hook>
__device__ __forceinline__ void load_signal(const filter_place<R, CELLS> &place, const Hook &hook,
                                            ndft_complex<R> (&v)[CELLS])
{
    decltype(hook.start(0)) start = {};
    if (place.inside) start = hook.start(place.signal);
#pragma unroll
    for (int i = 0; i < CELLS; i++) v[i] = {0, 0};
    if (!place.inside) return;
    if constexpr (weighs_lines<Hook>) {
        hook.template load_cells<CELLS / 2>(start, place.cell, place.cells, v);
    } else {
#pragma unroll
        for (int i = 0; i < CELLS; i++) v[i] = hook.load(start, place.cell + i * place.cells);
    }
}

/* A line's sum over its threads, in the same order for all. */
template <int CELLS, class R>
__device__ __forceinline__ ndft_complex<R> sum_of_line(const block_part<R> &part,
                                                       ndft_complex<R> sum)
{
    constexpr int PARTS = 8;
    const int threads = part.n / CELLS, t = part.t;
    part.shared[t * part.step] = sum;
    __syncthreads();
    if (t < PARTS) {
        for (int i = t + PARTS; i < threads; i += PARTS) sum = sum + part.shared[i * part.step];
        part.shared[t * part.step] = sum;
    }
    __syncthreads();
    sum = part.shared[0];
#pragma unroll
    for (int i = 1; i < PARTS; i++)
        if (i < threads) sum = sum + part.shared[i * part.step];
    return sum;
}

/* Whole lines for a kernel that stores them, too; the weights that it does so with. */
template <int CELLS, class R, class Hook>
__device__ __forceinline__ auto load_line(const filter_place<R, CELLS> &place, const Hook &hook,
                                          ndft_complex<R> (&v)[CELLS])
{
    if constexpr (weighs_lines<Hook>) {
        constexpr int COUNT = CELLS / 2;
        ndft_complex<R> size = {0, 0};
#pragma unroll
        for (int i = 0; i < CELLS; i++) v[i] = {0, 0};
        if (place.inside)
            size = hook.template read<COUNT>(hook.place(place.signal), place.cell, place.cells, v);
        const auto weights = hook.weights(place.signal, sum_of_line<CELLS>(place.part, size));
        hook.template weigh<COUNT>(weights, place.cell, place.cells, v);
        return weights;
    } else {
        load_signal(place, hook, v);
        return no_weights{};
    }
}

/* To a hook that wants the line: a thread's cells to where it took them from, the last of what it
 * did with others. Outputs are in the first half of them. */
template <int CELLS, class R, class Hook, class Weights>
__device__ __forceinline__ void store_whole_line(const filter_place<R, CELLS> &place,
                                                 const Hook &hook, const Weights &weights,
                                                 const ndft_complex<R> (&v)[CELLS])
{
    const block_part<R> &part = place.part;
    ndft_complex<R> *own = part.shared + skipping<CELLS>(part.t) * part.step;
#pragma unroll
    for (int i = 0; i < CELLS / 2; i++)
        own[skipping<CELLS>(i * (part.n / CELLS)) * part.step] =
            hook.turned(place.cell + i * place.cells, v[i]);
    __syncthreads();
    if (!place.inside) return;
    hook.template store_spectra<4>(
        start_of(hook, place.signal, weights), part.t, part.n / CELLS,
        [&](int x) { return part.shared[skipping<CELLS>(x) * part.step]; });
}

template <int CELLS, class R, class Hook, class Weights = no_weights>
__device__ __forceinline__ void store_signal(const filter_place<R, CELLS> &place, const Hook &hook,
                                             const ndft_complex<R> (&v)[CELLS],
                                             const Weights &weights = {})
{
    ndft_let_kernel_after_begin();
    if constexpr (wants_line<Hook>) {
        if (hook.by_line()) {
            store_whole_line(place, hook, weights, v);
            return;
        }
    }
    if (!place.inside) return;
    const auto start = start_of(hook, place.signal, weights);
    if constexpr (wants_line<Hook>) {
        hook.template store_cells<CELLS / 2>(start, place.cell, place.cells, v);
    } else {
#pragma unroll
        for (int i = 0; i < CELLS; i++) hook.store(start, place.cell + i * place.cells, v[i]);
    }
}

template <int CELLS, class R>
__device__ __forceinline__ void fetch_kept(const filter_place<R, CELLS> &place,
                                           const ndft_complex<R> *kept, ndft_complex<R> (&v)[CELLS])
{
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        v[i] = {0, 0};
        if (place.inside) v[i] = kept[place.at + i * place.cells];
    }
}

template <int CELLS, class R>
__device__ __forceinline__ void keep(const filter_place<R, CELLS> &place,
                                     const ndft_complex<R> (&v)[CELLS], ndft_complex<R> *kept)
{
    ndft_let_kernel_after_begin();
    if (!place.inside) return;
#pragma unroll
    for (int i = 0; i < CELLS; i++) kept[place.at + i * place.cells] = v[i];
}

/* v times the spectrum's cells of line `line`. */
template <int CELLS, class R>
__device__ __forceinline__ void multiply(const filter_place<R, CELLS> &place,
                                         const ndft_complex<R> *spectrum, int line,
                                         ndft_complex<R> (&v)[CELLS])
{
    spectrum += (int64_t)line * place.part.n + place.part.t;
#pragma unroll
    for (int i = 0; i < CELLS; i++) v[i] = v[i] * spectrum[i * (place.part.n / CELLS)];
}

template <int CELLS, class R, class Hook>
__global__ void __launch_bounds__(filter_end_threads<R>(CELLS), filter_blocks<R>(CELLS))
    filter_load(filter_stage<R> stage, Hook hook, ndft_complex<R> *kept)
{
    const filter_place<R, CELLS> place(stage);
    ndft_wait_for_kernel_before();
    ndft_complex<R> v[CELLS];
    load_signal(place, hook, v);
    block_fft<-1>(place.part, v);
    if (stage.beside > 1) turn_columns<-1>(stage, place, v);
    keep(place, v, kept);
}

template <int CELLS, class R, class Hook>
__global__ void __launch_bounds__(filter_end_threads<R>(CELLS), filter_blocks<R>(CELLS))
    filter_store(filter_stage<R> stage, const ndft_complex<R> *spectrum,
                 const ndft_complex<R> *kept, Hook hook)
{
    const filter_place<R, CELLS> place(stage);
    ndft_wait_for_kernel_before();
    ndft_complex<R> v[CELLS];
    fetch_kept(place, kept, v);
    if (stage.beside > 1)
        turn_columns<+1>(stage, place, v);
    else
        multiply(place, spectrum, 0, v);
    block_fft<+1>(place.part, v);
    store_signal(place, hook, v);
}

template <int CELLS, class R, class Load, class Store>
__global__ void __launch_bounds__(filter_threads<R>(CELLS), filter_blocks<R>(CELLS))
    filter_line(filter_stage<R> stage, const ndft_complex<R> *spectrum, Load load, Store store)
{
    const filter_place<R, CELLS> place(stage);
    ndft_wait_for_kernel_before();
    ndft_complex<R> v[CELLS];
    const auto weights = load_line(place, load, v);
    block_fft<-1>(place.part, v);
    multiply(place, spectrum, 0, v);
    block_fft<+1>(place.part, v);
    store_signal(place, store, v, weights);
}

} // namespace

#endif
