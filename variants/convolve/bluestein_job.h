/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_JOB_H
#define NDFT_CONVOLVE_BLUESTEIN_JOB_H

#include "convolve_batch.h"

/* What the hooks of Bluestein's convolution (bluestein_hooks.h) are given, and what lines and pairs
 * of them have in common. */

typedef struct ndft_bluestein_job {
    const ndft_bluestein_axis *axis;
    const ndft_real *from;
    ndft_real *to;
} ndft_bluestein_job;

/* Several lines are taken so many cells at a time: cells of neighbours in one cache line are read
 * while it is there. */
enum { NDFT_BLUESTEIN_BLOCK = 16 };

static inline int64_t ndft_block_end(int64_t begin, int64_t count, int lines)
{
    const int64_t end = lines == 1 ? count : begin + NDFT_BLUESTEIN_BLOCK;
    return end < count ? end : count;
}

/* product = a b */
static inline void ndft_complex_product(const ndft_real a[2], const ndft_real b[2],
                                        ndft_real product[2])
{
    const ndft_real re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    product[0] = re;
    product[1] = im;
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

/* What the load function makes of line `number`; width: reals of an element, 1 or 2. */
static inline void ndft_call_load(const ndft_bluestein_axis *a, int64_t number,
                                  const ndft_real *from, int width, ndft_real *to)
{
    const ndft_transform *t = a->loads;
    const ndft_line_side *side = &a->pass.in;
    const int64_t at = ndft_line_at(&a->pass, side, number);
    int64_t index[NDFT_MODES];
    ndft_line_index(&t->in, a->mode, number, index);
    for (int64_t i = 0; i < side->count; i++, to += width) {
        index[a->mode] = i;
        const ndft_slot slot = ndft_slot_at(from, t->prec, side->real, at + i * side->stride);
        const ndft_value x = t->load->load(slot, index, t->load->data);
        to[0] = (ndft_real)x.re;
        if (width == 2) to[1] = side->real ? 0 : (ndft_real)x.im;
    }
}

/* Gives line `number` to the store function. */
static inline void ndft_call_store(const ndft_bluestein_axis *a, int64_t number,
                                   const ndft_real *line, int width, ndft_real *to)
{
    const ndft_transform *t = a->stores;
    const ndft_line_side *side = &a->pass.out;
    const int64_t at = ndft_line_at(&a->pass, side, number);
    int64_t index[NDFT_MODES];
    ndft_line_index(&t->out, a->mode, number, index);
    for (int64_t i = 0; i < side->count; i++, line += width) {
        index[a->mode] = i;
        const ndft_slot slot = ndft_slot_at(to, t->prec, side->real, at + i * side->stride);
        const ndft_value y = {line[0], side->real ? 0 : line[1]};
        t->store->store(slot, y, index, t->store->data);
    }
}

#endif
