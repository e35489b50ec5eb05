/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_CONVOLVE_H
#define NDFT_CONVOLVE_CONVOLVE_H

#include "convolve_fftw.h"
#include "core/loop.h"

#include <omp.h>

/*
 * Forward transform, multiply, inverse: a circular convolution of an image with zeros around it,
 * for loops of any variant, which bring what is loaded and stored as hooks. Zeros are never
 * transformed nor kept: rows along x are loaded, transformed and kept as they are; along y (in 3D)
 * a few neighbouring lines at a time are lengthened; along the last axis such lines are
 * transformed, multiplied, transformed back and shortened while they stay in cache.
 */

/* One row of an image along x, [n[0]] complex, to be filled or taken. */
typedef void ndft_row_hook(const void *context, int64_t row, ndft_real *line);

/* Copies `cells` groups of `lanes` complex cells. */
static inline void ndft_copy_lanes(const ndft_real *from, int64_t from_step, ndft_real *to,
                                   int64_t to_step, int64_t cells, int lanes)
{
    for (int64_t i = 0; i < cells; i++)
        for (int l = 0; l < 2 * lanes; l++) to[2 * i * to_step + l] = from[2 * i * from_step + l];
}

static inline void ndft_zero_cells(ndft_real *cells, int64_t count)
{
    for (int64_t i = 0; i < 2 * count; i++) cells[i] = 0;
}

static inline ndft_real *ndft_convolve_work(const ndft_convolve *c)
{
    return (ndft_real *)((char *)c->work + (size_t)omp_get_thread_num() * c->work_bytes);
}

static inline ndft_real *ndft_convolve_row(const ndft_convolve *c, int64_t row)
{
    const int64_t y = row % c->n[1], z = row / c->n[1];
    return (ndft_real *)c->grid + 2 * c->cells[0] * (z * c->kept_rows + y);
}

/* Lines of the last axis, but lanes cells apart: multiplier is for its first cell and lane. */
static inline void ndft_multiply_lines(const ndft_convolve *c, const ndft_real *multiplier,
                                       int64_t step, ndft_real *lines, int width, int lanes)
{
    const int64_t cells = c->cells[c->dim - 1];
    for (int64_t i = 0; i < cells; i++, lines += 2 * width, multiplier += step) {
        for (int l = 0; l < lanes; l++) {
            lines[2 * l] *= multiplier[l];
            lines[2 * l + 1] *= multiplier[l];
        }
    }
}

static inline void ndft_convolve_line(const ndft_convolve *c, const ndft_real *multiplier,
                                      ndft_row_hook *load, ndft_row_hook *store,
                                      const void *context)
{
    ndft_real *line = ndft_convolve_work(c);
    load(context, 0, line);
    ndft_zero_cells(line + 2 * c->n[0], c->cells[0] - c->n[0]);
    ndft_fft_run(&c->fft[0][0], line, line);
    ndft_multiply_lines(c, multiplier, 1, line, 1, 1);
    ndft_fft_run(&c->fft[0][1], line, line);
    store(context, 0, line);
}

/* Rows along x, loaded and transformed, or back. */
static inline void ndft_convolve_rows(const ndft_convolve *c, bool back, ndft_row_hook *hook,
                                      const void *context)
{
    const int64_t rows = c->n[1] * c->n[2], n = c->cells[0];
#pragma omp for schedule(static)
    for (int64_t row = 0; row < rows; row++) {
        ndft_real *line = ndft_convolve_work(c), *kept = ndft_convolve_row(c, row);
        ndft_copy_lanes(kept, n, line, n, back ? 1 : 0, (int)n);
        if (!back) {
            hook(context, row, line);
            ndft_zero_cells(line + 2 * c->n[0], n - c->n[0]);
        }
        ndft_fft_run(&c->fft[0][back], line, line);
        if (back)
            hook(context, row, line);
        else
            ndft_copy_lanes(line, n, kept, n, 1, (int)n);
    }
}

static inline int ndft_lanes_at(const ndft_convolve *c, int64_t x)
{
    return (int)(c->cells[0] - x < NDFT_CONVOLVE_LANES ? c->cells[0] - x : NDFT_CONVOLVE_LANES);
}

/* The middle axis of three: n[1] rows of each plane become cells[1], or back. */
static inline void ndft_convolve_middle(const ndft_convolve *c, bool back)
{
    const int64_t n = c->cells[0], long_rows = c->cells[1];
    const int64_t from = back ? long_rows : c->n[1], to = back ? c->n[1] : long_rows;
#pragma omp for collapse(2) schedule(static)
    for (int64_t z = 0; z < c->n[2]; z++) {
        for (int64_t x = 0; x < n; x += NDFT_CONVOLVE_LANES) {
            const int lanes = ndft_lanes_at(c, x);
            ndft_real *lines = ndft_convolve_work(c);
            ndft_real *plane = (ndft_real *)c->grid + 2 * (n * c->kept_rows * z + x);
            ndft_zero_cells(lines, long_rows * NDFT_CONVOLVE_LANES);
            ndft_copy_lanes(plane, n, lines, NDFT_CONVOLVE_LANES, from, lanes);
            ndft_fft_run(&c->fft[1][back], lines, lines);
            ndft_copy_lanes(lines, NDFT_CONVOLVE_LANES, plane, n, to, lanes);
        }
    }
}

static inline void ndft_convolve_last(const ndft_convolve *c, const ndft_real *multiplier)
{
    const int last = c->dim - 1;
    const int64_t n = c->cells[0], columns = last == 2 ? c->cells[1] : 1;
    const int64_t plane = n * (last == 2 ? c->kept_rows : 1);
#pragma omp for collapse(2) schedule(static)
    for (int64_t y = 0; y < columns; y++) {
        for (int64_t x = 0; x < n; x += NDFT_CONVOLVE_LANES) {
            const int lanes = ndft_lanes_at(c, x);
            ndft_real *lines = ndft_convolve_work(c);
            ndft_real *kept = (ndft_real *)c->grid + 2 * (n * y + x);
            ndft_zero_cells(lines, c->cells[last] * NDFT_CONVOLVE_LANES);
            ndft_copy_lanes(kept, plane, lines, NDFT_CONVOLVE_LANES, c->n[last], lanes);
            ndft_fft_run(&c->fft[last][0], lines, lines);
            ndft_multiply_lines(c, multiplier + n * y + x, n * columns, lines, NDFT_CONVOLVE_LANES,
                                lanes);
            ndft_fft_run(&c->fft[last][1], lines, lines);
            ndft_copy_lanes(lines, NDFT_CONVOLVE_LANES, kept, plane, c->n[last], lanes);
        }
    }
}

/* Inside a parallel region of c->threads, by all its threads. The multiplier, [cells] reals with x
 * fastest, has the factor of both transforms in it. */
static inline void ndft_convolve_image(const ndft_convolve *c, const ndft_real *multiplier,
                                       ndft_row_hook *load, ndft_row_hook *store,
                                       const void *context)
{
    if (c->dim == 1) {
#pragma omp single
        ndft_convolve_line(c, multiplier, load, store, context);
        return;
    }
    ndft_convolve_rows(c, false, load, context);
    if (c->dim == 3) ndft_convolve_middle(c, false);
    ndft_convolve_last(c, multiplier);
    if (c->dim == 3) ndft_convolve_middle(c, true);
    ndft_convolve_rows(c, true, store, context);
}

#endif
