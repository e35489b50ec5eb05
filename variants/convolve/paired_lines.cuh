/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PAIRED_LINES_CUH
#define NDFT_CONVOLVE_PAIRED_LINES_CUH

#include "axis_lines.cuh"
#include "fft/block_fft.cuh"

/*
 * Two real lines as one complex line on the device (real_pair.h derives it): hooks of
 * filter_lines.cuh that load and store pairs of lines times factors of their cells. Pair i has
 * lines 2i and 2i + 1, the last of an odd number zeros beside it. What makes both as large as each
 * other comes from their sizes, which a kernel of its own has summed up before.
 */

/* The pairs of a pass; none: sizes is NULL. */
struct ndft_pairs {
    double *sizes; /* [lines][parts], of each part of a line its sum of magnitudes */
    int parts;
    void *spectra; /* [pairs][n] complex, where a line lies in several blocks as it is stored */
};

namespace
{

enum { PAIR_PARTS = 4, PAIR_PART = 8192 }; /* parts of lines longer than that */

/* With what a line goes into its pair and comes out. */
template <class R> struct pair_weight {
    R into, out_of;
};

template <class R> __device__ __forceinline__ R power_of_two(int exponent)
{
    if constexpr (sizeof(R) == 4) return __int_as_float((127 + exponent) << 23);
    return __hiloint2double((1023 + exponent) << 20, 0);
}

/* Powers of two by which a line's size becomes 1/2 to 1; in place of one with a number that is none
 * come zeros. By the bits: every thread does so. */
template <class R> __device__ __forceinline__ pair_weight<R> weight_of(double size)
{
    constexpr int most = sizeof(R) == 4 ? 126 : 1022; /* either is a normal number */
    if (size == 0) return {0, 0};
    if (!isfinite(size)) return {0, (R)NAN};
    const int exponent = max(-most, min(most, (__double2hiint(size) >> 20) - 1022));
    return {power_of_two<R>(-exponent), power_of_two<R>(exponent)};
}

/* Two lines of a pair: where each begins, and its factor. */
template <class R> struct pair_start {
    int64_t at[2];
    R factor[2];
};

/* One side of a pass, and what a pair's lines have in common on it. */
template <class R> struct pair_side {
    const ndft_complex<R> *factors;
    axis_side<R> side;
    const double *sizes;
    int parts;
    unsigned lines;

    __device__ __forceinline__ pair_weight<R> weight(unsigned line) const
    {
        double size = 0;
        for (int i = 0; i < parts; i++) size += sizes[(int64_t)line * parts + i];
        return weight_of<R>(size);
    }

    __device__ __forceinline__ bool there(unsigned pair, int which) const
    {
        return 2 * pair + which < lines;
    }
};

template <class R> struct pair_load : pair_side<R> {
    static constexpr bool HALF = true;

    __device__ pair_start<R> start(unsigned pair) const
    {
        pair_start<R> s = {};
#pragma unroll
        for (int i = 0; i < 2; i++) {
            if (!this->there(pair, i)) continue;
            s.at[i] = this->side.start(2 * pair + i);
            s.factor[i] = this->weight(2 * pair + i).into;
        }
        return s;
    }

    /* Zero beyond the line. Of half a spectrum a cell that is its own mirror image is real. Without
     * branches, so that the loads of several cells are under way together. */
    __device__ __forceinline__ ndft_complex<R> line(const pair_start<R> &s, int i, int cell) const
    {
        const axis_side<R> &side = this->side;
        const bool mirrored = cell >= side.kept, inside = cell < side.n;
        const bool own = cell == 0 || 2 * cell == side.n, none = s.factor[i] == 0;
        const int64_t at = s.at[i] + (mirrored ? side.n - cell : cell) * side.stride;
        const R *from = side.data + (side.real ? at : 2 * at);
        const R re = inside ? from[0] : 0, im = inside && !side.real && !own ? from[1] : 0;
        return {none ? 0 : s.factor[i] * re, none       ? 0
                                             : mirrored ? -s.factor[i] * im
                                                        : s.factor[i] * im};
    }

    __device__ __forceinline__ ndft_complex<R> load(const pair_start<R> &s, int cell) const
    {
        const ndft_complex<R> x = line(s, 0, cell), y = line(s, 1, cell);
        ndft_complex<R> product;
        ndft_rotate(product, this->factors[cell < this->side.n ? cell : 0],
                    {x.re - y.im, x.im + y.re});
        return product;
    }

    template <int COUNT, int CELLS>
    __device__ __forceinline__ void load_cells(const pair_start<R> &s, int first, int step,
                                               ndft_complex<R> (&v)[CELLS]) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) v[k] = load(s, first + k * step);
    }
};

template <class R> struct pair_store : pair_side<R> {
    static constexpr bool HALF = true;

    __device__ pair_start<R> start(unsigned pair) const
    {
        pair_start<R> s = {};
#pragma unroll
        for (int i = 0; i < 2; i++) {
            s.at[i] = -1;
            if (!this->there(pair, i)) continue;
            s.at[i] = this->side.start(2 * pair + i);
            s.factor[i] = this->weight(2 * pair + i).out_of;
        }
        return s;
    }

    /* Two half spectra come from cells k and n - k, of which a thread has one alone. */
    __device__ __forceinline__ bool by_line() const { return !this->side.real; }

    __device__ __forceinline__ ndft_complex<R> turned(int cell, ndft_complex<R> z) const
    {
        ndft_complex<R> y;
        ndft_rotate(y, this->factors[cell < this->side.n ? cell : 0], z);
        return y;
    }

    /* Two real lines are the parts of their cells. */
    __device__ __forceinline__ void put(const pair_start<R> &s, int cell, ndft_complex<R> y) const
    {
        if (cell >= this->side.n) return;
        const int64_t at = cell * this->side.stride;
        if (s.at[0] >= 0) this->side.data[s.at[0] + at] = s.factor[0] * y.re;
        if (s.at[1] >= 0) this->side.data[s.at[1] + at] = s.factor[1] * y.im;
    }

    __device__ __forceinline__ void store(const pair_start<R> &s, int cell, ndft_complex<R> z) const
    {
        put(s, cell, turned(cell, z));
    }

    /* All is read before the first is written: what is written might be what is read, to a
     * compiler. */
    template <int COUNT, int CELLS>
    __device__ __forceinline__ void store_cells(const pair_start<R> &s, int first, int step,
                                                const ndft_complex<R> (&v)[CELLS]) const
    {
        ndft_complex<R> y[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; k++) y[k] = turned(first + k * step, v[k]);
#pragma unroll
        for (int k = 0; k < COUNT; k++) put(s, first + k * step, y[k]);
    }

    /* Outputs first, first + step, ... of both lines, TOGETHER at a time; z(k): cell k times its
     * factor. */
    template <int TOGETHER, class Cell>
    __device__ __forceinline__ void store_spectra(const pair_start<R> &s, int first, int step,
                                                  Cell z) const
    {
        auto *to = (ndft_complex<R> *)this->side.data;
        const R a = s.factor[0] / 2, b = s.factor[1] / 2;
        const int last = this->side.kept - 1;
        for (int begin = first; begin <= last; begin += TOGETHER * step) {
            ndft_complex<R> up[TOGETHER], down[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                const int k = min(begin + i * step, last);
                up[i] = z(k);
                down[i] = z(k > 0 ? this->side.n - k : 0);
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                const int k = begin + i * step;
                const int64_t at = k * this->side.stride;
                const ndft_complex<R> u = up[i], v = down[i];
                if (k <= last && s.at[0] >= 0)
                    to[s.at[0] + at] = {a * (u.re + v.re), a * (u.im - v.im)};
                if (k <= last && s.at[1] >= 0)
                    to[s.at[1] + at] = {b * (u.im + v.im), b * (v.re - u.re)};
            }
        }
    }

    /* The same of a line whose cells are cell(k). */
    template <int TOGETHER = 4, class Cell>
    __device__ __forceinline__ void store_line(const pair_start<R> &s, int first, int step,
                                               Cell cell) const
    {
        store_spectra<TOGETHER>(s, first, step, [&](int k) { return turned(k, cell(k)); });
    }
};

template <class R> constexpr bool wants_line<pair_store<R>> = true;

} // namespace

#endif
