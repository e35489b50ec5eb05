/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_shape.h"

#include "convolve/filter_shape.h"
#include "nufft/cuda_cost_parts.h"

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
    const double each = lanes->count == least ? 1.05 : lanes->coils == 8 ? 0.8 : 1;
    return each * lanes->groups * lanes->count;
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

/* What is executed is by the machine code and by counters of an H200. A line of the model has one
 * time for a resource, of which parts take more or less: they are weighed by what 580 executions
 * took, all parts together. */
typedef struct weights {
    int unsorted;
    double read, boxed, stripped, arranged, weighing, multiplied, stored, turned;
} weights;

static const weights *weights_of(const ndft_nufft_work *w)
{
    static const weights counted = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const weights fitted = {.unsorted = 3,
                                   .read = 0.6,
                                   .boxed = 0.75,
                                   .stripped = 0.4,
                                   .arranged = 0.25,
                                   .weighing = 0.4,
                                   .multiplied = 1.6,
                                   .stored = 4,
                                   .turned = 0.3};
    return w->weighed ? &fitted : &counted;
}

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

/* Launches that a thread waits for where threads are few: it reads a window's rows one after
 * another, in all groups of terms, and in those of coils that have no threads of their own. */
static double waits_for_rows(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes,
                             double threads)
{
    enum { FULL = 135000, WANTED = 270000 }; /* threads of a device at once, and those wanted */
    const double rows = w->window / w->width;
    const double all = w->samples * threads;
    const double beside = fmin(lanes->coil_groups, floor(WANTED / all) + 1);
    const double turns = lanes->term_groups * ceil(lanes->coil_groups / beside);
    return 0.14 * turns * rows / fmax(1, all * beside / FULL);
}

/* Samples are read two columns and every second cell of a row a thread, by a kernel that waits for
 * the one before. */
static void add_samples(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    enum { FULL = 135000 };                                  /* threads of a device at once */
    const double threads = 2 * lanes->count * w->bytes / 16; /* of a sample */
    const double all = w->samples * lanes->groups * lanes->count, rows = w->window / w->width;
    const double loads = ceil(w->width / 2), deep = w->shape.dim > 2;
    const double fma = ndft_nufft_weight_fmas(w);
    ndft_nufft_add_executed(w->samples * threads, fma, 0, 160, 3 * fma + 280, 0, cost);
    const bool wide = w->width > 7 && !deep; /* few threads have the registers */
    const double loop = (wide ? 1.3 : 1) * (4 * loads + 4);
    ndft_nufft_add_executed(all * rows, loop + 2 * deep, 0, 12 + 11 * deep,
                            18 + 6 * loads + 17 * deep, 0, cost);
    /* the first cache has the rest */
    cost->l2_bytes += weights_of(w)->read * all * w->window * w->bytes / 6;
    cost->dram_bytes += ndft_nufft_reached(w) + w->samples * w->coils * w->bytes;
    /* a sample's place is found for each group, in 10 ps */
    cost->launches += 2 + (wide ? 15e-6 : 5e-6) * w->samples * lanes->groups;
    if (deep) /* rows of planes one after another, which few threads wait for */
        cost->launches += 0.3 * rows / fmax(1, all / FULL);
    cost->launches += waits_for_rows(w, lanes, threads);
    for (int i = 0; i < weights_of(w)->unsorted; i++) ndft_nufft_add_unsorted(w, true, cost);
}

/* Or parts of tiles are staged, of eight coils: read by eight threads of a sample, two cells side
 * by side (interpolate/interleaved_boxes.cuh). */
static void add_boxes(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    const double all = weights_of(w)->boxed * w->samples * lanes->groups;
    ndft_nufft_add_executed(all, 4 * ndft_nufft_weight_fmas(w), 0, 60, 280, 64, cost);
    ndft_nufft_add_executed(all * w->width * ceil(w->width / 2), 32, 0, 8, 64, 128, cost);
}

/* Of several groups, two by a warp, whose lanes have a coil and half of a window's rows; a sample
 * asks for two columns or so (interpolate/strip_walk.cuh). */
static void add_strips(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    enum { GROUPS = 2, LANES = 32, KEPT = 80 /* bytes of a sample */ };
    const double weight = weights_of(w)->stripped;
    const double units = w->samples * ceil((double)lanes->coil_groups / GROUPS);
    const double all = weight * units * w->terms;
    const double half = ceil(w->width / 2), fma = 2 * w->width * (half + 1);
    const double rows = half + (w->width < 7);
    ndft_nufft_add_executed(all * LANES, fma, 1, 20, fma + 85, 2.2 * rows * w->bytes + 50, cost);
    cost->l2_bytes += weight * units * KEPT;
    cost->dram_bytes += weight * w->samples * KEPT;
    cost->launches +=
        2.2 * w->terms; /* a term's cells are asked for when the last one's are read */
}

static void add_parts(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    enum { EDGE = 8, SAMPLES = 64 };
    const double side = EDGE + w->width - 1;
    const double parts = 0.7 * ((double)w->shape.cells / (EDGE * EDGE) + w->samples / SAMPLES);
    const double staged = parts * lanes->groups * side * side * EDGE * w->bytes;
    if (lanes->coil_groups > 1)
        add_strips(w, lanes, cost);
    else
        add_boxes(w, lanes, cost);
    ndft_nufft_add_executed(staged / 16, 0, 0, 2, 4, 16, cost);
    cost->l2_bytes += staged;
    cost->dram_bytes += ndft_nufft_reached(w) + w->samples * w->coils * w->bytes;
    cost->launches++;
}

static bool by_boxes(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes)
{
    enum { COILS = 8, WIDTH = 8 };
    return w->bytes == 8 && w->shape.dim == 2 && w->width <= WIDTH && lanes->coils == COILS &&
           lanes->terms == 1;
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

/* Weights of a block's rows of voxels are evaluated row after row and term after term, for all
 * groups of terms in turn, each of which takes a third of a launch: blocks are few where coils are.
 */
static double waits_for_weights(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes)
{
    enum { BLOCKS = 800 }; /* of a large device at once */
    const double n = (double)w->shape.n[0], cells = (double)w->shape.grid[0];
    const double lines = cells < 64      ? 32
                         : cells < 128   ? 16
                         : cells <= 1024 ? 8
                                         : 1; /* of a block */
    const double threads = cells > 1024 ? 400 : lines * cells / (cells < 128 ? 8 : 12);
    const double beside = fmin(lines, lanes->count), rows = lines / beside;
    const double terms = fmax(1, beside / lanes->coils);
    const double steps = lanes->term_groups * fmax(1, lanes->terms / terms);
    const double blocks = w->voxels / n / rows * lanes->coil_groups;
    if (w->terms <= 1 || (lanes->coils == 8 && lanes->terms == 1)) return 0;
    return 0.3 * steps * rows * terms * ceil(n / threads) * fmax(1, blocks / BLOCKS);
}

/* Of a sample's weight in a term, 18 ps, of a tile and of a group; of cells of fewer than eight
 * lanes, and of columns that a mask cuts, 3 and 6 ps. */
static void add_waits_of_products(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes,
                                  double cells_of_tile, ndft_cost *cost)
{
    const ndft_nufft_shape *s = &w->shape;
    const double cells = (double)s->cells, voxels = (double)(s->n[0] * s->n[1] * s->n[2]);
    cost->launches += 1e-5 * w->samples * w->terms + 8e-5 * cells / cells_of_tile;
    cost->launches += (0.3 + (lanes->count < 8 ? 1.8e-6 * cells : 0)) * lanes->groups;
    if (w->voxels < voxels) cost->launches += 3.8e-6 * voxels * w->columns;
}

/* Samples arranged by columns, as they lie; then products of a tile's cells and all samples that
 * reach it, in steps of eight, whose weights are read, for few columns as for those of a warp.
 * Terms that have groups of their own have products of their own, too. */
static void add_products(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes, ndft_cost *cost)
{
    static const double edges[3][3] = {{16}, {4, 4}, {4, 4, 4}};
    enum { PRODUCTS = 3, STEP = 8, FILLED = 4 }; /* FILLED: coils that a block arranges at least */
    const bool f32 = w->bytes == 8, deep = w->shape.dim > 2;
    const int most = (f32 ? 32 : 16) / (deep ? 2 : 1); /* columns of a warp */
    const double columns = (double)lanes->groups * lanes->count;
    const double coils = lanes->coil_groups * lanes->coils;
    const bool apart = lanes->terms == 1 && coils >= (f32 ? 32 : 16);
    const double terms = apart ? lanes->term_groups : 1, data = w->samples * columns / terms;
    double visits = w->samples, cells = 1, reals = 0;
    for (int d = 0; d < w->shape.dim; d++) {
        const double edge = edges[w->shape.dim - 1][d];
        visits *= (edge + w->width - 1) / edge;
        cells *= edge;
        reals += edge;
    }
    visits += (STEP - 1) / 2.0 * fmin(visits, (double)w->shape.cells / cells);
    const double all = visits * terms, warps = all * ceil(columns / terms / most);
    const weights *by = weights_of(w);
    ndft_nufft_add_executed(by->arranged * data * fmax(1, FILLED / coils), 4, 0, 20, 60, 32, cost);
    if (w->turned) ndft_nufft_add_executed(data, 4, 0, 80, 600, 0, cost); /* a node divided for */
    ndft_nufft_add_traffic(by->arranged * w->samples * w->coils * w->bytes,
                           by->arranged * data * w->bytes, cost);
    ndft_nufft_add_traffic(by->weighing * all * (4 + reals * w->bytes / 2), 0, cost);
    ndft_nufft_add_executed(by->multiplied * warps, 16, f32 ? 80 : 16, 96,
                            (f32 ? 352 : 256) * (deep ? 1.3 : 1), 416, cost);
    cost->tensor += all * cells * 2 * columns / terms * (f32 ? PRODUCTS : 1);
    /* the first cache has the rest */
    cost->l2_bytes += by->stored * visits * columns * w->bytes / 2;
    ndft_nufft_add_traffic(0, (double)w->shape.cells * columns * w->bytes, cost);
    cost->launches += 1 + 2 * terms; /* with the join of long lists */
    add_waits_of_products(w, lanes, cells, cost);
    if (w->shape.dim == 1) cost->launches += 28; /* lines of which there are few */
    cost->launches += waits_for_weights(w, lanes);
}

/* Lanes side by side share sectors of a sample's weights. */
static void add_turns(const ndft_nufft_work *w, ndft_cost *cost)
{
    const double share = weights_of(w)->turned;
    ndft_cost turns = {0};
    ndft_nufft_add_turns(w, &turns);
    cost->l2_bytes += share * turns.l2_bytes;
    cost->dram_bytes += share * turns.dram_bytes;
    cost->launches += share * turns.launches;
}

ndft_cost ndft_nufft_interleaved_cost(const ndft_nufft_work *w, const ndft_nufft_lanes *lanes)
{
    const double columns = (double)lanes->groups * lanes->count;
    ndft_cost cost = ndft_nufft_lines_cost(w, columns);
    add_turns(w, &cost);
    if (w->op == NDFT_ADJOINT) {
        add_products(w, lanes, &cost);
        return cost;
    }
    if (w->shape.dim == 1) cost.launches += w->terms > 1 ? 14 : 6; /* few blocks, of long lines */
    /* by a fit: groups of coils, rows of a window, terms, and a coil alone */
    cost.launches += 1.2 * lanes->coil_groups + 0.5 * w->width + (w->terms > 1 ? 0.5 : 0) +
                     (w->coils == 1 ? 4 : 0);
    if (w->terms > 1) /* weights, by threads that wait as long as these take */
        ndft_nufft_add_executed(w->voxels * w->terms * lanes->coil_groups, 10, 0, 60, 450, 0,
                                &cost);
    if (by_boxes(w, lanes))
        add_parts(w, lanes, &cost);
    else
        add_samples(w, lanes, &cost);
    return cost;
}
