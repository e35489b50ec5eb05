/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_HOOKS_H
#define NDFT_CONVOLVE_BLUESTEIN_HOOKS_H

#include "bluestein_pairs.h"

/* The hooks of Bluestein's convolution: lines of a tensor times their factors, with zeros behind
 * them, and back; of real lines, pairs (bluestein_pairs.h). */

static inline void ndft_load_cells(const ndft_bluestein_axis *a, const ndft_real *from, int64_t at,
                                   int64_t begin, int64_t end, ndft_real *restrict line)
{
    const ndft_real *factor = a->before;
    const int64_t stride = a->pass.in.stride;
    if (a->pass.in.real) {
        for (int64_t i = begin; i < end; i++) {
            const ndft_real x = from[at + i * stride];
            line[2 * i] = x * factor[2 * i];
            line[2 * i + 1] = x * factor[2 * i + 1];
        }
    } else if (stride == 1) {
        for (int64_t i = begin; i < end; i++)
            ndft_complex_product(from + 2 * (at + i), factor + 2 * i, line + 2 * i);
    } else {
        for (int64_t i = begin; i < end; i++)
            ndft_complex_product(from + 2 * (at + i * stride), factor + 2 * i, line + 2 * i);
    }
}

static inline void ndft_store_cells(const ndft_bluestein_axis *a, const ndft_real *restrict line,
                                    int64_t begin, int64_t end, int64_t at, ndft_real *to)
{
    const ndft_real *factor = a->after;
    const int64_t stride = a->pass.out.stride;
    if (a->pass.out.real) {
        for (int64_t i = begin; i < end; i++)
            to[at + i * stride] = line[2 * i] * factor[2 * i] - line[2 * i + 1] * factor[2 * i + 1];
    } else if (stride == 1) {
        for (int64_t i = begin; i < end; i++)
            ndft_complex_product(line + 2 * i, factor + 2 * i, to + 2 * (at + i));
    } else {
        for (int64_t i = begin; i < end; i++)
            ndft_complex_product(line + 2 * i, factor + 2 * i, to + 2 * (at + i * stride));
    }
}

/* The terms of half a spectrum that stand for their mirrored ones as well. */
static inline void ndft_double_inner(const ndft_pass *p, ndft_real *line)
{
    const int64_t end = (p->length + 1) / 2;
    for (int64_t i = 2; i < 2 * end; i++) line[i] *= 2;
}

static inline void ndft_load_called(const ndft_bluestein_axis *a, int64_t number,
                                    const ndft_real *from, ndft_real *line)
{
    const ndft_real *factor = a->before;
    ndft_call_load(a, number, from, 2, line);
    for (int64_t i = 0; i < a->pass.in.count; i++)
        ndft_complex_product(line + 2 * i, factor + 2 * i, line + 2 * i);
}

static inline void ndft_store_called(const ndft_bluestein_axis *a, int64_t number, ndft_real *line,
                                     ndft_real *to)
{
    const ndft_real *factor = a->after;
    for (int64_t i = 0; i < a->pass.out.count; i++)
        ndft_complex_product(line + 2 * i, factor + 2 * i, line + 2 * i);
    ndft_call_store(a, number, line, 2, to);
}

static inline void ndft_bluestein_load(const void *context, int64_t first, int lines, ndft_real *to)
{
    const ndft_bluestein_job *job = context;
    const ndft_bluestein_axis *a = job->axis;
    const int64_t count = a->pass.in.count, pitch = a->convolve.pitch;
    int64_t at[NDFT_BATCH_LANES];
    if (a->paired) {
        ndft_pairs_load(job, first, lines, to);
        return;
    }
    for (int l = 0; l < lines; l++) at[l] = ndft_line_at(&a->pass, &a->pass.in, first + l);
    for (int64_t begin = 0, end; begin < count && !a->loads; begin = end) {
        end = ndft_block_end(begin, count, lines);
        for (int l = 0; l < lines; l++)
            ndft_load_cells(a, job->from, at[l], begin, end, to + 2 * l * pitch);
    }
    for (int l = 0; l < lines; l++) {
        ndft_real *line = to + 2 * l * pitch;
        if (a->loads) ndft_load_called(a, first + l, job->from, line);
        if (a->pass.domain == NDFT_C2R) ndft_double_inner(&a->pass, line);
        memset(line + 2 * count, 0, (size_t)(a->convolve.cells - count) * 2 * sizeof *line);
    }
}

static inline void ndft_bluestein_store(const void *context, int64_t first, int lines,
                                        ndft_real *from)
{
    const ndft_bluestein_job *job = context;
    const ndft_bluestein_axis *a = job->axis;
    const int64_t count = a->pass.out.count, pitch = a->convolve.pitch;
    int64_t at[NDFT_BATCH_LANES];
    if (a->paired) {
        ndft_pairs_store(job, first, lines, from);
        return;
    }
    for (int l = 0; l < lines; l++) at[l] = ndft_line_at(&a->pass, &a->pass.out, first + l);
    for (int l = 0; l < lines && a->stores; l++)
        ndft_store_called(a, first + l, from + 2 * l * pitch, job->to);
    for (int64_t begin = 0, end; begin < count && !a->stores; begin = end) {
        end = ndft_block_end(begin, count, lines);
        for (int l = 0; l < lines; l++)
            ndft_store_cells(a, from + 2 * l * pitch, begin, end, at[l], job->to);
    }
}

#endif
