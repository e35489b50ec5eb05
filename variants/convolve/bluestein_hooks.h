/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_HOOKS_H
#define NDFT_CONVOLVE_BLUESTEIN_HOOKS_H

#include "convolve_batch.h"

#include <string.h>

/* The hooks of Bluestein's convolution: lines of a tensor times their factors, with zeros behind
 * them, and back. Several lines are taken a few cells at a time, so that cells of neighbours in one
 * cache line are read while it is there. */

typedef struct ndft_bluestein_job {
    const ndft_bluestein_axis *axis;
    const ndft_real *from;
    ndft_real *to;
} ndft_bluestein_job;

enum { NDFT_BLUESTEIN_BLOCK = 16 };

/* product = a b */
static inline void ndft_complex_product(const ndft_real a[2], const ndft_real b[2],
                                        ndft_real product[2])
{
    const ndft_real re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    product[0] = re;
    product[1] = im;
}

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

static inline int64_t ndft_block_end(int64_t begin, int64_t count, int lines)
{
    const int64_t end = lines == 1 ? count : begin + NDFT_BLUESTEIN_BLOCK;
    return end < count ? end : count;
}

/* Load and store functions are called where an element is read before the first product, or written
 * after the last. */

/* The modes of a line's first element; a pass counts its lines with M fastest. */
static inline void ndft_line_index(const ndft_tensor *t, int mode, int64_t line,
                                   int64_t index[NDFT_MODES])
{
    for (int i = 0; i < NDFT_MODES; i++) {
        index[i] = i == mode ? 0 : line % t->shape[i];
        if (i != mode) line /= t->shape[i];
    }
}

static inline void ndft_load_called(const ndft_bluestein_axis *a, int64_t number,
                                    const ndft_real *from, ndft_real *line)
{
    const ndft_transform *t = a->loads;
    const ndft_line_side *side = &a->pass.in;
    const ndft_real *factor = a->before;
    const int64_t at = ndft_line_at(&a->pass, side, number);
    int64_t index[NDFT_MODES];
    ndft_line_index(&t->in, a->mode, number, index);
    for (int64_t i = 0; i < side->count; i++) {
        index[a->mode] = i;
        const ndft_slot slot = ndft_slot_at(from, t->prec, side->real, at + i * side->stride);
        const ndft_value x = t->load->load(slot, index, t->load->data);
        const ndft_real re = (ndft_real)x.re, im = side->real ? 0 : (ndft_real)x.im;
        line[2 * i] = re * factor[2 * i] - im * factor[2 * i + 1];
        line[2 * i + 1] = re * factor[2 * i + 1] + im * factor[2 * i];
    }
}

static inline void ndft_store_called(const ndft_bluestein_axis *a, int64_t number,
                                     const ndft_real *line, ndft_real *to)
{
    const ndft_transform *t = a->stores;
    const ndft_line_side *side = &a->pass.out;
    const ndft_real *factor = a->after;
    const int64_t at = ndft_line_at(&a->pass, side, number);
    int64_t index[NDFT_MODES];
    ndft_line_index(&t->out, a->mode, number, index);
    for (int64_t i = 0; i < side->count; i++) {
        index[a->mode] = i;
        const ndft_slot slot = ndft_slot_at(to, t->prec, side->real, at + i * side->stride);
        const ndft_real re = line[2 * i] * factor[2 * i] - line[2 * i + 1] * factor[2 * i + 1];
        const ndft_real im = line[2 * i] * factor[2 * i + 1] + line[2 * i + 1] * factor[2 * i];
        const ndft_value y = {re, side->real ? 0 : im};
        t->store->store(slot, y, index, t->store->data);
    }
}

static inline void ndft_bluestein_load(const void *context, int64_t first, int lines, ndft_real *to)
{
    const ndft_bluestein_job *job = context;
    const ndft_bluestein_axis *a = job->axis;
    const int64_t count = a->pass.in.count, pitch = a->convolve.pitch;
    int64_t at[NDFT_BATCH_LANES];
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

/* NOLINTNEXTLINE(readability-non-const-parameter): of the type of load */
static inline void ndft_bluestein_store(const void *context, int64_t first, int lines,
                                        ndft_real *from)
{
    const ndft_bluestein_job *job = context;
    const ndft_bluestein_axis *a = job->axis;
    const int64_t count = a->pass.out.count, pitch = a->convolve.pitch;
    int64_t at[NDFT_BATCH_LANES];
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
