/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_LINES_H
#define NDFT_DIRECT_LINES_H

#include "direct_cost.h"
#include "uniform/line_plan.h"

/* How direct_sum.h's loops cut their work, as plans and costs see it. */

enum { NDFT_DIRECT_LINES = 32, NDFT_DIRECT_BYTES = 256 }; /* lines of a group; outputs of a chunk */

/* One thread's part and total sums, its panel and its staged tile. */
static inline size_t ndft_direct_reals(const ndft_line_sum *s, ndft_prec prec)
{
    const size_t lanes = NDFT_DIRECT_BYTES / ndft_real_size(prec), tile = (size_t)s->tile;
    return 4 * NDFT_DIRECT_LINES * lanes + 2 * tile * lanes + 4 * NDFT_DIRECT_LINES * tile;
}

/* turned: a panel serves a whole sum, and each tile's sums are turned; else there is one each. */
static inline ndft_cost ndft_direct_lines_cost(const ndft_problem *p, int tile, bool turned)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_axes axes = ndft_axes_of(t, false);
    const int64_t lanes = NDFT_DIRECT_BYTES / (int64_t)ndft_real_size(p->prec);
    ndft_cost cost = {.dram_bytes = ndft_axes_bytes(t, false), .launches = axes.passes};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass *pass = &axes.pass[i];
        const double outputs = (double)((pass->out.count + lanes - 1) / lanes * lanes);
        const double lines = (double)pass->lines, inputs = (double)pass->in.count;
        const double groups = (double)((pass->lines - 1) / NDFT_DIRECT_LINES + 1);
        const double phasors = groups * outputs * (turned ? tile + inputs / tile : inputs);
        cost.fma += outputs * inputs * lines * (turned ? 4 + 4. / tile : 4);
        cost.fma += turned ? 12 * phasors : 0;
        cost.integer += 3 * phasors;
    }
    cost.l2_bytes = cost.dram_bytes;
    cost.issue_slots = cost.fma + cost.integer;
    return cost;
}

#endif
