/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BATCH_H
#define NDFT_CONVOLVE_BATCH_H

#include "convolve_batch_fftw.h"
#include "core/loop.h"

#include <omp.h>

/*
 * Forward transform, multiply, inverse of many lines with one filter: circular convolutions, for
 * loops of any variant, which bring what is loaded (with the zeros behind it) and what is stored as
 * hooks. Threads over lines, a few neighbouring ones at a time. Either the whole of it while a line
 * is in cache, or its two halves with the lines kept in between.
 */

/* Lines first, ..., first + count - 1, [count][pitch] complex, to be filled or taken. */
typedef void ndft_lines_hook(const void *context, int64_t first, int count, ndft_real *lines);

static inline void ndft_multiply_line(const ndft_convolve_batch *c, ndft_real *restrict line)
{
    const ndft_real *spectrum = c->spectrum;
    for (int64_t i = 0; i < c->cells; i++) {
        const ndft_real re = line[2 * i], im = line[2 * i + 1];
        line[2 * i] = re * spectrum[2 * i] - im * spectrum[2 * i + 1];
        line[2 * i + 1] = re * spectrum[2 * i + 1] + im * spectrum[2 * i];
    }
}

static inline int ndft_lanes_from(const ndft_convolve_batch *c, int64_t first, int64_t end)
{
    return (int)(end - first < c->lanes ? end - first : c->lanes);
}

/* No more than find lines, and one where it is done before others are awake. */
static inline int ndft_batch_threads(const ndft_convolve_batch *c, int64_t lines)
{
    enum { SMALL = 1 << 14 };
    const int64_t groups = (lines + c->lanes - 1) / c->lanes;
    if (lines * c->cells < SMALL) return 1;
    return groups < c->threads ? (int)groups : c->threads;
}

/*
 * Lines first, ..., end - 1, loaded and transformed; then multiplied, transformed back and stored.
 * kept: where they stay between these halves, which are asked for apart by a hook of NULL for the
 * other; NULL: in the threads' work.
 */
static inline __attribute__((always_inline)) void
ndft_convolve_lines(const ndft_convolve_batch *c, int64_t first, int64_t end, ndft_lines_hook *load,
                    ndft_lines_hook *store, const void *context, ndft_real *kept)
{
#pragma omp parallel for num_threads(ndft_batch_threads(c, end - first)) schedule(static)
    for (int64_t at = first; at < end; at += c->lanes) {
        const int count = ndft_lanes_from(c, at, end);
        ndft_real *lines =
            kept ? kept + 2 * (at - first) * c->pitch
                 : (ndft_real *)c->work + 2 * omp_get_thread_num() * c->lanes * c->pitch;
        if (load) load(context, at, count, lines);
        for (int l = 0; l < count; l++) {
            ndft_real *line = lines + 2 * l * c->pitch;
            if (load) ndft_fft_run(&c->fft[0], line, line);
            if (store) ndft_multiply_line(c, line);
            if (store) ndft_fft_run(&c->fft[1], line, line);
        }
        if (store) store(context, at, count, lines);
    }
}

#endif
