/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_COST_CUH
#define NDFT_NUFFT_LINE_COST_CUH

#include "core/device.cuh"
#include "line_interpolate.cuh"
#include "line_shape.h"

#include "base/variant.h"

/* What voxels and lines cost when they meet, by the machine code and ncu; the transforms of lines
 * are little beside it. */
inline ndft_cost ndft_line_cost(const ndft_problem *p, ndft_op op, const int *k,
                                const ndft_line_limits &limits)
{
    const bool adjoint = op == NDFT_ADJOINT;
    const ndft_line_cut cut = ndft_line_cut_of(p, limits.longest);
    const ndft_problem line = ndft_line_problem(p, cut.length);
    const double width = ndft_line_chosen(&line, k, &limits).k[NDFT_KNOB_WIDTH];
    const double lines = (double)ndft_n_lines(p, &cut);
    const double cells = cut.length * k[NDFT_LINE_SIGMA] / 100.0;
    const int together = p->coils == 1 ? 1 : adjoint ? 4 : 2; /* coils that share weights */
    const double visits = lines * (double)p->n_voxels * ndft_blocks(p->coils, together);
    const double adds = lines * (double)p->n_voxels * p->coils;
    const double grids = lines * cells * p->coils * sizeof(ndft_complex<float>);
    ndft_cost cost = {};
    cost.fma = visits * (12 + (width + 1) * (width + 1) / 2) + adds * (2 * width + 4);
    cost.add = visits * 2 + 18 * lines * cells * p->coils; /* and the transforms' */
    cost.special = visits * (adjoint ? 2.2 : 3);
    cost.integer = visits * (adjoint ? 32 : 40);
    cost.issue_slots = visits * (adjoint ? 41 + 5.5 * width : 93 + 10.5 * width) +
                       adds * (adjoint ? 8 + 5 * width : 5 * width);
    cost.shared_bytes = adds * width * (adjoint ? 15.4 : 44);
    cost.l2_bytes =
        adjoint ? adds * cells * sizeof(ndft_complex<float>) / (NDFT_LINE_TEAM * NDFT_LINE_OWN)
                : visits * 10;
    cost.dram_bytes =
        (double)(ndft_vector_bytes(p, p->n_voxels) + ndft_vector_bytes(p, p->n_samples)) +
        2 * grids + 2 * fmax(0, grids - 25e6); /* which L2 holds of what is written */
    cost.launches = adjoint ? 4 : 5;
    return cost;
}

#endif
