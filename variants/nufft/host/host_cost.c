/* SPDX-License-Identifier: Apache-2.0 */
#include "host_cost.h"
#include "nufft/field/field.h"

#include <math.h>

/* Cells that are read or written, and multiply-adds, of one column's transforms. */
static void add_ffts(const ndft_nufft_shape *s, ndft_cost *cost, double columns, double complex)
{
    double lines = 1;
    for (int d = 1; d < s->dim; d++) lines *= (double)s->grid[d];
    for (int d = 0; d < s->dim; d++) {
        const double cells = (double)s->grid[d], operations = 5 * cells * log2(cells);
        cost->fma += columns * lines * operations / 4;
        cost->add += columns * lines * operations / 2;
        cost->l2_bytes += 2 * columns * lines * cells * complex;
        if (d + 1 < s->dim) lines *= (double)s->n[d] / (double)s->grid[d + 1];
    }
}

ndft_cost ndft_host_cost(const ndft_problem *p, ndft_op op, const int *knobs,
                         const ndft_host_scheme *scheme)
{
    ndft_nufft_shape s;
    ndft_cost cost = {.launches = 1};
    const ndft_rank_choice field = ndft_nufft_field(p, knobs);
    const double terms = (double)field.terms * field.nodes, columns = terms * p->coils;
    if (ndft_nufft_shape_make(p, knobs, (int)terms, NULL, &s) != NDFT_OK) return cost;
    const double m = (double)p->n_samples, voxels = (double)p->n_voxels;
    const double complex = 2 * (double)ndft_real_size(p->prec), width = s.window.width;
    const double row = ndft_row_reals(s.window.width, p->prec);
    const double rows = pow(width, s.dim - 1);
    const double around =
        1 + (width - 1) / ndft_host_tile(scheme, knobs, s.dim); /* along an axis */
    const bool again = scheme->order == NDFT_HOST_RUNS && op == NDFT_ADJOINT;
    const double repeats = again ? pow(around, s.dim) : 1;
    const double batches = (double)((p->coils + NDFT_HOST_COLUMNS - 1) / NDFT_HOST_COLUMNS);
    cost.fma = m * terms * batches * repeats * s.window.degree * (row + width * (s.dim - 1));
    cost.fma += m * columns * row * (rows + 1) * (again ? around : 1);
    cost.fma += columns * voxels * (field.terms > 1 ? 12 : 4);
    if (op == NDFT_FORWARD || !scheme->tiles)
        cost.l2_bytes = m * columns * rows * row / 2 * complex * (op == NDFT_ADJOINT ? 2 : 1);
    if (op == NDFT_ADJOINT)
        cost.l2_bytes += columns * (double)s.cells * complex *
                         (again || !scheme->tiles ? 1 : 1 + 2 * pow(around, s.dim));
    add_ffts(&s, &cost, columns, complex);
    cost.dram_bytes =
        terms * (double)(ndft_vector_bytes(p, p->n_samples) + ndft_vector_bytes(p, p->n_voxels)) +
        terms * batches * m * s.dim * (4 + complex / 2);
    cost.issue_slots = cost.fma + cost.add;
    return cost;
}
