/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_AXIS_COST_H
#define NDFT_CONVOLVE_AXIS_COST_H

#include "pass.h"

#include "base/variant.h"

#include <math.h>

/* Adds what lines cost the processor that are convolved with a chirp at so many cells: two fast
 * transforms of 5 n log2 n operations each, the product between them, and those with factors. */
static inline void ndft_lines_cost(double lines, double cells, double factors, ndft_cost *cost)
{
    const double transforms = lines * 2 * 5 * cells * fmax(log2(cells), 1);
    const double products = lines * 4 * (cells + factors);
    cost->fma += transforms / 3 + products;
    cost->add += transforms / 3;
    cost->issue_slots += transforms + products;
}

/* The pass as it is convolved where real lines are paired (real_pair.h): half of the lines, each of
 * two lines' elements. */
static inline ndft_pass ndft_paired_pass(const ndft_pass *p)
{
    ndft_pass paired = *p;
    if (!ndft_pass_has_pairs(p)) return paired;
    paired.lines = (p->lines + 1) / 2;
    paired.in.count *= 2;
    paired.out.count *= 2;
    return paired;
}

/* Adds what a pass costs the device whose lines are convolved with a chirp at so many cells: two
 * fast transforms of 5 n log2 n operations each and the products between; padded cells pass memory
 * `sweeps` times, the signal once in and once out. */
static inline void ndft_axis_cost(const ndft_pass *pass, ndft_prec prec, double cells,
                                  double sweeps, double launches, ndft_cost *cost)
{
    const double real = (double)ndft_real_size(prec), lines = (double)pass->lines;
    const double in = (double)pass->in.count * (pass->in.real ? 1 : 2);
    const double out = (double)pass->out.count * (pass->out.real ? 1 : 2);
    const double operations = lines * (2 * 5 * cells * log2(cells) + 6 * cells);
    const double products = lines * 4 * (double)(pass->in.count + pass->out.count);
    cost->fma += operations / 3 + products;
    cost->add += operations / 3;
    cost->issue_slots += operations + products;
    cost->dram_bytes += real * lines * (2 * sweeps * cells + in + out);
    cost->l2_bytes = cost->dram_bytes;
    cost->launches += launches;
}

#endif
