/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_convolved.cuh"
#include "stockham_folded.cuh"
#include "stockham_mirrored.cuh"

/*
 * The kernel of a pass along an axis, compiled in plan for a Line, which stockham_source.c writes:
 * all places, and what lies how far apart, are constants. A thread has the cells of its sums in
 * registers; between passes they go through one buffer of shared memory. A block has PER lines; in
 * shared memory cells lie one after the other, or WIDE = PER lines are beside each other as they
 * are in global memory, or several groups of WIDE lines. What is not read and written by
 * neighbouring threads in one piece otherwise is copied to shared memory and back as it lies
 * (LOADS, STORES).
 *
 * Of a line of 2 N reals the even and the odd ones are the parts of N cells, whose transform its
 * spectrum is made of (HALVED); of an odd number half of the cells are kept (FOLDED).
 */

namespace
{

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
    constexpr bool FOLDS = Line::FOLDED >= 0;
    if constexpr (Line::MIRRORED && Line::FROM_REALS && Pass::LAST)
        return store_mirrored<Line, P>(cells, first, lines, turns, out);
    if constexpr (Line::MIRRORED && Line::TO_REALS && Pass::FIRST) {
        load_mirrored<Line, P>(in, cells, first, lines, turns);
        return stockham_passes<Line, P + 1>(cells, first, lines, turns, in, out);
    }
    ndft_complex<R> v[EACH][RADIX];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = Pass::sum(k, lines);
        const stockham_sum<Pass> sum(i);
        if (Pass::rests(k, i)) continue;
        if constexpr (GLOBAL_IN) {
            if (!Pass::ALIKE && sum.line >= lines) continue;
            const Memory there(first + (unsigned)sum.line, sum.cell);
            const void *x = there.in(in);
#pragma unroll
            for (int q = 0; q < Pass::IN; q++) v[k][q] = there.load(x, q * (Line::N / Pass::CELLS));
        } else {
            constexpr int STEP = Pass::FIRST ? Pass::APART : Pass::APART / Pass::DONE * BLOCK;
            const ndft_complex<R> *x =
                cells + (Pass::FIRST ? sum.row * Line::in::PITCH + sum.cell
                                     : sum.row * ROW + sum.block * BLOCK + sum.j);
#pragma unroll
            for (int q = 0; q < Pass::IN; q++) {
                if constexpr (Pass::FIRST && Line::SPECTRA)
                    v[k][q] = cell_of_spectrum<Line>(turns + Line::ENDS, x - sum.cell,
                                                     sum.cell + q * STEP);
                else if constexpr (Pass::FIRST && FOLDS && Line::TO_REALS)
                    v[k][q] = folded_line<Line>::cell(x - sum.cell,
                                                      folded_line<Line>::number(sum.cell, q, STEP));
                else
                    v[k][q] = x[q * STEP];
            }
            if constexpr (!Pass::FIRST) turn_cells<Line, P>(turns, sum.turn, v[k]);
            if constexpr (Pass::IN < RADIX) unfold(v[k]);
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) line_dft<Line::SIGN>(v[k]);
    if constexpr (Pass::LAST && Line::WHOLE > 0) {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const stockham_sum<Pass> sum(Pass::sum(k, lines));
            twist_cells<Line, P>(turns, first + (unsigned)sum.line, sum.cell, v[k]);
        }
    }
    if (!GLOBAL_IN && !GLOBAL_OUT) wait_for_team<Line>(); /* all have read */
    if (GLOBAL_OUT) let_kernel_after_begin();
    const int begin = Pass::LAST ? begin_in_sector<Line, R>(out, first) : 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = Pass::sum(k, lines);
        const stockham_sum<Pass> sum(i);
        if (Pass::rests(k, i)) continue;
        if constexpr (GLOBAL_OUT) {
            if (!Pass::ALIKE && sum.line >= lines) continue;
            const Memory there(first + (unsigned)sum.line, sum.cell);
            void *y = there.out(out);
#pragma unroll
            for (int q = 0; q < RADIX; q++) there.store(y, q * (Pass::DONE / Pass::WIDE), v[k][q]);
        } else if constexpr (Pass::LAST && FOLDS && Line::TO_REALS && Line::SECTORS) {
            R *y = (R *)cells + begin + sum.row * Line::out::PITCH + sum.cell;
#pragma unroll
            for (int q = 0; q < RADIX; q++) y[q * Pass::DONE] = v[k][q].re;
        } else {
            ndft_complex<R> *y =
                cells + (Pass::LAST ? begin + sum.row * Line::out::PITCH + sum.cell
                                    : sum.row * NEXT_ROW + sum.block * NEXT_BLOCK + sum.j);
#pragma unroll
            for (int q = 0; q < Pass::OUT; q++) {
                if constexpr (Pass::LAST && FOLDS && Line::FROM_REALS)
                    folded_line<Line>::put(
                        y - sum.cell, folded_line<Line>::number(sum.cell, q, Pass::DONE), v[k][q]);
                else
                    y[q * Pass::DONE] = v[k][q];
            }
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
    if constexpr (Line::PRIME > 0) {
        convolve<typename Line::columns, 0>(cells, first, lines, turns, in, out);
        stockham_passes<Line, 1>(cells, first, lines, turns, in, out);
    } else if constexpr (Line::CONVOLVED > 0)
        convolve<Line, 0>(cells, first, lines, turns, in, out);
    else
        stockham_passes<Line, 0>(cells, first, lines, turns, in, out);
    if constexpr (Line::STORES) {
        let_kernel_after_begin();
        if constexpr (Line::out::WHOLE && !Line::CALLS_STORE && Line::FROM_REALS && Line::HALVED &&
                      !Line::MIRRORED)
            make_spectra<Line>(turns + Line::ENDS, cells + begin_in_sector<Line, R>(out, first),
                               lines);
        if constexpr (Line::out::WHOLE && !Line::CALLS_STORE)
            store_whole<Line>(cells, out, first, lines);
        else
            store_cells<Line>(turns, cells, out, first, lines);
    }
}

} // namespace
