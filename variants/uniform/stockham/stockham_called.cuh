/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_whole.cuh"

/*
 * The kernel of a pass along an axis, compiled in plan for a Line, which stockham_source.c writes:
 * all places, and what lies how far apart, are constants. A thread has the cells of its sums in
 * registers; between passes they go through one buffer of shared memory. A block has PER lines; in
 * shared memory cells lie one after the other, or WIDE = PER lines are beside each other as they
 * are in global memory. What is not read and written by neighbouring threads in one piece otherwise
 * is copied to shared memory and back as it lies (LOADS, STORES).
 *
 * Of a line of 2 N reals the even and the odd ones are the parts of N cells, whose transform its
 * spectrum is made of (HALVED); an odd number of them are N cells with no imaginary parts.
 */

namespace
{

/* Pass P of a line: what it makes longer has `done` cells, a line has `apart` sums. */
template <class Line, int P> struct stockham_pass {
    __device__ static constexpr int done()
    {
        int cells = 1;
        for (int i = 0; i < P; i++) cells *= Line::radix[i];
        return cells;
    }
    static constexpr int RADIX = Line::radix[P], WIDE = Line::WIDE;
    static constexpr int DONE = done() * WIDE, APART = Line::N / RADIX * WIDE;
    static constexpr int SUMS = Line::PER * (Line::N / RADIX);
    static constexpr int EACH = (SUMS + Line::THREADS - 1) / Line::THREADS;
    static constexpr bool FIRST = P == 0, LAST = P + 1 == Line::PASSES;
    static constexpr bool FULL = EACH * Line::THREADS == SUMS;
};

/* Sum i of a block. */
template <class Pass> struct stockham_sum {
    int line, cell; /* in global memory */
    int row, block, j, turn;

    __device__ __forceinline__ explicit stockham_sum(int i)
    {
        const int t = i % Pass::APART;
        row = i / Pass::APART;
        block = t / Pass::DONE;
        j = t % Pass::DONE;
        turn = j / Pass::WIDE;
        line = Pass::WIDE > 1 ? t % Pass::WIDE : row;
        cell = t / Pass::WIDE;
    }
};

/* v[q] times turn^q: from the table, or of its first and fourth power there. */
template <class Line, int P, int RADIX, class R>
__device__ __forceinline__ void turn_cells(const ndft_complex<R> *turns, int j,
                                           ndft_complex<R> (&v)[RADIX])
{
    constexpr int DONE = stockham_pass<Line, P>::DONE / Line::WIDE;
    constexpr int BEGIN = Line::turns[P];
    turns += BEGIN + j;
    if constexpr (Line::WHOLE_TABLE || RADIX < 5) {
#pragma unroll
        for (int q = 1; q < RADIX; q++) v[q] = v[q] * turn_at<Line>(turns, (q - 1) * DONE);
    } else {
        const ndft_complex<R> one = turn_at<Line>(turns, 0), four = turn_at<Line>(turns, 3 * DONE);
        const ndft_complex<R> two = one * one;
        const ndft_complex<R> three = two * one;
        ndft_complex<R> base = four;
        v[1] = v[1] * one;
        v[2] = v[2] * two;
        v[3] = v[3] * three;
#pragma unroll
        for (int i = 4; i < RADIX; i += 4) {
            v[i] = v[i] * base;
            if (i + 1 < RADIX) v[i + 1] = v[i + 1] * (base * one);
            if (i + 2 < RADIX) v[i + 2] = v[i + 2] * (base * two);
            if (i + 3 < RADIX) v[i + 3] = v[i + 3] * (base * three);
            base = base * four;
        }
    }
}

/* Pass P and those after it. */
template <class Line, int P, class R>
__device__ __forceinline__ void stockham_passes(ndft_complex<R> *cells, unsigned first, int lines,
                                                const ndft_complex<R> *turns, const void *in,
                                                void *out)
{
    using Pass = stockham_pass<Line, P>;
    using Memory = cells_in_memory<Line, R>;
    constexpr int BLOCK = Line::block[P], ROW = Line::row[P];
    constexpr int NEXT_BLOCK = Pass::LAST ? 0 : Line::block[P + 1];
    constexpr int NEXT_ROW = Pass::LAST ? 0 : Line::row[P + 1];
    constexpr int RADIX = Pass::RADIX, EACH = Pass::EACH;
    constexpr bool GLOBAL_IN = Pass::FIRST && !Line::LOADS;
    constexpr bool GLOBAL_OUT = Pass::LAST && !Line::STORES;
    ndft_complex<R> v[EACH][RADIX];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = thread_of<Line>() + k * Line::THREADS;
        const stockham_sum<Pass> sum(i);
        if (!Pass::FULL && i >= Pass::SUMS) continue;
        if constexpr (GLOBAL_IN) {
            if (sum.line >= lines) continue;
            const Memory there(first + (unsigned)sum.line, sum.cell);
            const void *x = there.in(in);
#pragma unroll
            for (int q = 0; q < RADIX; q++) v[k][q] = there.load(x, q * (Line::N / RADIX));
        } else {
            constexpr int STEP = Pass::FIRST ? Pass::APART : Pass::APART / Pass::DONE * BLOCK;
            const ndft_complex<R> *x =
                cells + (Pass::FIRST ? sum.row * Line::in::PITCH + sum.cell
                                     : sum.row * ROW + sum.block * BLOCK + sum.j);
#pragma unroll
            for (int q = 0; q < RADIX; q++) {
                if constexpr (Pass::FIRST && Line::SPECTRA)
                    v[k][q] = cell_of_spectrum<Line>(turns + Line::ENDS, x - sum.cell,
                                                     sum.cell + q * STEP);
                else
                    v[k][q] = x[q * STEP];
            }
            if constexpr (!Pass::FIRST) turn_cells<Line, P>(turns, sum.turn, v[k]);
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) radix_dft<Line::SIGN>(v[k]);
    if (!GLOBAL_IN && !GLOBAL_OUT) wait_for_team<Line>(); /* all have read */
    if (GLOBAL_OUT) let_kernel_after_begin();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = thread_of<Line>() + k * Line::THREADS;
        const stockham_sum<Pass> sum(i);
        if (!Pass::FULL && i >= Pass::SUMS) continue;
        if constexpr (GLOBAL_OUT) {
            if (sum.line >= lines) continue;
            const Memory there(first + (unsigned)sum.line, sum.cell);
            void *y = there.out(out);
#pragma unroll
            for (int q = 0; q < RADIX; q++) there.store(y, q * (Pass::DONE / Pass::WIDE), v[k][q]);
        } else {
            ndft_complex<R> *y =
                cells + (Pass::LAST ? sum.row * Line::out::PITCH + sum.cell
                                    : sum.row * NEXT_ROW + sum.block * NEXT_BLOCK + sum.j);
#pragma unroll
            for (int q = 0; q < RADIX; q++) y[q * Pass::DONE] = v[k][q];
        }
    }
    if constexpr (!GLOBAL_OUT) wait_for_team<Line>();
    if constexpr (!Pass::LAST) stockham_passes<Line, P + 1>(cells, first, lines, turns, in, out);
}

template <class Line, class R>
__device__ __forceinline__ void stockham_lines(const ndft_complex<R> *turns, const void *in,
                                               void *out)
{
    extern __shared__ __align__(16) unsigned char stockham_room[];
    const unsigned team = Line::TEAMS > 1 ? threadIdx.x / Line::THREADS : 0;
    auto *const cells = (ndft_complex<R> *)stockham_room + team * Line::ROOM;
    const unsigned first = (blockIdx.x * Line::TEAMS + team) * Line::PER;
    if (Line::TEAMS > 1 && first >= Line::LINES) return;
    const int lines = Line::LINES - first < Line::PER ? (int)(Line::LINES - first) : (int)Line::PER;
    wait_for_kernel_before();
    if constexpr (Line::in::WHOLE && !Line::CALLS_LOAD)
        load_whole<Line>(in, cells, first, lines);
    else if constexpr (Line::LOADS)
        load_cells<Line>(turns, in, cells, first, lines);
    stockham_passes<Line, 0>(cells, first, lines, turns, in, out);
    if constexpr (Line::STORES) {
        let_kernel_after_begin();
        if constexpr (Line::out::WHOLE && !Line::CALLS_STORE)
            store_whole<Line>(cells, out, first, lines);
        else
            store_cells<Line>(turns, cells, out, first, lines);
    }
}

} // namespace
