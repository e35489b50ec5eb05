/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_CONVOLVED_CUH
#define NDFT_STOCKHAM_CONVOLVED_CUH

#include "stockham_pass.cuh"
#include "stockham_whole.cuh"

/*
 * Lines that are convolutions of N cells (stockham_convolved.h): passes forward, the product with
 * the filter, and passes back, each of which is the adjoint of the one forward, by the same places
 * and turns. So a thread of the last pass has a product's cells before and after in its registers.
 */

namespace
{

/* Where cell k comes from and goes to in Rader's order, or turn k of the chirp. */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> along(const ndft_complex<R> *turns, int k)
{
    return turn_at<Line>(turns + Line::ALONG, k);
}

/* The table has places beyond 2^23, so that in f32 they are a number's last bits. */
__device__ __forceinline__ int place_of(float number)
{
    return (int)(__float_as_uint(number) - (150u << 23));
}
__device__ __forceinline__ int place_of(double number) { return (int)number - (1 << 23); }

/* The cells of a sum of the first pass; in Rader's order the number that none has is held. */
template <class Line, class R, int RADIX, class Sum>
__device__ __forceinline__ void begin_convolution(const ndft_complex<R> *turns, const void *in,
                                                  ndft_complex<R> *cells, unsigned first,
                                                  const Sum &sum, ndft_complex<R> (&v)[RADIX])
{
    constexpr int STEP = Line::N / RADIX, NUMBERS = Line::CONVOLVED;
    constexpr int APART = Line::COLUMNS ? Line::COLUMNS : 1;
    const ndft_complex<R> *row = cells + sum.row * Line::in::PITCH + sum.line % APART;
    const cells_in_memory<Line, R> there(first + (unsigned)sum.line, sum.cell);
    const void *x = there.in(in);
#pragma unroll
    for (int q = 0; q < RADIX; q++) {
        const int k = sum.cell + q * STEP;
        if constexpr (Line::ORDERED) {
            v[q] = row[place_of(along<Line>(turns, k).re) * APART];
        } else {
            v[q] = {0, 0};
            if (q * STEP < NUMBERS && (q * STEP + STEP <= NUMBERS || k < NUMBERS))
                v[q] = (Line::LOADS ? row[k] : there.load(x, q * STEP)) * along<Line>(turns, k);
        }
    }
    if (Line::ORDERED && sum.cell == 0) cells[Line::HELD + sum.line] = row[0];
}

template <class Line, class R, int RADIX, class Sum>
__device__ __forceinline__ void
end_convolution(const ndft_complex<R> *turns, ndft_complex<R> *cells, int begin, void *out,
                unsigned first, const Sum &sum, const ndft_complex<R> (&v)[RADIX])
{
    constexpr int STEP = Line::N / RADIX, NUMBERS = Line::CONVOLVED;
    ndft_complex<R> *row = cells + begin + sum.row * Line::out::PITCH;
    if constexpr (Line::COLUMNS > 0)
        row = cells + sum.row * Line::NEXT_ROW + sum.line % Line::COLUMNS * Line::NEXT_BLOCK;
    const cells_in_memory<Line, R> there(first + (unsigned)sum.line, sum.cell);
    void *y = there.out(out);
#pragma unroll
    for (int q = 0; q < RADIX; q++) {
        const int k = sum.cell + q * STEP;
        if constexpr (Line::ORDERED) {
            row[place_of(along<Line>(turns, k).im)] = v[q];
        } else if (q * STEP < NUMBERS && (q * STEP + STEP <= NUMBERS || k < NUMBERS)) {
            const ndft_complex<R> z = v[q] * along<Line>(turns, k);
            if constexpr (Line::STORES)
                row[k] = z;
            else
                there.store(y, q * STEP, z);
        }
    }
    if (Line::ORDERED && sum.cell == 0) row[0] = cells[Line::HELD + sum.line];
}

/* In Rader's order cell 0 is the sum of all numbers but the one that is held, which is added to
 * all. */
template <class Line, class R, int RADIX, class Sum>
__device__ __forceinline__ void multiply_by_filter(const ndft_complex<R> *turns,
                                                   ndft_complex<R> *cells, const Sum &sum,
                                                   ndft_complex<R> (&v)[RADIX])
{
    const ndft_complex<R> all = v[0];
#pragma unroll
    for (int q = 0; q < RADIX; q++)
        v[q] = v[q] * turn_at<Line>(turns + Line::FILTER, sum.cell + q * (Line::N / RADIX));
    if (!Line::ORDERED || sum.cell > 0) return;
    ndft_complex<R> &held = cells[Line::HELD + sum.line];
    v[0] = v[0] + held;
    held = held + all;
}

/* Pass P, those after it, and pass P back. */
template <class Line, int P, class R>
__device__ __forceinline__ void convolve(ndft_complex<R> *cells, unsigned first, int lines,
                                         const ndft_complex<R> *turns, const void *in, void *out)
{
    using Pass = stockham_pass<Line, P>;
    constexpr int RADIX = Pass::RADIX, EACH = Pass::EACH, LATER = Pass::LAST ? P : P + 1;
    const int sums = lines * Pass::APART;
    ndft_complex<R> v[EACH][RADIX];
    const auto each = [&](auto what) {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = thread_of<Line>() + k * Line::THREADS;
            if (i < sums) what(stockham_sum<Pass>(i), v[k]);
        }
    };
    constexpr int ROW = Line::row[P], BLOCK = Line::block[P];
    constexpr int NEXT_ROW = Line::row[LATER], NEXT_BLOCK = Line::block[LATER];
    constexpr int STEP = Pass::APART / Pass::DONE * BLOCK;
    const auto before = [&](const auto &sum) { /* its cells in shared memory */
                                               return cells + sum.row * ROW + sum.block * BLOCK +
                                                      sum.j;
    };
    const auto after = [&](const auto &sum) {
        return cells + sum.row * NEXT_ROW + sum.block * NEXT_BLOCK + sum.j;
    };
    each([&](const auto &sum, auto &z) {
        if constexpr (Pass::FIRST) {
            begin_convolution<Line>(turns, in, cells, first, sum, z);
        } else {
            const ndft_complex<R> *x = before(sum);
#pragma unroll
            for (int q = 0; q < RADIX; q++) z[q] = x[q * STEP];
            turn_cells<Line, P>(turns, sum.turn, z);
        }
    });
#pragma unroll
    for (int k = 0; k < EACH; k++) line_dft<Line::SIGN>(v[k]);
    if constexpr (Pass::LAST) {
        each([&](const auto &sum, auto &z) { multiply_by_filter<Line>(turns, cells, sum, z); });
    } else {
        if (!Pass::FIRST || Line::LOADS) wait_for_team<Line>(); /* all have read */
        each([&](const auto &sum, auto &z) {
            ndft_complex<R> *y = after(sum);
#pragma unroll
            for (int q = 0; q < RADIX; q++) y[q * Pass::DONE] = z[q];
        });
        wait_for_team<Line>();
        convolve<Line, P + 1>(cells, first, lines, turns, in, out);
        each([&](const auto &sum, auto &z) {
            const ndft_complex<R> *y = after(sum);
#pragma unroll
            for (int q = 0; q < RADIX; q++) z[q] = y[q * Pass::DONE];
        });
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) line_dft<-Line::SIGN>(v[k]);
    if (Pass::FIRST || !Pass::LAST) wait_for_team<Line>();
    if (Pass::FIRST && !Line::STORES) let_kernel_after_begin();
    const int begin = begin_in_sector<Line, R>(out, first);
    each([&](const auto &sum, auto &z) {
        if constexpr (Pass::FIRST) {
            end_convolution<Line>(turns, cells, begin, out, first, sum, z);
        } else {
            ndft_complex<R> *x = before(sum);
#pragma unroll
            for (int q = 0; q < RADIX; q++) z[q].im = -z[q].im;
            turn_cells<Line, P>(turns, sum.turn, z);
#pragma unroll
            for (int q = 0; q < RADIX; q++) x[q * STEP] = {z[q].re, -z[q].im};
        }
    });
    if (!Pass::FIRST || Line::STORES) wait_for_team<Line>();
}

} // namespace

#endif
