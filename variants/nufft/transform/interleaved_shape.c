/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_shape.h"

#include "convolve/filter_shape.h"

#include <math.h>
#include <stddef.h>

/* So many coils side by side, and as many terms as there is room for. */
static ndft_nufft_lanes lanes_with(int beside, int coils, int terms, int most)
{
    ndft_nufft_lanes lanes = {.coils = beside, .terms = 1};
    while (lanes.coils * lanes.terms < most && lanes.terms < terms) lanes.terms *= 2;
    lanes.coil_groups = (coils + lanes.coils - 1) / lanes.coils;
    lanes.term_groups = (terms + lanes.terms - 1) / lanes.terms;
    lanes.count = lanes.coils * lanes.terms;
    lanes.groups = lanes.coil_groups * lanes.term_groups;
    return lanes;
}

/* What a pass takes: its lanes, those of 16 bytes being slower each and those of 32 not, as an H200
 * took for 23 problems drawn at random (docs/performance/nufft-cuda.md). */
static double time_of(const ndft_nufft_lanes *lanes, int least)
{
    return (lanes->count == least ? 1.05 : 1) * lanes->groups * lanes->count;
}

ndft_nufft_lanes ndft_nufft_lanes_of(int coils, int terms, int least, int most)
{
    ndft_nufft_lanes best = lanes_with(most, coils, terms, most);
    for (int count = most; count >= least; count /= 2)
        for (int beside = count; beside > 0; beside /= 2) {
            const ndft_nufft_lanes lanes = lanes_with(beside, coils, terms, count);
            if (lanes.count >= least && time_of(&lanes, least) < time_of(&best, least))
                best = lanes;
        }
    return best;
}

/* What a transform of a line takes: sums of all cells, and each exchange of them as much as a
 * sixteenth of that. */
static double time_of_line(const ndft_filter_shape *line)
{
    return line->cells * (16.0 + ndft_filter_exchanges(line));
}

/* The line of at least so many cells that takes least, 0 cells where there is none. */
static ndft_filter_shape line_of(int64_t least)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES], best = {0};
    const int count = ndft_filter_shapes(least, shapes);
    for (int i = 0; i < count; i++) {
        if (shapes[i].column > 1 || shapes[i].share != NDFT_LINE_SHARE) continue;
        if (!best.cells || time_of_line(&shapes[i]) < time_of_line(&best)) best = shapes[i];
    }
    return best;
}

ndft_status ndft_nufft_fit_lines(ndft_nufft_shape *shape, ndft_prec prec, ndft_error *error)
{
    double cells = 1;
    for (int d = 0; d < shape->dim; d++) {
        const int64_t length = line_of(shape->grid[d]).cells;
        if (length == 0)
            return ndft_fail(error, NDFT_EUNSUPPORTED,
                             "a line of %lld cells is beyond the longest, %d",
                             (long long)shape->grid[d], NDFT_LINE_LONGEST);
        shape->grid[d] = length;
        cells *= (double)length;
    }
    if (cells >= 2147483648.0)
        return ndft_fail(error, NDFT_EUNSUPPORTED, "a grid of %.3g cells is beyond 2^31", cells);
    shape->cells = (int64_t)cells;
    shape->column_bytes = (size_t)shape->cells * 2 * ndft_real_size(prec);
    return NDFT_OK;
}

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

ndft_cost ndft_nufft_lines_cost(const ndft_nufft_work *w, double columns)
{
    const ndft_nufft_shape *s = &w->shape;
    ndft_cost cost = {.launches = s->dim};
    double cells = (double)s->cells * columns;
    for (int d = s->dim - 1; d > 0; d--) {
        add_lines(w, cells, d, &cost);
        cells *= (double)s->n[d] / (double)s->grid[d];
        ndft_nufft_add_traffic(cells * w->bytes, 0, &cost);
    }
    add_rows(w, cells, &cost);
    return cost;
}

/* Samples arranged by columns, as they lie; then products of a tile's cells and all samples that
 * reach it, whose weights are read, for few columns hardly less than for those of a warp. Terms
 * that have groups of their own have products of their own, too. */
static void add_products(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    static const double edges[3][3] = {{16}, {4, 4}, {4, 4, 4}};
    enum { PRODUCTS = 3 };
    const bool f32 = w->bytes == 8, deep = w->shape.dim > 2;
    const double warp = (f32 ? 32 : 16) / (deep ? 2 : 1); /* its columns */
    const double columns = (double)lanes->groups * lanes->count;
    const double terms = lanes->terms == 1 ? lanes->term_groups : 1;
    const double data = w->samples * columns;
    double visits = w->samples, cells = 1, reals = 0;
    for (int d = 0; d < w->shape.dim; d++) {
        const double edge = edges[w->shape.dim - 1][d];
        visits *= (edge + w->width - 1) / edge;
        cells *= edge;
        reals += edge;
    }
    const double warps = visits * terms * ceil(columns / terms / warp);
    ndft_nufft_add_executed(data, 4, 0, 20, 60, 32, cost);
    ndft_nufft_add_traffic(w->samples * w->coils * w->bytes, data * w->bytes, cost);
    ndft_nufft_add_traffic(visits * terms * (4 + reals * w->bytes / 2), 0, cost);
    ndft_nufft_add_executed(warps * warp, 0.5, f32 ? 2.5 : 0.5, 3, (f32 ? 11 : 8) * (deep ? 4 : 1),
                            13, cost);
    cost->tensor += visits * cells * 2 * columns * (f32 ? PRODUCTS : 1);
    cost->l2_bytes += visits * columns * w->bytes / 2; /* the first cache has the rest */
    ndft_nufft_add_traffic(0, (double)w->shape.cells * columns * w->bytes, cost);
    cost->launches += 1 + 2 * terms; /* with the join of long lists */
}

ndft_cost ndft_nufft_interleaved_cost(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes)
{
    const double columns = (double)lanes->groups * lanes->count;
    ndft_cost cost = ndft_nufft_lines_cost(w, columns);
    if (w->op == NDFT_ADJOINT) {
        add_products(w, lanes, &cost);
        return cost;
    }
    cost.launches++;
    add_samples(w, lanes, &cost);
    return cost;
}
