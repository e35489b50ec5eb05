/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_cost.h"

#include "convolve/filter_shape.h"
#include "interleaved_shape.h"

#include <math.h>

/* What is executed is by the machine code and by counters of an H200. */

/* Lines along an axis: cells written, and passed through shared memory by every exchange. */
static void add_lines(const ndft_nufft_work *w, double cells, int axis, ndft_cost *cost)
{
    const int length = (int)w->shape.grid[axis];
    const double exchanges = ndft_line_passes_of(length, NDFT_LINE_SHARE).exchanges;
    ndft_nufft_add_executed(cells * log2((double)length), 1, 2.6, 1.9, 7.1, 0, cost);
    ndft_nufft_add_traffic(0, cells * w->bytes, cost);
    cost->shared_bytes += 2 * exchanges * cells * w->bytes;
}

/* Rows of voxels, weighed; images of coils are read again for every term. */
static void add_rows(const ndft_nufft_work *w, double cells, ndft_cost *cost)
{
    add_lines(w, cells, 0, cost);
    ndft_nufft_add_executed(cells, 1, 1.3, 12, 30, 1, cost);
    ndft_nufft_add_traffic(w->voxels * w->coils * w->bytes, 0, cost);
    cost->l2_bytes += w->voxels * (w->columns - w->coils) * w->bytes;
}

/* Samples are read two columns and every second cell of a row a thread. */
static void add_samples(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    const double threads = 2 * lanes->count * w->bytes / 16; /* of a sample */
    const double all = w->samples * lanes->groups * lanes->count, rows = w->window / w->width;
    const double loads = ceil(w->width / 2), deep = w->shape.dim > 2;
    const double fma = ndft_nufft_weight_fmas(w);
    ndft_nufft_add_executed(w->samples * threads, fma, 0, 160, 3 * fma + 280, 0, cost);
    ndft_nufft_add_executed(all * rows, 4 * loads + 4 + 2 * deep, 0, 12 + 11 * deep,
                            18 + 6 * loads + 17 * deep, 0, cost);
    cost->l2_bytes += all * w->window * w->bytes / 6; /* the first cache has the rest */
    cost->dram_bytes += ndft_nufft_reached(w) + w->samples * w->coils * w->bytes;
}

ndft_cost ndft_nufft_interleaved_cost(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes)
{
    const ndft_nufft_shape *s = &w->shape;
    ndft_cost cost = {.launches = 1 + s->dim};
    double cells = (double)s->cells * lanes->groups * lanes->count;
    for (int d = s->dim - 1; d > 0; d--) {
        add_lines(w, cells, d, &cost);
        cells *= (double)s->n[d] / (double)s->grid[d];
        ndft_nufft_add_traffic(cells * w->bytes, 0, &cost);
    }
    add_rows(w, cells, &cost);
    add_samples(w, lanes, &cost);
    return cost;
}
