/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_REAL_PAIR_H
#define NDFT_CONVOLVE_REAL_PAIR_H

#include "core/loop.h"

#include <math.h>

/*
 * Two real lines transformed as one complex line (Cooley, Lewis and Welch 1970). With
 * z = a x + i b y and real a, b,
 *
 *     a X_k = (Z_k + conj Z_{N-k})/2,  b Y_k = (Z_k - conj Z_{N-k})/2i,
 *
 * and back from half spectra, Z_k = a X_k + i b Y_k and Z_{N-k} = conj(a X_k) + i conj(b Y_k).
 * What rounds is as large as Z, in both lines. So a and b are powers of two, which round nothing,
 * that make the lines as large as each other; a line keeps its own precision whatever its neighbour
 * is, zeros come to zeros, and a number that is none stays in its line.
 */

/* One line of a pair in memory: where it begins, reals from element to element, and the factors
 * with which it goes into the pair and comes out. */
typedef struct ndft_pair_line {
    ndft_real *at;
    int64_t step;
    ndft_real into, out_of;
} ndft_pair_line;

/* The sum of the magnitudes of count reals that lie so far apart: in four parts, none of which
 * waits for another. */
static inline __attribute__((always_inline)) double ndft_pair_sum(const ndft_real *x, int64_t count,
                                                                  int64_t step)
{
    const int64_t part = count / 4;
    const ndft_real *y = x + part * step, *z = y + part * step, *w = z + part * step;
    double a = 0, b = 0, c = 0, d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
    for (int64_t i = 0; i < part; i++) {
        a += fabs((double)x[i * step]);
        b += fabs((double)y[i * step]);
        c += fabs((double)z[i * step]);
        d += fabs((double)w[i * step]);
    }
    for (int64_t i = part; i < count - 3 * part; i++) d += fabs((double)w[i * step]);
    return a + b + c + d;
}

/* Of elements begin, ..., end - 1, which have so many reals. */
static inline double ndft_pair_size(const ndft_pair_line *line, int reals, int64_t begin,
                                    int64_t end)
{
    const ndft_real *at = line->at + begin * line->step;
    const int64_t count = end - begin;
    if (line->step == reals) return ndft_pair_sum(at, count * reals, 1);
    double size = 0;
    for (int r = 0; r < reals; r++) size += ndft_pair_sum(at + r, count, line->step);
    return size;
}

/* All elements zero. */
static inline ndft_pair_line ndft_pair_zeros(ndft_real out_of)
{
    static ndft_real zeros[2];
    return (ndft_pair_line){.at = zeros, .out_of = out_of};
}

/* Sets the factors by which a line of this size, its sum of magnitudes, becomes 1/2 to 1. In place
 * of one with a number that is none come zeros. */
static inline void ndft_pair_weigh(double size, ndft_pair_line *line)
{
    const int most = sizeof(ndft_real) == 4 ? 126 : 1022; /* either factor is a normal number */
    int exponent;
    if (!isfinite(size) || size == 0) {
        *line = ndft_pair_zeros((ndft_real)(size == 0 ? 0 : NAN));
        return;
    }
    frexp(size, &exponent);
    exponent = exponent > most ? most : exponent < -most ? -most : exponent;
    line->into = (ndft_real)ldexp(1, -exponent);
    line->out_of = (ndft_real)ldexp(1, exponent);
}

/* cells[i] = z_i factor[i] */
static inline __attribute__((always_inline)) void
ndft_pair_load_reals(ndft_pair_line x, ndft_pair_line y, int64_t begin, int64_t end,
                     const ndft_real *restrict factor, ndft_real *restrict cells)
{
    for (int64_t i = begin; i < end; i++) {
        const ndft_real re = x.into * x.at[i * x.step], im = y.into * y.at[i * y.step];
        cells[2 * i] = re * factor[2 * i] - im * factor[2 * i + 1];
        cells[2 * i + 1] = re * factor[2 * i + 1] + im * factor[2 * i];
    }
}

/* cells[k] = Z_k factor[k], cells[n - k] likewise; begin <= k < end, 0 < k < n/2. */
static inline __attribute__((always_inline)) void
ndft_pair_load_inner(ndft_pair_line x, ndft_pair_line y, int64_t begin, int64_t end, int64_t n,
                     const ndft_real *restrict factor, ndft_real *restrict cells)
{
    for (int64_t k = begin; k < end; k++) {
        const ndft_real re = x.into * x.at[k * x.step], im = x.into * x.at[k * x.step + 1];
        const ndft_real u = y.into * y.at[k * y.step], v = y.into * y.at[k * y.step + 1];
        const ndft_real *f = factor + 2 * k, *g = factor + 2 * (n - k);
        ndft_real *up = cells + 2 * k, *down = cells + 2 * (n - k);
        up[0] = (re - v) * f[0] - (im + u) * f[1];
        up[1] = (re - v) * f[1] + (im + u) * f[0];
        down[0] = (re + v) * g[0] - (u - im) * g[1];
        down[1] = (re + v) * g[1] + (u - im) * g[0];
    }
}

/* x_i, y_i are the real and the imaginary part of cells[i] factor[i]. */
static inline __attribute__((always_inline)) void
ndft_pair_store_reals(const ndft_real *restrict cells, const ndft_real *restrict factor,
                      int64_t begin, int64_t end, ndft_pair_line x, ndft_pair_line y)
{
    for (int64_t i = begin; i < end; i++) {
        const ndft_real re = cells[2 * i] * factor[2 * i] - cells[2 * i + 1] * factor[2 * i + 1];
        const ndft_real im = cells[2 * i] * factor[2 * i + 1] + cells[2 * i + 1] * factor[2 * i];
        x.at[i * x.step] = x.out_of * re;
        y.at[i * y.step] = y.out_of * im;
    }
}

/* X_k, Y_k of Z_k = cells[k] factor[k] and Z_{n-k}; begin <= k < end, 0 < k < n/2. */
static inline __attribute__((always_inline)) void
ndft_pair_store_inner(const ndft_real *restrict cells, const ndft_real *restrict factor,
                      int64_t begin, int64_t end, int64_t n, ndft_pair_line x, ndft_pair_line y)
{
    const ndft_real a = x.out_of / 2, b = y.out_of / 2;
    for (int64_t k = begin; k < end; k++) {
        const ndft_real *f = factor + 2 * k, *g = factor + 2 * (n - k);
        const ndft_real *up = cells + 2 * k, *down = cells + 2 * (n - k);
        const ndft_real re = up[0] * f[0] - up[1] * f[1], im = up[0] * f[1] + up[1] * f[0];
        const ndft_real u = down[0] * g[0] - down[1] * g[1], v = down[0] * g[1] + down[1] * g[0];
        x.at[k * x.step] = a * (re + u);
        x.at[k * x.step + 1] = a * (im - v);
        y.at[k * y.step] = b * (im + v);
        y.at[k * y.step + 1] = b * (u - re);
    }
}

/* k = 0 and n/2, where a spectrum of reals is real. */
static inline void ndft_pair_load_end(ndft_pair_line x, ndft_pair_line y, int64_t k,
                                      const ndft_real *factor, ndft_real *cells)
{
    ndft_pair_load_reals(x, y, k, k + 1, factor, cells);
}

static inline void ndft_pair_store_end(const ndft_real *cells, const ndft_real *factor, int64_t k,
                                       ndft_pair_line x, ndft_pair_line y)
{
    ndft_pair_store_reals(cells, factor, k, k + 1, x, y);
    x.at[k * x.step + 1] = y.at[k * y.step + 1] = 0;
}

#endif
