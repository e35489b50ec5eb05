/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_COST_CUH
#define NDFT_NUFFT_COST_CUH

#include "../complex.cuh"
#include "field.h"
#include "shape.h"

#include <ndft/variant.h>

#include <math.h>

/*
 * Declared cost. Pad or crop and the FFT are the family's; a scheme adds its convolution by seed
 * 002's count of accesses: how often samples are read or written, and how often cells are.
 */
struct ndft_nufft_cost {
    ndft_cost total;
    double samples, cells, columns, footprint, complex_bytes;

    ndft_nufft_cost(const ndft_problem *p, ndft_op op, const int *knobs)
        : total(), samples((double)p->n_samples), cells(0), columns(p->coils), footprint(0),
          complex_bytes(2.0 * (double)ndft_real_size(p->prec))
    {
        ndft_nufft_shape shape;
        ndft_error error;
        if (ndft_nufft_shape_make(p, knobs, 1, &error, &shape) != NDFT_OK) return;
        const ndft_rank_choice rank = ndft_nufft_field(p, knobs);
        columns *= rank.terms * rank.nodes;
        cells = (double)shape.cells;
        footprint = pow(shape.window.width, shape.dim);
        total.dram_bytes =
            (double)(ndft_vector_bytes(p, p->n_samples) + ndft_vector_bytes(p, p->n_voxels));
        /* A pass over the grid for each axis in pairs of a read and a write; padding, zeroing. */
        total.l2_bytes = columns * cells * complex_bytes * (2 * shape.dim + 1);
        total.fma = columns * (2.5 * cells * log2(cells) + 4 * (double)p->n_voxels);
        total.issue_slots = total.fma;
        total.launches = op == NDFT_FORWARD ? 2 + shape.dim : 3 + shape.dim;
        /* weights: polynomials of every axis, once for all columns */
        const double weights = samples * shape.dim * shape.window.width * shape.window.degree;
        total.fma += weights;
        total.issue_slots += weights;
    }

    /* Per sample and column: `reads` of the datum and `touches` of cells. */
    void convolve(double reads, double touches)
    {
        const double all = samples * columns;
        total.l2_bytes += all * (reads + touches) * complex_bytes;
        total.fma += all * touches * 2;
        total.issue_slots += all * touches * 4;
    }
};

#endif
