/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_MEMORY_CUH
#define NDFT_STOCKHAM_MEMORY_CUH

#include "stockham_prime.cuh"

#ifdef NDFT_LOAD /* there are load and store functions (callback_module.h) */
#include "callback_access.cuh"

/* What they are given. */
extern "C" __constant__ const void *ndft_stockham_data[2];
__constant__ const void *ndft_stockham_data[2];
#endif

/* Where a Line's cells lie in global memory (stockham_called.cuh), and how one is read and
 * written. */

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

/* What is stored as one number. */
template <class T> struct stored_as {
    using type = T;
};
template <> struct stored_as<ndft_complex<float>> {
    using type = float2;
};
template <> struct stored_as<ndft_complex<double>> {
    using type = double2;
};

/* streams: it leaves L2 before others. */
template <class T> __device__ __forceinline__ void put(T *to, T z, bool streams)
{
    using Word = typename stored_as<T>::type;
    if (streams)
        __stcs((Word *)to, reinterpret_cast<const Word &>(z));
    else
        *to = z;
}

/* Of the table, which no store of the kernel is to, whatever may be stored before; but of several
 * lines of reals in their order, which is as fast or faster. */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> turn_at(const ndft_complex<R> *table, int i)
{
    if constexpr (Line::FROM_REALS && Line::PER > 1 && !Line::MIRRORED) {
        return table[i];
    } else {
        const auto turn = __ldg((const typename stored_as<ndft_complex<R>>::type *)table + i);
        return {turn.x, turn.y};
    }
}

/* A number of 4, 8 or 16 bytes to shared memory, without a register; 16 also past L1. */
template <bool PAST_L1 = false, class T>
__device__ __forceinline__ void copy_early(T *to, const T *from)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (PAST_L1)
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from),
                     "n"(sizeof(T))
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from),
                     "n"(sizeof(T))
                     : "memory");
}

__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* A block's threads, or each of its warps, have lines by themselves (TEAMS). */
template <class Line> __device__ __forceinline__ int thread_of()
{
    return (int)(Line::TEAMS > 1 ? threadIdx.x % Line::THREADS : threadIdx.x);
}

template <class Line> __device__ __forceinline__ void wait_for_team()
{
    if constexpr (Line::TEAMS > 1)
        __syncwarp();
    else
        __syncthreads();
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

#ifdef NDFT_LOAD
/* The modes of element n of a line. */
template <class Line>
__device__ __forceinline__ void index_of(unsigned line, int n, int64_t (&index)[NDFT_MODES])
{
#pragma unroll
    for (int i = 0; i < NDFT_MODES; i++) {
        const unsigned shape = i == Line::AXIS ? 1 : Line::modes[i];
        index[i] = i == Line::AXIS ? n : line % shape;
        line /= shape;
    }
}

template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> load_called(const void *at, bool real, unsigned line,
                                                       int n)
{
    int64_t index[NDFT_MODES];
    index_of<Line>(line, n, index);
    const ndft_value v =
        NDFT_LOAD(ndft_slot{(R *)const_cast<void *>(at), real}, index, ndft_stockham_data[0]);
    return {v.re, v.im};
}

template <class Line, class R>
__device__ __forceinline__ void store_called(void *at, bool real, unsigned line, int n,
                                             ndft_complex<R> z)
{
    int64_t index[NDFT_MODES];
    index_of<Line>(line, n, index);
    NDFT_STORE(ndft_slot{(R *)at, real}, ndft_value{z.re, z.im}, index, ndft_stockham_data[1]);
}
#endif

/* An element of a line in global memory, or, of reals, a number. */
template <class Line, class R> struct element_in_memory {
    __device__ static __forceinline__ ndft_complex<R> load(const void *at, unsigned line, int n)
    {
#ifdef NDFT_LOAD
        if constexpr (Line::CALLS_LOAD)
            return load_called<Line, R>(at, Line::FROM_REALS, line, n);
        else
#endif
            if constexpr (Line::FROM_REALS)
            return {*(const R *)at, 0};
        else
            return *(const ndft_complex<R> *)at;
    }
    __device__ static __forceinline__ void store(void *at, unsigned line, int n, ndft_complex<R> z)
    {
#ifdef NDFT_LOAD
        if constexpr (Line::CALLS_STORE)
            store_called<Line, R>(at, Line::TO_REALS, line, n, z);
        else
#endif
            if constexpr (Line::TO_REALS)
            put((R *)at, z.re, Line::STREAMS);
        else
            put((ndft_complex<R> *)at, z, Line::STREAMS);
    }
};

/* A line's cells in global memory, from one of them on. */
template <class Line, class R> struct cells_in_memory {
    using Element = element_in_memory<Line, R>;
    static constexpr int PARTS = Line::HALVED ? 2 : 1;
    unsigned line;
    int n; /* element of the first of them */

    __device__ __forceinline__ cells_in_memory(unsigned line_, int cell)
        : line(line_), n(cell * PARTS)
    {
    }
    /* The first of them. */
    __device__ __forceinline__ const void *in(const void *x) const
    {
        const long long place = start_of<typename Line::in>(line) + n * Line::in::STRIDE;
        return (const R *)x + (Line::FROM_REALS ? place : 2 * place);
    }
    __device__ __forceinline__ void *out(void *y) const
    {
        const long long place = start_of<typename Line::out>(line) + n * Line::out::STRIDE;
        return (R *)y + (Line::TO_REALS ? place : 2 * place);
    }
    __device__ __forceinline__ ndft_complex<R> load(const void *from, int cell) const
    {
        constexpr long long STRIDE = Line::in::STRIDE;
        const int k = cell * PARTS;
        if constexpr (!Line::FROM_REALS)
            return Element::load((const ndft_complex<R> *)from + k * STRIDE, line, n + k);
        const R *x = (const R *)from + k * STRIDE;
        if (Line::HALVED && STRIDE == 1 && !Line::CALLS_LOAD &&
            (size_t)from % sizeof(ndft_complex<R>) == 0)
            return *(const ndft_complex<R> *)x;
        if constexpr (Line::HALVED)
            return {Element::load(x, line, n + k).re,
                    Element::load(x + STRIDE, line, n + k + 1).re};
        else
            return Element::load(x, line, n + k);
    }
    __device__ __forceinline__ void store(void *to, int cell, ndft_complex<R> z) const
    {
        constexpr long long STRIDE = Line::out::STRIDE;
        const int k = cell * PARTS;
        if constexpr (!Line::TO_REALS) {
            Element::store((ndft_complex<R> *)to + k * STRIDE, line, n + k, z);
        } else {
            R *y = (R *)to + k * STRIDE;
            if (Line::HALVED && STRIDE == 1 && !Line::CALLS_STORE &&
                (size_t)to % sizeof(ndft_complex<R>) == 0) {
                put((ndft_complex<R> *)y, z, Line::STREAMS);
                return;
            }
            Element::store(y, line, n + k, {z.re, 0});
            if constexpr (Line::HALVED) Element::store(y + STRIDE, line, n + k + 1, {z.im, 0});
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
        const int i = thread_of<Line>() + k * Line::THREADS, whole = i / PARTS, rest = i % PARTS;
        line = Side::BESIDE ? rest : whole;
        cell = Side::BESIDE ? whole : rest;
        there = line < lines && cell < COUNT;
    }
};

} // namespace

#endif
