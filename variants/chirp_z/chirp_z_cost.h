/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_COST_H
#define NDFT_CHIRP_Z_COST_H

#include "axis.h"
#include "convolve/axis_cost.h"

#include <math.h>

/* Of two transforms along each axis (uniform_cost.h), and what samples lie beside their places. */
static inline double ndft_chirp_z_truncation(const ndft_problem *p, const int *knob)
{
    (void)knob;
    const double eps = ndft_roundoff(p->prec);
    double length = 1;
    ndft_lattice l;
    if (ndft_lattice_of(p, &l)) return INFINITY;
    for (int d = 0; d < p->dim; d++) length *= (double)(p->n[d] + l.count[d]);
    return eps * 4 * sqrt(log2(length)) + ndft_lattice_error(p, &l);
}

/*
 * Whatever the data: roundings are taken as independent of each other (Higham and Mary, SIAM J.
 * Sci. Comput. 41, 2019), four standard deviations of their sum for the worst entry. One that all
 * of them fall in with is (1/M) sum |H_f| <= |h|_2, the root of a chirp's length, times as large,
 * and none is known that they do. Samples of one place are added up before (Higham 2002,
 * section 4.2), and those beside their places are off by a phase in every entry.
 */
static inline double ndft_chirp_z_any(const ndft_problem *p, ndft_op op, const int *knob)
{
    ndft_lattice l;
    if (ndft_lattice_of(p, &l)) return INFINITY;
    const double eps = ndft_roundoff(p->prec), off = ndft_lattice_error(p, &l);
    const double terms = op == NDFT_ADJOINT ? (double)ndft_lattice_crowd(p, &l) : 0;
    return 4 * (ndft_chirp_z_truncation(p, knob) - off) + off + eps * terms;
}

/* Samples of one place, added up one after the other and as alike as those of A x are: an addition
 * rounds by eps of what there is. */
static inline double ndft_chirp_z_sums(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)knob;
    ndft_lattice l;
    if (op == NDFT_FORWARD || ndft_lattice_of(p, &l)) return 0;
    return ndft_roundoff(p->prec) * (double)(ndft_lattice_crowd(p, &l) - 1);
}

static inline ndft_cost ndft_chirp_z_cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)knob;
    ndft_lattice l;
    ndft_cost cost = {0};
    if (ndft_lattice_of(p, &l)) return cost;
    const double real = (double)ndft_real_size(p->prec);
    const double grid = (double)ndft_grid_size(p);
    double size = p->coils * (op == NDFT_ADJOINT ? (double)l.places : grid);
    cost.dram_bytes = 2 * real * p->coils * (double)(p->n_voxels + p->n_samples + l.places);
    for (int d = 0; d < p->dim; d++) {
        const double from = (double)(op == NDFT_ADJOINT ? l.count[d] : p->n[d]);
        const double to = (double)(op == NDFT_ADJOINT ? p->n[d] : l.count[d]);
        ndft_lines_cost(size / from, from + to, from + to, &cost);
        cost.dram_bytes += 2 * real * size * (1 + to / from);
        cost.launches++;
        size *= to / from;
    }
    cost.l2_bytes = cost.dram_bytes;
    return cost;
}

#endif
