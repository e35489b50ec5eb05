/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_CALLED_H
#define NDFT_CONVOLVE_BLUESTEIN_CALLED_H

#include "convolve_batch_fftw.h"
#include "core/loop.h"

/* Load and store functions inside the hooks of Bluestein's convolution: called where an element is
 * read before the first product, or written after the last. */

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

#endif
