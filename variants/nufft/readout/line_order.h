/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_ORDER_H
#define NDFT_NUFFT_LINE_ORDER_H

#include "phase/lines.h"

#include <math.h>
#include <stdlib.h>

/* Orders of lines and of voxels for nufft_line's spreading. */

/* The axis along which a line's phase changes fastest from voxel to voxel. */
static inline int ndft_line_axis(const ndft_problem *p, const ndft_line *line)
{
    int axis = 0;
    for (int d = 1; d < p->dim; d++)
        if (fabs(line->half_step[d]) / (double)p->n[d] >
            fabs(line->half_step[axis]) / (double)p->n[axis])
            axis = d;
    return axis;
}

/* Lines of one axis after those of another, so that lines taken together have the same. order,
 * axis: [lines] */
static inline void ndft_order_lines(const ndft_problem *p, const ndft_line_cut *cut, int64_t lines,
                                    int32_t *order, unsigned char *axis)
{
    int64_t place = 0;
    for (int d = 0; d < p->dim; d++)
        for (int64_t i = 0; i < lines; i++) {
            const ndft_line line = ndft_line_at(p, cut, i, 1);
            if (ndft_line_axis(p, &line) != d) continue;
            axis[place] = (unsigned char)d;
            order[place++] = (int32_t)i;
        }
}

/*
 * Voxels with `axis` fastest, and among them lanes `stride` apart: place (i lanes + l) of each run
 * of stride*lanes voxels has voxel (l stride + i), the last run as it comes. order: [padded], -1
 * beyond the voxels. False: no memory.
 */
static inline bool ndft_order_voxels(const ndft_problem *p, int axis, int lanes, int stride,
                                     int64_t padded, int32_t *order)
{
    const int64_t grid = p->n[0] * p->n[1] * p->n[2], run = (int64_t)stride * lanes;
    int32_t *voxel = (int32_t *)malloc((size_t)grid * sizeof *voxel); /* -1: not in use */
    if (!voxel) return false;
    for (int64_t place = 0; place < grid; place++) voxel[place] = -1;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        int64_t x[3], place = 0;
        ndft_voxel_coord(p, v, x);
        for (int d = 2; d >= 0; d--)
            if (d != axis) place = place * p->n[d] + x[d] + p->n[d] / 2;
        voxel[place * p->n[axis] + x[axis] + p->n[axis] / 2] = (int32_t)v;
    }
    for (int64_t i = 0; i < padded; i++) order[i] = -1;
    for (int64_t place = 0, i = 0; place < grid; place++) {
        if (voxel[place] < 0) continue;
        const int64_t first = i / run * run, in_run = i - first;
        const bool whole = first + run <= p->n_voxels;
        order[whole ? first + in_run % stride * lanes + in_run / stride : i] = voxel[place];
        i++;
    }
    free(voxel);
    return true;
}

#endif
