/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PAIRED_LINES_CUH
#define NDFT_CONVOLVE_PAIRED_LINES_CUH

#include "axis_lines.cuh"
#include "fft/block_fft.cuh"
#include "pair_weights.cuh"

/*
 * Two real lines as one complex line on the device (real_pair.h derives it): hooks of
 * filter_lines.cuh that load and store pairs of lines times factors of their cells. Pair i has
 * lines 2i and 2i + 1, the last of an odd number zeros beside it. What makes both as large as each
 * other comes from their sizes: a kernel that has whole lines sums them up as it loads, before
 * others a kernel of its own does (pair_sizes.cuh).
 */

/* The pairs of a pass. */
struct ndft_pairs {
    bool any;
    double *sizes; /* [lines][parts], of each part of a line its sum of magnitudes; or NULL */
    int parts;
    void *spectra; /* [pairs][n] complex, where a line lies in several blocks as it is stored */
};

namespace
{

enum { PAIR_PARTS = 4, PAIR_PART = 8192 }; /* parts of lines longer than that */

/* Two lines of a pair: where each begins, and its factor; there: the second is one. */
template <class R> struct pair_start {
    int64_t at[2];
    R factor[2];
    bool there;
};

/* One side of a pass, and what a pair's lines have in common on it. */
template <class R> struct pair_side {
    const ndft_complex<R> *factors;
    axis_side<R> side;
    const double *sizes;
    int parts;
    unsigned lines;

    __device__ __forceinline__ bool there(unsigned pair) const { return 2 * pair + 1 < lines; }

    __device__ __forceinline__ double size(unsigned line) const
    {
        double sum = 0;
        for (int i = 0; i < parts; i++) sum += sizes[(int64_t)line * parts + i];
        return sum;
    }

    /* Of sizes that were measured before. */
    __device__ pair_weights<R> weights(unsigned pair) const
    {
        return weights_of<R>(size(2 * pair), there(pair) ? size(2 * pair + 1) : 0);
    }

    /* The second line of a lone one is the same one. */
    __device__ pair_start<R> place(unsigned pair) const
    {
        const bool two = there(pair);
        return {{side.start(2 * pair), side.start(2 * pair + (two ? 1 : 0))}, {0, 0}, two};
    }
};

/* f(from one element of a side to the next), which a compiler may know. */
template <class R, class F> __device__ __forceinline__ void with_stride(const axis_side<R> &s, F f)
{
    if (s.stride == 1)
        f(1);
    else
        f(s.stride);
}

template <class R> struct pair_load : pair_side<R> {
    static constexpr bool HALF = true;

    __device__ pair_start<R> start(unsigned pair) const
    {
        pair_start<R> s = this->place(pair);
        const pair_weights<R> w = pair_side<R>::weights(pair);
        s.factor[0] = w.into[0];
        s.factor[1] = w.into[1];
        return s;
    }

    /* From sums over both lines, which may have overflowed. */
    __device__ pair_weights<R> weights(unsigned pair, ndft_complex<R> size) const
    {
        const R most = sizeof(R) == 4 ? (R)0x1.fffffep127 : (R)0x1.fffffffffffffp1023;
        const R x = size.re > most ? most : size.re, y = size.im > most ? most : size.im;
        return weights_of<R>(x, this->there(pair) ? y : 0);
    }

    /* A cell of half spectra is two numbers, of reals one. */
    __device__ __forceinline__ bool in_two_parts() const { return !this->side.real; }

    /* Cells of reals: (x, y). Zero beyond the line. */
    template <int COUNT, class Stride, int CELLS>
    __device__ __forceinline__ void read_reals(const pair_start<R> &s, int first, int step,
                                               Stride stride, ndft_complex<R> (&v)[CELLS]) const
    {
        const R *x = this->side.data + s.at[0], *y = this->side.data + s.at[1];
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const int cell = first + k * step;
            v[k] = {0, 0};
            if (cell < this->side.n) v[k] = {x[cell * stride], y[cell * stride]};
        }
    }

    /* Of half spectra: x in v[k], y in v[COUNT + k]. A cell that is its own mirror image is real.
     */
    template <int COUNT, class Stride, int CELLS>
    __device__ __forceinline__ void read_spectra(const pair_start<R> &s, int first, int step,
                                                 Stride stride, ndft_complex<R> (&v)[CELLS]) const
    {
        const auto *all = (const ndft_complex<R> *)this->side.data;
        const ndft_complex<R> *x = all + s.at[0], *y = all + s.at[1];
        const int n = this->side.n;
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const int cell = first + k * step, mirrored = n - cell;
            const int at = min(cell, mirrored);
            v[k] = v[COUNT + k] = {0, 0};
            if (cell < n) {
                v[k] = x[at * stride];
                v[COUNT + k] = y[at * stride];
            }
            const bool own = cell == 0 || cell == mirrored, back = cell > mirrored;
            v[k].im = own ? 0 : back ? -v[k].im : v[k].im;
            v[COUNT + k].im = own ? 0 : back ? -v[COUNT + k].im : v[COUNT + k].im;
        }
    }

    /* Cells first, first + step, ... as they are, and the sums of their magnitudes. */
    template <int COUNT, int CELLS>
    __device__ __forceinline__ ndft_complex<R> read(const pair_start<R> &s, int first, int step,
                                                    ndft_complex<R> (&v)[CELLS]) const
    {
        static_assert(2 * COUNT <= CELLS, "room for both lines");
        magnitudes<R> x = {0, 0}, y = {0, 0};
        if (this->side.real) {
            with_stride(this->side,
                        [&](auto stride) { read_reals<COUNT>(s, first, step, stride, v); });
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                x.add(v[k].re);
                y.add(v[k].im);
            }
        } else {
            with_stride(this->side,
                        [&](auto stride) { read_spectra<COUNT>(s, first, step, stride, v); });
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                x.add(v[k].re);
                x.add(v[k].im);
                y.add(v[COUNT + k].re);
                y.add(v[COUNT + k].im);
            }
        }
        return {x.sum + x.none, y.sum + y.none};
    }

    /* Zeros in place of lines that are all zeros or have a number that is none. */
    template <int COUNT, int CELLS>
    __device__ __forceinline__ void blank(bool x, bool y, ndft_complex<R> (&v)[CELLS]) const
    {
        const bool real = this->side.real;
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            v[k] = {x ? 0 : v[k].re, (real ? y : x) ? 0 : v[k].im};
            if (y && !real) v[COUNT + k] = {0, 0};
        }
    }

    /* Cells of what was read: weighed, put together, times their factors; zeros behind them. */
    template <int COUNT, int CELLS>
    __device__ __forceinline__ void weigh(const pair_weights<R> &weights, int first, int step,
                                          ndft_complex<R> (&v)[CELLS]) const
    {
        const R a = weights.into[0], b = weights.into[1];
        if (a == 0 || b == 0) blank<COUNT>(a == 0, b == 0, v);
        if (this->side.real) {
#pragma unroll
            for (int k = 0; k < COUNT; k++) v[k] = {a * v[k].re, b * v[k].im};
        } else {
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                const ndft_complex<R> x = v[k], y = v[COUNT + k];
                v[k] = {a * x.re - b * y.im, a * x.im + b * y.re};
            }
        }
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const int cell = first + k * step;
            if (cell < this->side.n) v[k] = this->factors[cell] * v[k];
            v[COUNT + k] = {0, 0};
        }
    }

    template <int COUNT, int CELLS>
    __device__ __forceinline__ void load_cells(const pair_start<R> &s, int first, int step,
                                               ndft_complex<R> (&v)[CELLS]) const
    {
        read<COUNT>(s, first, step, v);
        weigh<COUNT>({{s.factor[0], s.factor[1]}, {}}, first, step, v);
    }

    __device__ __forceinline__ ndft_complex<R> load(const pair_start<R> &s, int cell) const
    {
        ndft_complex<R> v[2];
        load_cells<1>(s, cell, 0, v);
        return v[0];
    }
};

template <class R> constexpr bool weighs_lines<pair_load<R>> = true;

template <class R> struct pair_store : pair_side<R> {
    static constexpr bool HALF = true;

    __device__ pair_start<R> start(unsigned pair) const { return start(pair, this->weights(pair)); }

    __device__ pair_start<R> start(unsigned pair, const pair_weights<R> &weights) const
    {
        pair_start<R> s = this->place(pair);
        s.factor[0] = weights.out_of[0];
        s.factor[1] = weights.out_of[1];
        return s;
    }

    /* Two half spectra come from cells k and n - k, of which a thread has one alone. */
    __device__ __forceinline__ bool by_line() const { return !this->side.real; }

    /* A cell times its factor; beyond the line whatever comes. */
    __device__ __forceinline__ ndft_complex<R> turned(int cell, ndft_complex<R> z) const
    {
        return cell < this->side.n ? this->factors[cell] * z : z;
    }

    /* Two real lines are the parts of their cells. All is read before the first is written: what is
     * written might be what is read, to a compiler. */
    template <int COUNT, int CELLS>
    __device__ __forceinline__ void store_cells(const pair_start<R> &s, int first, int step,
                                                const ndft_complex<R> (&v)[CELLS]) const
    {
        R *x = this->side.data + s.at[0], *y = this->side.data + s.at[1];
        const int second = s.there ? this->side.n : 0;
        ndft_complex<R> z[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; k++) z[k] = turned(first + k * step, v[k]);
        with_stride(this->side, [&](auto stride) {
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                const int cell = first + k * step;
                if (cell < this->side.n) x[cell * stride] = s.factor[0] * z[k].re;
                if (cell < second) y[cell * stride] = s.factor[1] * z[k].im;
            }
        });
    }

    __device__ __forceinline__ void store(const pair_start<R> &s, int cell, ndft_complex<R> z) const
    {
        const ndft_complex<R> v[1] = {z};
        store_cells<1>(s, cell, 0, v);
    }

    /* Outputs first, first + step, ... of both lines, TOGETHER at a time; z(k): cell k times its
     * factor. */
    template <int TOGETHER, class Cell>
    __device__ __forceinline__ void store_spectra(const pair_start<R> &s, int first, int step,
                                                  Cell z) const
    {
        const R a = s.factor[0] / 2, b = s.factor[1] / 2;
        const int n = this->side.n, kept = this->side.kept;
        const int64_t apart = step * this->side.stride;
        auto *x = (ndft_complex<R> *)this->side.data + first * this->side.stride, *y = x + s.at[1];
        x += s.at[0];
        for (int begin = first; begin < kept; begin += TOGETHER * step) {
            ndft_complex<R> up[TOGETHER], down[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                const int k = begin + i * step;
                if (k >= kept) break;
                up[i] = z(k);
                down[i] = z(k > 0 ? n - k : 0);
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; i++, x += apart, y += apart) {
                const ndft_complex<R> u = up[i], v = down[i];
                if (begin + i * step >= kept) break;
                *x = {a * (u.re + v.re), a * (u.im - v.im)};
                if (s.there) *y = {b * (u.im + v.im), b * (v.re - u.re)};
            }
        }
    }

    /* The same of a line whose cells are cell(k), one output after the other. */
    template <class Cell>
    __device__ __forceinline__ void store_line(const pair_start<R> &s, int first, int step,
                                               Cell cell) const
    {
        store_spectra<1>(s, first, step, [&](int k) { return turned(k, cell(k)); });
    }
};

template <class R> constexpr bool wants_line<pair_store<R>> = true;

} // namespace

#endif
