/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_MEMORY_CUH
#define NDFT_STOCKHAM_MEMORY_CUH

#include "fft/radix_dft.cuh"

/* Where a Line's cells lie in global memory (stockham_called.cuh), and how they are copied to and
 * from shared memory by themselves. */

namespace
{

__device__ __forceinline__ void wait_for_kernel_before()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ void let_kernel_after_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* A number to shared memory, without a register. */
template <class R> __device__ __forceinline__ void copy_early(ndft_complex<R> *to, const void *from)
{
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from), "n"(sizeof(ndft_complex<R>))
        : "memory");
}

__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Where a line begins, by its modes from I on. */
template <class Side, int I = 0> __device__ __forceinline__ long long start_of(unsigned line)
{
    constexpr long long step = Side::step[I];
    constexpr unsigned shape = Side::shape[I];
    if constexpr (I >= Side::MODES - 1)
        return line * step;
    else
        return line % shape * step + start_of<Side, I + 1>(line / shape);
}

/* A line's cells in global memory, from one of them on. */
template <class Line, class R> struct cells_in_memory {
    static constexpr int PARTS = Line::HALVED ? 2 : 1;

    __device__ static __forceinline__ const void *at(const void *in, unsigned line, int cell)
    {
        const long long place = start_of<typename Line::in>(line) + cell * PARTS * Line::in::STRIDE;
        return (const R *)in + (Line::FROM_REALS ? place : 2 * place);
    }
    __device__ static __forceinline__ void *at(void *out, unsigned line, int cell)
    {
        const long long place =
            start_of<typename Line::out>(line) + cell * PARTS * Line::out::STRIDE;
        return (R *)out + (Line::TO_REALS ? place : 2 * place);
    }
    __device__ static __forceinline__ ndft_complex<R> load(const void *from, int cell)
    {
        constexpr long long STRIDE = Line::in::STRIDE;
        const R *x = (const R *)from;
        if constexpr (!Line::FROM_REALS)
            return ((const ndft_complex<R> *)from)[cell * STRIDE];
        else if constexpr (Line::HALVED)
            return {x[2 * cell * STRIDE], x[(2 * cell + 1) * STRIDE]};
        else
            return {x[cell * STRIDE], 0};
    }
    __device__ static __forceinline__ void store(void *to, int cell, ndft_complex<R> z)
    {
        constexpr long long STRIDE = Line::out::STRIDE;
        R *y = (R *)to;
        if constexpr (!Line::TO_REALS) {
            ((ndft_complex<R> *)to)[cell * STRIDE] = z;
        } else if constexpr (Line::HALVED) {
            y[2 * cell * STRIDE] = z.re;
            y[(2 * cell + 1) * STRIDE] = z.im;
        } else {
            y[cell * STRIDE] = z.re;
        }
    }
};

/* Thread's k-th of COUNT things of each of a block's lines, in the order of a side. */
template <class Line, class Side, int COUNT> struct stockham_part {
    static constexpr int EACH = (Line::PER * COUNT + Line::THREADS - 1) / Line::THREADS;
    int line, cell;
    bool there;

    __device__ __forceinline__ stockham_part(int k, int lines)
    {
        constexpr int PARTS = Side::BESIDE ? Line::PER : COUNT;
        const int i = (int)threadIdx.x + k * Line::THREADS, whole = i / PARTS, rest = i % PARTS;
        line = Side::BESIDE ? rest : whole;
        cell = Side::BESIDE ? whole : rest;
        there = line < lines && cell < COUNT;
    }
};

/* Cell k of the N that a half spectrum is of, or one of these (HALVED: of 2 N reals). */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> cell_of_spectrum(const ndft_complex<R> *turns,
                                                            const void *in, unsigned line, int k)
{
    const auto *x = (const ndft_complex<R> *)cells_in_memory<Line, R>::at(in, line, 0);
    constexpr long long STRIDE = Line::in::STRIDE;
    if constexpr (Line::HALVED) {
        ndft_complex<R> a = x[k * STRIDE], b = x[(Line::N - k) * STRIDE];
        if (k == 0) a.im = b.im = 0;
        const ndft_complex<R> even = {a.re + b.re, a.im - b.im};
        const ndft_complex<R> odd = ndft_complex<R>{a.re - b.re, a.im + b.im} * turns[k];
        return {even.re - odd.im, even.im + odd.re};
    } else {
        const bool mirrored = 2 * k > Line::N;
        const ndft_complex<R> z = x[(mirrored ? Line::N - k : k) * STRIDE];
        return {z.re, k == 0 ? 0 : mirrored ? -z.im : z.im};
    }
}

/* Number k of the half spectrum of reals. */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> spectrum_of_cells(const ndft_complex<R> *turns,
                                                             const ndft_complex<R> *cells, int k)
{
    if constexpr (Line::HALVED) {
        const ndft_complex<R> a = cells[k == Line::N ? 0 : k], b = cells[k == 0 ? 0 : Line::N - k];
        const ndft_complex<R> even = {a.re + b.re, a.im - b.im};
        const ndft_complex<R> odd = ndft_complex<R>{a.im + b.im, b.re - a.re} * turns[k];
        return {(R)0.5 * (even.re + odd.re), (R)0.5 * (even.im + odd.im)};
    } else {
        return {cells[k].re, k == 0 ? 0 : cells[k].im};
    }
}

template <class Line, class R>
__device__ __forceinline__ void load_cells(const ndft_complex<R> *turns, const void *in,
                                           ndft_complex<R> *cells, unsigned first, int lines)
{
    using Part = stockham_part<Line, typename Line::in, Line::N>;
    if constexpr (!Line::FROM_REALS && !Line::TO_REALS) {
#pragma unroll
        for (int k = 0; k < Part::EACH; k++) {
            const Part part(k, lines);
            if (!part.there) continue;
            copy_early(cells + part.line * Line::in::PITCH + part.cell,
                       cells_in_memory<Line, R>::at(in, first + (unsigned)part.line, part.cell));
        }
        wait_for_copies();
        __syncthreads();
        return;
    }
    ndft_complex<R> v[Part::EACH];
#pragma unroll
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (!part.there) continue;
        const unsigned line = first + (unsigned)part.line;
        if constexpr (Line::TO_REALS)
            v[k] = cell_of_spectrum<Line>(turns + Line::ENDS, in, line, part.cell);
        else
            v[k] = cells_in_memory<Line, R>::load(cells_in_memory<Line, R>::at(in, line, part.cell),
                                                  0);
    }
#pragma unroll
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (part.there) cells[part.line * Line::in::PITCH + part.cell] = v[k];
    }
    __syncthreads();
}

template <class Line, class R>
__device__ __forceinline__ void store_cells(const ndft_complex<R> *turns,
                                            const ndft_complex<R> *cells, void *out, unsigned first,
                                            int lines)
{
    using Part =
        stockham_part<Line, typename Line::out, Line::FROM_REALS ? Line::SPECTRUM : Line::N>;
#pragma unroll
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (!part.there) continue;
        const ndft_complex<R> *row = cells + part.line * Line::out::PITCH;
        const unsigned line = first + (unsigned)part.line;
        if constexpr (Line::FROM_REALS)
            ((ndft_complex<R> *)
                 out)[start_of<typename Line::out>(line) + part.cell * Line::out::STRIDE] =
                spectrum_of_cells<Line>(turns + Line::ENDS, row, part.cell);
        else
            cells_in_memory<Line, R>::store(cells_in_memory<Line, R>::at(out, line, part.cell), 0,
                                            row[part.cell]);
    }
}

} // namespace

#endif
