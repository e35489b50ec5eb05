/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_LINES_CUH
#define NDFT_CONVOLVE_FILTER_LINES_CUH

#include "core/early.cuh"
#include "filter_place.cuh"

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

namespace
{

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

/* The same with factors that may have been fetched. */
template <int CELLS, class R, class Hook>
__device__ __forceinline__ void
store_factored(const filter_place<R, CELLS> &place, const Hook &hook,
               const factors_ahead<CELLS, R, Hook> &factors, const ndft_complex<R> (&v)[CELLS])
{
    if constexpr (factors.ANY) {
        ndft_let_kernel_after_begin();
        if (!place.inside) return;
        const auto start = hook.start(place.signal);
#pragma unroll
        for (int i = 0; i < CELLS; i++)
            hook.store(start, place.cell + i * place.cells, v[i], factors.of[i]);
    } else {
        store_signal(place, hook, v);
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
    column_turns<-1, CELLS, R> turns = {};
    if (fetches_ahead<CELLS>) turns.fetch(stage, place);
    ndft_wait_for_kernel_before();
    ndft_complex<R> v[CELLS];
    load_signal(place, hook, v);
    block_fft<-1>(place.part, v);
    if (!fetches_ahead<CELLS>) turns.fetch(stage, place);
    if (stage.beside > 1) turns.turn(v);
    keep(place, v, kept);
}

template <int CELLS, class R, class Hook>
__global__ void __launch_bounds__(filter_end_threads<R>(CELLS), filter_blocks<R>(CELLS))
    filter_store(filter_stage<R> stage, const ndft_complex<R> *spectrum,
                 const ndft_complex<R> *kept, Hook hook)
{
    const filter_place<R, CELLS> place(stage);
    column_turns<+1, CELLS, R> turns = {};
    factors_ahead<CELLS, R, Hook> factors;
    if (fetches_ahead<CELLS>) turns.fetch(stage, place);
    factors.fetch(place, hook);
    ndft_wait_for_kernel_before();
    ndft_complex<R> v[CELLS];
    fetch_kept(place, kept, v);
    if (!fetches_ahead<CELLS>) turns.fetch(stage, place);
    if (stage.beside > 1)
        turns.turn(v);
    else
        multiply(place, spectrum, 0, v);
    block_fft<+1>(place.part, v);
    store_factored(place, hook, factors, v);
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
