/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_COPY_CUH
#define NDFT_STOCKHAM_COPY_CUH

#include "stockham_memory.cuh"

/* How cells are copied to shared memory and back by themselves, number by number, and what cells
 * are of the half spectrum of reals. */

namespace
{

/* Of a half spectrum of 2 N reals its numbers k and N - k at once, which cells k and N - k are of:
 * in[0], in[1] to out[0], out[1], there and back. */
template <class R>
__device__ __forceinline__ void cells_of_spectrum(const ndft_complex<R> (&in)[2],
                                                  ndft_complex<R> turn, ndft_complex<R> (&out)[2])
{
    const ndft_complex<R> even = {in[0].re + in[1].re, in[0].im - in[1].im};
    const ndft_complex<R> odd = ndft_complex<R>{in[0].re - in[1].re, in[0].im + in[1].im} * turn;
    out[0] = {even.re - odd.im, even.im + odd.re};
    out[1] = {even.re + odd.im, odd.re - even.im};
}

template <class R>
__device__ __forceinline__ void spectrum_of_cells(const ndft_complex<R> (&in)[2],
                                                  ndft_complex<R> turn, ndft_complex<R> (&out)[2])
{
    const R half = (R)0.5;
    const ndft_complex<R> even = {in[0].re + in[1].re, in[0].im - in[1].im};
    const ndft_complex<R> odd = ndft_complex<R>{in[0].im + in[1].im, in[1].re - in[0].re} * turn;
    out[0] = {half * (even.re + odd.re), half * (even.im + odd.im)};
    out[1] = {half * (even.re - odd.re), half * (odd.im - even.im)};
}

/* Half spectra of 2 N reals. */
template <class Line, class R>
__device__ __forceinline__ void load_spectra(const ndft_complex<R> *turns, const void *in,
                                             ndft_complex<R> *cells, unsigned first, int lines)
{
    using Part = stockham_part<Line, typename Line::in, Line::N / 2 + 1>;
    using Element = element_in_memory<Line, R>;
    constexpr long long STRIDE = Line::in::STRIDE;
    ndft_complex<R> v[Part::EACH][2];
#pragma unroll
    for (int i = 0; i < Part::EACH; i++) {
        const Part part(i, lines);
        if (!part.there) continue;
        const unsigned line = first + (unsigned)part.line;
        const auto *x = (const ndft_complex<R> *)in + start_of<typename Line::in>(line);
        const int k = part.cell, mirrored = Line::N - k;
        v[i][0] = Element::load(x + k * STRIDE, line, k);
        v[i][1] = Element::load(x + mirrored * STRIDE, line, mirrored);
        if (k == 0) v[i][0].im = v[i][1].im = 0;
    }
#pragma unroll
    for (int i = 0; i < Part::EACH; i++) {
        const Part part(i, lines);
        if (!part.there) continue;
        const int k = part.cell;
        ndft_complex<R> *row = cells + part.line * Line::in::PITCH, z[2];
        cells_of_spectrum(v[i], turn_at<Line>(turns, k), z);
        row[k] = z[0];
        if (k > 0) row[Line::N - k] = z[1];
    }
    wait_for_team<Line>();
}

/* Numbers k and N - k of a line, of which `cell` are the cells. */
template <class Line, class R>
__device__ __forceinline__ void store_numbers(void *out, unsigned line, int k,
                                              const ndft_complex<R> (&cell)[2],
                                              ndft_complex<R> turn)
{
    using Element = element_in_memory<Line, R>;
    constexpr long long STRIDE = Line::out::STRIDE;
    auto *y = (ndft_complex<R> *)out + start_of<typename Line::out>(line);
    const int mirrored = Line::N - k;
    ndft_complex<R> z[2];
    spectrum_of_cells(cell, turn, z);
    Element::store(y + k * STRIDE, line, k, z[0]);
    if (mirrored != k) Element::store(y + mirrored * STRIDE, line, mirrored, z[1]);
}

/* Of a lone line four pairs of cells are read before they are stored: its threads have many. */
template <class Line, class R>
__device__ __forceinline__ void store_spectra(const ndft_complex<R> *turns,
                                              const ndft_complex<R> *cells, void *out,
                                              unsigned first, int lines)
{
    using Part = stockham_part<Line, typename Line::out, Line::N / 2 + 1>;
    if constexpr (Line::PER > 1) {
#pragma unroll 4
        for (int i = 0; i < Part::EACH; i++) {
            const Part part(i, lines);
            if (!part.there) continue;
            const ndft_complex<R> *row = cells + part.line * Line::out::PITCH;
            const int k = part.cell;
            const ndft_complex<R> v[2] = {row[k], row[k == 0 ? 0 : Line::N - k]};
            store_numbers<Line>(out, first + (unsigned)part.line, k, v, turns[k]);
        }
    } else {
        constexpr int AT_ONCE = Part::EACH < 4 ? Part::EACH : 4;
#pragma unroll 1
        for (int begin = 0; begin < Part::EACH; begin += AT_ONCE) {
            ndft_complex<R> v[AT_ONCE][2], turn[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const Part part(begin + i, lines);
                if (!part.there) continue;
                const ndft_complex<R> *row = cells + part.line * Line::out::PITCH;
                const int k = part.cell;
                v[i][0] = row[k];
                v[i][1] = row[k == 0 ? 0 : Line::N - k];
                turn[i] = turn_at<Line>(turns, k);
            }
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const Part part(begin + i, lines);
                if (!part.there) continue;
                store_numbers<Line>(out, first + (unsigned)part.line, part.cell, v[i], turn[i]);
            }
        }
    }
}

/* Half spectra of the cells that they are made of, in their place. */
template <class Line, class R>
__device__ __forceinline__ void make_spectra(const ndft_complex<R> *turns, ndft_complex<R> *cells,
                                             int lines)
{
    using Part = stockham_part<Line, typename Line::out, Line::N / 2 + 1>;
#pragma unroll Part::EACH <= 16 ? Part::EACH : 4
    for (int i = 0; i < Part::EACH; i++) {
        const Part part(i, lines);
        if (!part.there) continue;
        ndft_complex<R> *row = cells + part.line * Line::out::PITCH, z[2];
        const int k = part.cell;
        const ndft_complex<R> v[2] = {row[k], row[k == 0 ? 0 : Line::N - k]};
        spectrum_of_cells(v, turn_at<Line>(turns, k), z);
        row[Line::N - k] = z[1];
        row[k] = z[0];
    }
    wait_for_team<Line>();
}

/* Numbers as they are, by themselves. */
template <class Line, class R>
__device__ __forceinline__ void copy_numbers(const void *in, ndft_complex<R> *cells, unsigned first,
                                             int lines)
{
    using Part = stockham_part<Line, typename Line::in, Line::in::NUMBERS>;
#pragma unroll Part::EACH <= 16 ? Part::EACH : 4
    for (int i = 0; i < Part::EACH; i++) {
        const Part part(i, lines);
        if (!part.there) continue;
        const unsigned line = first + (unsigned)part.line;
        const auto *x = (const ndft_complex<R> *)in + start_of<typename Line::in>(line);
        copy_early(cells + part.line * Line::in::PITCH + part.cell,
                   x + part.cell * Line::in::STRIDE);
    }
    wait_for_copies();
    wait_for_team<Line>();
}

/* Cell k of a half spectrum of 2 N reals that was copied so (SPECTRA). */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> cell_of_spectrum(const ndft_complex<R> *turns,
                                                            const ndft_complex<R> *row, int k)
{
    ndft_complex<R> x = row[k], y = row[Line::N - k];
    if (k == 0) x.im = y.im = 0;
    const ndft_complex<R> even = {x.re + y.re, x.im - y.im};
    const ndft_complex<R> odd = ndft_complex<R>{x.re - y.re, x.im + y.im} * turn_at<Line>(turns, k);
    return {even.re - odd.im, even.im + odd.re};
}

template <class Line, class R>
__device__ __forceinline__ void load_cells(const ndft_complex<R> *turns, const void *in,
                                           ndft_complex<R> *cells, unsigned first, int lines)
{
    using Part = stockham_part<Line, typename Line::in, Line::in::NUMBERS>;
    if constexpr (Line::TO_REALS && Line::HALVED && !Line::SPECTRA)
        return load_spectra<Line>(turns + Line::ENDS, in, cells, first, lines);
    if constexpr (!Line::FROM_REALS && !Line::CALLS_LOAD)
        return copy_numbers<Line>(in, cells, first, lines);
    ndft_complex<R> v[Part::EACH];
#pragma unroll
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (!part.there) continue;
        const unsigned line = first + (unsigned)part.line;
        const cells_in_memory<Line, R> there(line, part.cell);
        v[k] = there.load(there.in(in), 0);
    }
#pragma unroll
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (!part.there) continue;
        cells[part.line * Line::in::PITCH + part.cell] = v[k];
    }
    wait_for_team<Line>();
}

template <class Line, class R>
__device__ __forceinline__ void store_cells(const ndft_complex<R> *turns,
                                            const ndft_complex<R> *cells, void *out, unsigned first,
                                            int lines)
{
    if constexpr (Line::FROM_REALS && Line::HALVED)
        return store_spectra<Line>(turns + Line::ENDS, cells, out, first, lines);
    using Part = stockham_part<Line, typename Line::out, Line::out::NUMBERS>;
#pragma unroll Part::EACH <= 16 ? Part::EACH : 4
    for (int k = 0; k < Part::EACH; k++) {
        const Part part(k, lines);
        if (!part.there) continue;
        const unsigned line = first + (unsigned)part.line;
        const cells_in_memory<Line, R> there(line, part.cell);
        ndft_complex<R> z = cells[part.line * Line::out::PITCH + part.cell];
        if (Line::FROM_REALS && part.cell == 0) z.im = 0;
        there.store(there.out(out), 0, z);
    }
}

} // namespace

#endif
