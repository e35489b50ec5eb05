/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_WHOLE_CUH
#define NDFT_STOCKHAM_WHOLE_CUH

#include "stockham_copy.cuh"

/*
 * A block's lines that are one piece of global memory (WHOLE): they are copied 16 bytes at a time,
 * wherever lines begin in it. Where the caller's array does not begin with such, which only a
 * launch knows, by numbers.
 */

namespace
{

template <class Line, class R> struct whole_block {
    static constexpr int UNIT = 16 / sizeof(ndft_complex<R>), CELLS = Line::PER * Line::N;
    static constexpr int EACH = (CELLS / UNIT + Line::THREADS - 1) / Line::THREADS;

    /* Cell i of the block in shared memory. */
    template <class Side> __device__ static __forceinline__ int place(int i)
    {
        if constexpr (Side::PITCH == Line::N)
            return i;
        else
            return i / Line::N * Side::PITCH + i % Line::N;
    }
    __device__ static __forceinline__ int thread_unit(int k)
    {
        return (thread_of<Line>() + k * Line::THREADS) * UNIT;
    }
};

/* 16 bytes at a time, of a block that has all of its lines (FULL) or some. */
template <class Line, bool FULL, class R>
__device__ __forceinline__ void load_units(const ndft_complex<R> *x, ndft_complex<R> *cells,
                                           int there)
{
    using Block = whole_block<Line, R>;
#pragma unroll
    for (int k = 0; k < Block::EACH; k++) {
        const int i = Block::thread_unit(k);
        auto *to = cells + Block::template place<typename Line::in>(i);
        if ((FULL && k + 1 < Block::EACH) || i + Block::UNIT <= there)
            copy_early<Line::PAST_L1>((float4 *)to, (const float4 *)(x + i));
        else if (!FULL && i < there)
            copy_early(to, x + i);
    }
}

template <class Line, bool FULL, class R>
__device__ __forceinline__ void store_units(const ndft_complex<R> *cells, ndft_complex<R> *y,
                                            int there)
{
    using Block = whole_block<Line, R>;
#pragma unroll
    for (int k = 0; k < Block::EACH; k++) {
        const int i = Block::thread_unit(k);
        const auto *from = cells + Block::template place<typename Line::out>(i);
        if ((FULL && k + 1 < Block::EACH) || i + Block::UNIT <= there)
            put((float4 *)(y + i), *(const float4 *)from, Line::STREAMS);
        else if (!FULL && i < there)
            y[i] = *from;
    }
}

template <class Line, class R>
__device__ __forceinline__ void load_whole(const void *in, ndft_complex<R> *cells, unsigned first,
                                           int lines)
{
    using Side = typename Line::in;
    using Block = whole_block<Line, R>;
    const auto *x = (const ndft_complex<R> *)cells_in_memory<Line, R>(first, 0).in(in);
    const int there = lines * Line::N;
    if ((size_t)x % 16 == 0) {
        if (lines == Line::PER)
            load_units<Line, true>(x, cells, Block::CELLS);
        else
            load_units<Line, false>(x, cells, there);
    } else {
        for (int i = thread_of<Line>(); i < 2 * there; i += Line::THREADS)
            copy_early((R *)(cells + Block::template place<Side>(i / 2)) + i % 2, (const R *)x + i);
    }
    wait_for_copies();
    wait_for_team<Line>();
}

#if __CUDA_ARCH__ >= 900
/* By one thread, as one copy (BULK), whose cells other threads have written. */
template <class Line, class R>
__device__ __forceinline__ void store_bulk(const ndft_complex<R> *cells, ndft_complex<R> *y,
                                           int there)
{
    static_assert(Line::out::PITCH == Line::N, "");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    wait_for_team<Line>();
    if (thread_of<Line>() > 0) return;
    const unsigned from = (unsigned)__cvta_generic_to_shared(cells), bytes = there * sizeof *cells;
    if (Line::STREAMS) {
        unsigned long long first;
        asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
                y),
            "r"(from), "r"(bytes), "l"(first)
            : "memory");
    } else {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y),
                     "r"(from), "r"(bytes)
                     : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
#endif

template <class Line, class R>
__device__ __forceinline__ void store_whole(const ndft_complex<R> *cells, void *out, unsigned first,
                                            int lines)
{
    using Side = typename Line::out;
    using Block = whole_block<Line, R>;
    auto *y = (ndft_complex<R> *)cells_in_memory<Line, R>(first, 0).out(out);
    const int there = lines * Line::N;
#if __CUDA_ARCH__ >= 900
    if constexpr (Line::BULK)
        if ((size_t)y % 16 == 0 && there % Block::UNIT == 0) {
            store_bulk<Line>(cells, y, there);
            return;
        }
#endif
    if ((size_t)y % 16 == 0) {
        if (lines == Line::PER)
            store_units<Line, true>(cells, y, Block::CELLS);
        else
            store_units<Line, false>(cells, y, there);
    } else {
        for (int i = thread_of<Line>(); i < 2 * there; i += Line::THREADS)
            ((R *)y)[i] = ((const R *)(cells + Block::template place<Side>(i / 2)))[i % 2];
    }
}

} // namespace

#endif
