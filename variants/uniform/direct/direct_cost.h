/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_COST_H
#define NDFT_DIRECT_COST_H

#include "uniform/axes.h"

#include "base/variant.h"

/* What summing axis by axis costs, whatever makes the phasors. */

static inline double ndft_side_bytes(const ndft_pass *p, const ndft_line_side *side, ndft_prec prec)
{
    return (double)p->lines * (double)side->count * (side->real ? 1 : 2) *
           (double)ndft_real_size(prec);
}

/* Each pass reads and writes its data once; a copy does so before. */
static inline double ndft_axes_bytes(const ndft_transform *t, bool whole_lines)
{
    const ndft_axes a = ndft_axes_of(t, whole_lines);
    double bytes = 0;
    for (int i = 0; i < a.passes; i++)
        bytes += ndft_side_bytes(&a.pass[i], &a.pass[i].in, t->prec) +
                 ndft_side_bytes(&a.pass[i], &a.pass[i].out, t->prec);
    return bytes + (a.copies ? 4 * (double)a.room[0] * (double)ndft_real_size(t->prec) : 0);
}

/* The longest of its sums. */
static inline int64_t ndft_axes_longest(const ndft_transform *t)
{
    int64_t longest = 1;
    for (int d = 1; d <= t->dim; d++)
        if (t->shape[d] > longest) longest = t->shape[d];
    return longest;
}

enum { NDFT_DIRECT_LONGEST = 1 << 30 };

/* NULL, or a sentence saying why not; phases are 32-bit integers. knobs: the tile. */
static inline const char *ndft_direct_unsupported(const ndft_problem *p, const int *knobs)
{
    if (knobs[0] < 1 || knobs[0] > 256) return "tile must be from 1 to 256";
    return ndft_axes_longest(ndft_transform_of(p)) > NDFT_DIRECT_LONGEST
               ? "its phases n k mod N are 32-bit integers: axes of 2^30 at most"
               : NULL;
}

#endif
