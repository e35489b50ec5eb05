/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_AXIS_LINES_CUH
#define NDFT_CONVOLVE_AXIS_LINES_CUH

#include "core/complex.cuh"
#include "fft/block_fft.cuh"
#include "pass.h"

/* The lines of a pass along an axis as kernels load and store them: complex signals of n cells,
 * whatever is kept of them. */

namespace
{

/* One side of a pass. */
template <class R> struct axis_side {
    R *data;
    bool real;
    int n, kept; /* cells of a signal, and how many of them there are in memory */
    int modes;
    unsigned shape[NDFT_LINE_MODES];
    int64_t step[NDFT_LINE_MODES], stride;

    __device__ int64_t start(unsigned line) const
    {
        int64_t at = 0;
#pragma unroll
        for (int i = 0; i < NDFT_LINE_MODES; i++) {
            if (i >= modes) break;
            const unsigned rest = i < modes - 1 ? line / shape[i] : 0;
            at += (line - rest * shape[i]) * step[i];
            line = rest;
        }
        return at;
    }

    /* Complex cells one after the other, all of them. */
    __device__ bool plain() const { return !real && kept == n && stride == 1; }

    /* Cell x of the line that starts at `line`; the mirrored half is the conjugate. */
    __device__ ndft_complex<R> load(int64_t line, int x) const
    {
        const bool mirrored = x >= kept;
        const int64_t at = line + (mirrored ? n - x : x) * stride;
        if (real) return {data[at], 0};
        const ndft_complex<R> z = ((const ndft_complex<R> *)data)[at];
        return {z.re, mirrored ? -z.im : z.im};
    }

    __device__ void store(int64_t line, int x, ndft_complex<R> z) const
    {
        const int64_t at = line + x * stride;
        if (real)
            data[at] = z.re;
        else if (x < kept)
            ((ndft_complex<R> *)data)[at] = z;
    }
};

template <class R>
axis_side<R> side_of(const ndft_pass &pass, const ndft_line_side &lines, const void *data)
{
    axis_side<R> side = {
        (R *)(uintptr_t)data, lines.real, (int)pass.length, (int)lines.count, pass.modes, {}, {},
        lines.stride};
    for (int i = 0; i < pass.modes; i++) {
        side.shape[i] = (unsigned)pass.shape[i];
        side.step[i] = lines.step[i];
    }
    return side;
}

/* Lines times factors of their cells, on either side: hooks of filter_lines.cuh. */
template <class R> struct factored_side {
    static constexpr bool HALF = true;
    const ndft_complex<R> *factors;
    axis_side<R> side;

    __device__ int64_t start(unsigned line) const { return side.start(line); }

    __device__ ndft_complex<R> load(int64_t line, int cell) const
    {
        ndft_complex<R> product = {0, 0};
        if (cell < side.n) ndft_rotate(product, factors[cell], side.load(line, cell));
        return product;
    }

    __device__ void store(int64_t line, int cell, ndft_complex<R> z) const
    {
        if (cell < side.kept) store(line, cell, z, factors[cell]);
    }

    /* Of cells beyond the line any. */
    __device__ ndft_complex<R> factor(int cell) const { return factors[min(cell, side.kept - 1)]; }

    __device__ void store(int64_t line, int cell, ndft_complex<R> z, ndft_complex<R> factor) const
    {
        if (cell >= side.kept) return;
        ndft_complex<R> product;
        ndft_rotate(product, factor, z);
        side.store(line, cell, product);
    }

    /* Cells first + k step. */
    template <int COUNT, int CELLS>
    __device__ void load_cells(int64_t line, int first, int step, ndft_complex<R> (&v)[CELLS]) const
    {
        if (side.plain()) {
            const ndft_complex<R> *from = (const ndft_complex<R> *)side.data + line;
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                const int cell = first + k * step;
                v[k] = {0, 0};
                if (cell < side.n) ndft_rotate(v[k], factors[cell], from[cell]);
            }
            return;
        }
#pragma unroll
        for (int k = 0; k < COUNT; k++) v[k] = load(line, first + k * step);
    }

    template <int COUNT, int CELLS>
    __device__ void store_cells(int64_t line, int first, int step,
                                const ndft_complex<R> (&v)[CELLS]) const
    {
        if (side.plain()) {
            ndft_complex<R> *to = (ndft_complex<R> *)side.data + line;
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                const int cell = first + k * step;
                if (cell < side.n) ndft_rotate(to[cell], factors[cell], v[k]);
            }
            return;
        }
#pragma unroll
        for (int k = 0; k < COUNT; k++) store(line, first + k * step, v[k]);
    }
};

template <class R> constexpr bool has_factors<factored_side<R>> = true;

template <class R>
factored_side<R> factored(const void *factors, const ndft_pass &pass, const ndft_line_side &lines,
                          const void *data)
{
    return {(const ndft_complex<R> *)factors, side_of<R>(pass, lines, data)};
}

/* Whether neighbouring lines are nearer to each other than the elements of one. */
inline bool lines_beside(const ndft_pass &pass)
{
    for (int i = 0; i < pass.modes; i++)
        if (pass.shape[i] > 1) return pass.in.step[i] < pass.in.stride;
    return false;
}

} // namespace

#endif
