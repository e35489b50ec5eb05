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

/* Of all lines of a block on a side, whose numbers are complex or real. */
template <class Line, class Side, class Number> struct whole_block {
    static constexpr int UNIT = 16 / sizeof(Number), NUMBERS = Line::PER * Side::NUMBERS;
    static constexpr int EACH = (NUMBERS / UNIT + Line::THREADS - 1) / Line::THREADS;

    /* Number i of the block in shared memory. */
    __device__ static __forceinline__ int place(int i)
    {
        if constexpr (Side::PITCH == Side::NUMBERS)
            return i;
        else
            return i / Side::NUMBERS * Side::PITCH + i % Side::NUMBERS;
    }
    /* copy(word, i, place): 16 bytes at a time, of a block that has all of its lines (FULL) or
     * some, the last of which may be single numbers. */
    template <bool FULL, class Copy>
    __device__ static __forceinline__ void each_unit(int there, Copy copy)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = (thread_of<Line>() + k * Line::THREADS) * UNIT;
            if ((FULL && k + 1 < EACH) || i + UNIT <= there)
                copy(float4{}, i, place(i));
            else if (!FULL && i < there)
                copy(Number{}, i, place(i));
        }
    }
    template <class Copy> __device__ static __forceinline__ void each(int lines, Copy copy)
    {
        if (lines == Line::PER)
            each_unit<true>(NUMBERS, copy);
        else
            each_unit<false>(lines * Side::NUMBERS, copy);
    }
};

template <class Line, class R>
__device__ __forceinline__ void load_whole(const void *in, ndft_complex<R> *cells, unsigned first,
                                           int lines)
{
    using Side = typename Line::in;
    using Block = whole_block<Line, Side, ndft_complex<R>>;
    const auto *x = (const ndft_complex<R> *)cells_in_memory<Line, R>(first, 0).in(in);
    if ((size_t)x % 16 == 0)
        Block::each(lines, [&](auto word, int i, int place) {
            using Word = decltype(word);
            copy_early<Line::PAST_L1 && sizeof(Word) == 16>((Word *)(cells + place),
                                                            (const Word *)(x + i));
        });
    else
        for (int i = thread_of<Line>(); i < 2 * lines * Side::NUMBERS; i += Line::THREADS)
            copy_early((R *)(cells + Block::place(i / 2)) + i % 2, (const R *)x + i);
    wait_for_copies();
    wait_for_team<Line>();
}

/* What a block stores, of an odd number of reals these. */
template <class R, bool REALS> struct stored_number {
    using type = ndft_complex<R>;
};
template <class R> struct stored_number<R, true> {
    using type = R;
};
template <class Line, class R>
using number_of = typename stored_number<R, Line::TO_REALS && !Line::HALVED>::type;

/* Where a block's output begins in its sector: in shared memory it begins likewise, of lines whose
 * blocks begin anywhere (SECTORS). */
template <class Line, class R>
__device__ __forceinline__ int begin_in_sector(void *out, unsigned first)
{
    if constexpr (!Line::SECTORS) return 0;
    const auto y = (size_t)cells_in_memory<Line, R>(first, 0).out(out);
    return (int)(y % 32 / sizeof(number_of<Line, R>));
}

#if __CUDA_ARCH__ >= 900
/* By one thread, as one copy (BULK), whose cells other threads have written. */
template <class Line, class Number>
__device__ __forceinline__ void store_bulk(const Number *cells, Number *y, int there)
{
    static_assert(Line::out::PITCH == Line::out::NUMBERS, "");
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

/* What a block has of whole sectors as one piece, and its numbers of others by themselves: a part
 * of a sector takes L2 twice as long. */
template <class Line, class Number>
__device__ __forceinline__ void store_sectors(const Number *cells, Number *y, int there)
{
    using Block = whole_block<Line, typename Line::out, Number>;
    constexpr int SECTOR = 32 / sizeof(Number);
    const int head = (int)(-((size_t)y / sizeof *y) % SECTOR), t = thread_of<Line>();
    const int from = head < there ? head : there, to = there - (there - from) % SECTOR;
    for (int i = t; i < from; i += Line::THREADS) put(y + i, cells[i], Line::STREAMS);
    for (int i = to + t; i < there; i += Line::THREADS) put(y + i, cells[i], Line::STREAMS);
#if __CUDA_ARCH__ >= 900
    if constexpr (Line::BULK) return store_bulk<Line>(cells + from, y + from, to - from);
#endif
#pragma unroll
    for (int k = 0; k < Block::EACH; k++) {
        const int i = from + (t + k * Line::THREADS) * Block::UNIT;
        if (i < to) put((float4 *)(y + i), *(const float4 *)(cells + i), Line::STREAMS);
    }
}

template <class Line, class R>
__device__ __forceinline__ void store_whole(const ndft_complex<R> *cells, void *out, unsigned first,
                                            int lines)
{
    using Number = number_of<Line, R>;
    using Block = whole_block<Line, typename Line::out, Number>;
    constexpr int PARTS = sizeof(Number) / sizeof(R);
    auto *y = (Number *)cells_in_memory<Line, R>(first, 0).out(out);
    const auto *x = (const Number *)cells + begin_in_sector<Line, R>(out, first);
    const int there = lines * Line::out::NUMBERS;
    if constexpr (Line::SECTORS)
        if ((size_t)y % sizeof *y == 0) return store_sectors<Line>(x, y, there);
#if __CUDA_ARCH__ >= 900
    if constexpr (Line::BULK)
        if ((size_t)y % 16 == 0 && there % Block::UNIT == 0) return store_bulk<Line>(x, y, there);
#endif
    if ((size_t)y % 16 == 0)
        Block::each(lines, [&](auto word, int i, int place) {
            using Word = decltype(word);
            put((Word *)(y + i), *(const Word *)(x + place), Line::STREAMS);
        });
    else
        for (int i = thread_of<Line>(); i < PARTS * there; i += Line::THREADS)
            ((R *)y)[i] = ((const R *)(x + Block::place(i / PARTS)))[i % PARTS];
}

} // namespace

#endif
