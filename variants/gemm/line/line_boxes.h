/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_BOXES_H
#define NDFT_LINE_BOXES_H

#include "phase/lines.h"

#include <math.h>
#include <stdlib.h>

/*
 * Voxels in boxes so small that from one sample of a line to the next none turns by more than
 * `reach` turns beside the box's centre, its field included, and boxes in steps of so many voxels,
 * filled up. Boxes are halved along the axis that turns most until they are small enough.
 */

typedef struct ndft_line_boxes {
    int step;             /* voxels */
    int64_t steps, n;     /* n: boxes */
    int32_t *places;      /* [steps step] voxels, -1: none */
    int32_t *box;         /* [steps] */
    double (*centres)[4]; /* [n] as voxels are: x/N, dw/2pi */
} ndft_line_boxes;

typedef struct ndft_boxed {
    uint64_t key;
    int32_t voxel;
} ndft_boxed;

enum { NDFT_BOX_SIDE = 64, NDFT_BOX_BITS = 21 };

static inline int ndft_compare_boxed(const void *a, const void *b)
{
    const ndft_boxed *x = (const ndft_boxed *)a, *y = (const ndft_boxed *)b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->voxel > y->voxel) - (x->voxel < y->voxel);
}

/* Half of a box's extent along an axis, x/N. */
static inline double ndft_box_half(const ndft_problem *p, const int side[3], int d)
{
    return (ndft_is_off_grid(p) ? side[d] : side[d] - 1) / (2.0 * (double)p->n[d]);
}

/* The axis by which voxels of a box turn most beside its centre in some line, -1: none by too much,
 * -2: too much by the field alone. */
static inline int ndft_box_axis(const ndft_problem *p, const ndft_line_cut *cut, const int side[3],
                                double field, double reach)
{
    double most[4] = {0}, all = 0;
    for (int64_t i = 0; i < ndft_n_lines(p, cut); i++) {
        const ndft_line line = ndft_line_at(p, cut, i, 1);
        double sum = 0;
        for (int d = 0; d < 4; d++) {
            const double half = d == 3 ? field : d < p->dim ? ndft_box_half(p, side, d) : 0;
            const double turns = fabs(2 * line.half_step[d]) * half;
            most[d] = fmax(most[d], turns);
            sum += turns;
        }
        all = fmax(all, sum);
    }
    if (all <= reach) return -1;
    int axis = -2;
    for (int d = 0; d < p->dim; d++)
        if (side[d] > 1 && most[d] > 0 && (axis < 0 || most[d] > most[axis])) axis = d;
    return axis;
}

/* Half of the range of dw/2pi, and its middle. */
static inline double ndft_field_half(const ndft_problem *p, double *middle)
{
    double least = INFINITY, most = -INFINITY;
    *middle = 0;
    for (int64_t v = 0; p->dw && v < p->n_voxels; v++) {
        const double dw = ndft_real_at(p->dw, p->prec, v) / ndft_two_pi;
        least = fmin(least, dw);
        most = fmax(most, dw);
    }
    if (!(least <= most)) return 0;
    *middle = (least + most) / 2;
    return (most - least) / 2;
}

static inline void ndft_line_boxes_free(ndft_line_boxes *boxes)
{
    free(boxes->places);
    free(boxes->box);
    free(boxes->centres);
    *boxes = (ndft_line_boxes){0};
}

static inline int64_t ndft_box_index(const ndft_problem *p, const int side[3], int d, double x)
{
    const double at = floor((x + ndft_reach(p, d)) / side[d]);
    return at > 0 ? (int64_t)at : 0;
}

/* Fills boxes of sorted voxels; false: no memory. */
static inline bool ndft_boxes_fill(const ndft_problem *p, const int side[3], double field,
                                   const ndft_boxed *boxed, ndft_line_boxes *boxes)
{
    for (int pass = 0; pass < 2; pass++) {
        int64_t steps = 0, n = 0;
        for (int64_t v = 0, end; v < p->n_voxels; v = end, n++) {
            for (end = v; end < p->n_voxels && boxed[end].key == boxed[v].key; end++) {
            }
            const int64_t own = (end - v + boxes->step - 1) / boxes->step;
            for (int64_t i = 0; pass && i < own * boxes->step; i++)
                boxes->places[steps * boxes->step + i] = v + i < end ? boxed[v + i].voxel : -1;
            for (int64_t i = 0; pass && i < own; i++) boxes->box[steps + i] = (int32_t)n;
            for (int d = 0; pass && d < 3; d++) {
                const double index = (double)(boxed[v].key >> NDFT_BOX_BITS * d &
                                              (((uint64_t)1 << NDFT_BOX_BITS) - 1));
                boxes->centres[n][d] =
                    d < p->dim ? (index * side[d] - ndft_reach(p, d)) / (double)p->n[d] +
                                     ndft_box_half(p, side, d)
                               : 0;
            }
            if (pass) boxes->centres[n][3] = field;
            steps += own;
        }
        if (pass) return true;
        boxes->steps = steps;
        boxes->n = n;
        boxes->places = (int32_t *)malloc((size_t)(steps * boxes->step) * sizeof *boxes->places);
        boxes->box = (int32_t *)malloc((size_t)steps * sizeof *boxes->box);
        boxes->centres = (double(*)[4])malloc((size_t)n * sizeof *boxes->centres);
        if (!boxes->places || !boxes->box || !boxes->centres) return false;
    }
    return true;
}

/* The boxes; n = 0 where none are small enough. False: no memory. */
static inline bool ndft_line_boxes_make(const ndft_problem *p, const ndft_line_cut *cut, int step,
                                        double reach, ndft_line_boxes *boxes)
{
    int side[3], axis;
    double middle;
    const double field = ndft_field_half(p, &middle);
    *boxes = (ndft_line_boxes){.step = step};
    for (int d = 0; d < 3; d++) side[d] = d < p->dim ? NDFT_BOX_SIDE : 1;
    while ((axis = ndft_box_axis(p, cut, side, field, reach)) >= 0) side[axis] /= 2;
    if (axis == -2) return true;
    ndft_boxed *boxed = (ndft_boxed *)malloc((size_t)p->n_voxels * sizeof *boxed);
    if (!boxed) return false;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double x[3];
        ndft_voxel_at(p, v, x);
        boxed[v] = (ndft_boxed){0, (int32_t)v};
        for (int d = 0; d < p->dim; d++)
            boxed[v].key |= (uint64_t)ndft_box_index(p, side, d, x[d]) << NDFT_BOX_BITS * d;
    }
    qsort(boxed, (size_t)p->n_voxels, sizeof *boxed, ndft_compare_boxed);
    const bool filled = ndft_boxes_fill(p, side, middle, boxed, boxes);
    free(boxed);
    return filled;
}

#endif
