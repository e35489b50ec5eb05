/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_cost_parts.h"
#include "shape.h"
#include "transform/planar_shape.h"
#include "window/room.h"

#include <math.h>

enum {
    SECTOR = 32,      /* bytes that come from L2 at least */
    THREAD_COILS = 8, /* coils for which a thread's weights serve */
    LANES = 32,
    LINE = 32768 /* bytes of the longest that cuFFT transforms by one kernel, not three */
};

/* Kernels that are compiled for no width, counted at 14 cells in f64 beside 11. */
static const double of_loops = 1.8;

/* Bytes that a kernel wrote and L2 still holds at its end. */
static const double held = 25e6;

/* Of the grid's cells, that samples reach: a disc or a ball. */
static double usual_share(const ndft_nufft_shape *s)
{
    static const double share[] = {1, 0.785, 0.524};
    return share[s->dim - 1];
}

ndft_nufft_work ndft_nufft_work_of(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const ndft_rank_choice field = ndft_nufft_field(p, knobs);
    ndft_nufft_work w = {.op = op, .terms = (double)field.terms * field.nodes};
    w.columns = w.terms * p->coils;
    w.coils = p->coils;
    w.samples = (double)p->n_samples;
    w.voxels = (double)p->n_voxels;
    w.bytes = 2 * (double)ndft_real_size(p->prec);
    if (ndft_nufft_shape_make(p, knobs, (int)w.terms, NULL, &w.shape) != NDFT_OK) {
        w.shape = (ndft_nufft_shape){.dim = p->dim, .grid = {2, 2, 2}};
        return w;
    }
    w.inside = knobs[NDFT_KNOB_TRANSFORM] == NDFT_TRANSFORM_CUFFT &&
               ndft_nufft_planar_takes_own(p, &w.shape, knobs) &&
               ndft_nufft_planar_fit(&w.shape, p->prec, NULL) == NDFT_OK;
    w.width = w.shape.window.width;
    w.loops =
        w.width > (p->prec == NDFT_F32 ? NDFT_UNROLLED_F32 : NDFT_UNROLLED_F64) ? of_loops : 1;
    w.window = pow(w.width, w.shape.dim);
    w.turned = field.nodes > 1;
    w.timed = w.terms > 1 && p->structure.distinct_times > p->n_samples / 32;
    const int width = w.shape.window.width;
    const double room = ndft_nufft_room(p, width, w.shape.grid);
    w.room = (float)(room > 0 ? room : usual_share(&w.shape) * (double)w.shape.cells / w.samples);
    w.apart = (float)ndft_nufft_apart(p, w.shape.grid);
    return w;
}

void ndft_nufft_add_traffic(double reads, double writes, ndft_cost *cost)
{
    cost->l2_bytes += reads + writes;
    cost->dram_bytes += reads + fmax(0, writes - held);
}

void ndft_nufft_add_executed(double times, double fma, double add, double integer, double slots,
                             double shared, ndft_cost *cost)
{
    cost->fma += times * fma;
    cost->add += times * add;
    cost->integer += times * integer;
    cost->issue_slots += times * slots;
    cost->shared_bytes += times * shared;
}

static double cells_of(const ndft_nufft_work *w) { return (double)w->shape.cells * w->columns; }

/* One transform along an axis of so many cells in all: numbers for each doubling of its length. */
static void add_fft(const ndft_nufft_work *w, double cells, int64_t length, ndft_cost *cost)
{
    ndft_nufft_add_executed(cells * log2((double)length), 1.73, 2, 0.9, 6.4, 5, cost);
    ndft_nufft_add_traffic(cells * w->bytes, cells * w->bytes, cost);
    if (length % 7 == 0) cost->launches += 2.2e-6 * cells; /* 4 ps a cell, for cuFFT */
}

void ndft_nufft_add_turns(const ndft_nufft_work *w, ndft_cost *cost)
{
    if (!w->timed) return;
    cost->l2_bytes += w->samples * w->terms * SECTOR;
    cost->dram_bytes += w->samples * w->terms * w->bytes;
    cost->launches += 0.4 * w->terms; /* for which a thread waits in turn */
}

/* Outermost axes apart that cuFFT takes 5 to 7 ps a byte longer for: 882 and 1080 cells, not 960.
 */
static bool is_long(int64_t cells) { return cells > 864 && cells % 32; }

ndft_cost ndft_nufft_family_cost(const ndft_nufft_work *w)
{
    const ndft_nufft_shape *s = &w->shape;
    if (w->inside) return ndft_nufft_lines_cost(w, w->columns);
    const double cells = cells_of(w), voxels = w->voxels * w->columns;
    const bool apart = s->dim > 1 && cells * w->bytes >= 16 << 20;
    ndft_cost cost = {.launches = 2 * (1 + s->dim) + (apart ? 6 : 0) + 0.2 * w->terms};
    for (int d = 0; d < s->dim; d++) {
        const int last = s->dim - 1;
        const double part = apart && d < last ? (double)s->n[last] / (double)s->grid[last] : 1;
        add_fft(w, cells * part, s->grid[d], &cost);
    }
    if (apart && is_long(s->grid[s->dim - 1])) cost.launches += cells * w->bytes * 3e-6;
    if (s->dim == 1 && (double)s->grid[0] * w->bytes > LINE) cost.launches += 2;
    ndft_nufft_add_turns(w, &cost);
    if (w->op == NDFT_FORWARD) {
        cost.launches++;
        ndft_nufft_add_executed(cells, 2.3, 0, 28, 61, 3, &cost);
        ndft_nufft_add_traffic(voxels * w->bytes, cells * w->bytes, &cost);
    } else {
        ndft_nufft_add_executed(voxels, 8, 0, 109, 205, 16, &cost);
        ndft_nufft_add_traffic(voxels * w->bytes, voxels * w->bytes, &cost);
    }
    return cost;
}

double ndft_nufft_weight_fmas(const ndft_nufft_work *w)
{
    return w->shape.dim * w->width * w->shape.window.degree;
}

void ndft_nufft_add_unsorted(const ndft_nufft_work *w, bool writes, ndft_cost *cost)
{
    const double data = w->samples * w->columns;
    const double values = w->op == NDFT_FORWARD ? w->samples * w->coils : data;
    cost->launches += 2e-6 * (double)w->apart * values; /* 3.5 ps a sector that has one */
    cost->l2_bytes += data * fmax(w->bytes, 0.78 * SECTOR);
    cost->dram_bytes += writes ? fmax(0, data * w->bytes - held) : data * w->bytes;
}

/* Samples are sorted into a buffer, or from it, except for a single column. */
static void add_sorting(const ndft_nufft_work *w, ndft_cost *cost)
{
    const double data = w->samples * w->columns;
    if (w->columns <= 1) return;
    ndft_nufft_add_unsorted(w, w->op == NDFT_FORWARD, cost);
    ndft_nufft_add_traffic(0, data * w->bytes, cost);
    ndft_nufft_add_executed(data, 0, 0, 66, 101, 4, cost);
    cost->launches++;
}

double ndft_nufft_parts_of(const ndft_nufft_work *w, const int tile[3], int most)
{
    double tiles = (double)w->room * w->samples / (double)w->shape.cells;
    for (int d = 0; d < w->shape.dim; d++) tiles *= ceil((double)w->shape.grid[d] / tile[d]);
    return tiles + 0.7 * w->samples / most;
}

double ndft_nufft_reached(const ndft_nufft_work *w)
{
    return (double)w->room * w->samples * w->columns * w->bytes;
}

void ndft_nufft_add_atomics(const ndft_nufft_work *w, double bytes, ndft_cost *cost)
{
    cost->l2_bytes += bytes;
    cost->dram_bytes += ndft_nufft_reached(w) + fmax(0, ndft_nufft_reached(w) - held);
    cost->launches++;
}

/* What follows spreading by sums of few steps, by kernels that do not begin early. */
static double late(const ndft_nufft_work *w) { return w->inside ? 0 : 5; }

/* Coils of a thread: more where samples fill a large device. */
static double share_of(const ndft_nufft_work *w)
{
    static const double threads = 270000;
    return fmin(fmin(THREAD_COILS, w->coils), floor(w->samples * w->coils / threads) + 1);
}

/* A thread reads one column after another, in 3D plane by plane, and waits for each a part of a
 * launch; where there are samples enough, others' reads hide that. */
static double waits_of(const ndft_nufft_work *w)
{
    return 0.4 * w->terms * share_of(w) * (w->shape.dim > 2 ? w->width : 1);
}

/* Launches that a thread takes longer where windows leave room for few: 20 ps. */
static double crowded(const ndft_nufft_work *w) { return w->width > 7 ? 1.6e-5 : 0; }

/* The share of reads that the first cache does not have: cells that a block's samples reach, which
 * are sorted into rows of two cells. */
static double misses_of(const ndft_nufft_work *w)
{
    enum { SAMPLES = 128, HEIGHT = 2 };
    double length = SAMPLES * (double)w->room, cells = 1;
    for (int d = 1; d < w->shape.dim; d++) {
        length /= HEIGHT;
        cells *= HEIGHT + w->width - 1;
    }
    cells *= length + w->width + 2; /* of a sector, at both ends */
    return fmin(1, cells / (SAMPLES * w->window));
}

ndft_cost ndft_nufft_thread_cost(const ndft_nufft_work *w)
{
    ndft_cost cost = ndft_nufft_family_cost(w);
    const double pair = 16 / w->bytes, all = w->samples * w->columns;
    const double rows = w->window / w->width;
    const double row = (w->width + pair - 1) / pair; /* pieces, as rows begin anywhere */
    const double packs = w->op == NDFT_FORWARD ? ceil(row) : row;
    const double bytes = w->width * w->bytes; /* by which several threads have a sample */
    const bool several = w->op == NDFT_ADJOINT && w->shape.dim > 1;
    const double lanes = !several ? 1 : bytes <= 32 ? 2 : bytes <= 64 ? 4 : 8;
    const double threads = w->samples * ceil(w->coils / share_of(w)) * lanes;
    ndft_nufft_add_executed(threads, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * w->loops * ndft_nufft_weight_fmas(w), 0, &cost);
    ndft_nufft_add_executed(all * rows, 2 + 2 * pair * packs, 0, 12 * w->loops, 38 * w->loops, 0,
                            &cost);
    ndft_nufft_add_unsorted(w, w->op == NDFT_FORWARD, &cost);
    if (w->op == NDFT_ADJOINT) {
        ndft_nufft_add_atomics(w, all * rows * packs * SECTOR, &cost);
        cost.launches += late(w);
        return cost;
    }
    cost.launches += 1 + waits_of(w) + crowded(w) * threads;
    cost.l2_bytes += all * rows * packs * misses_of(w) * SECTOR;
    cost.dram_bytes += ndft_nufft_reached(w);
    return cost;
}

/* A batch's samples are taken to fill a square or a cube. What is executed is by the source: of
 * several columns in one or two dimensions rows are found once. */
ndft_cost ndft_nufft_rows_cost(const ndft_nufft_work *w, int batch)
{
    ndft_cost cost = ndft_nufft_family_cost(w);
    const double all = w->samples * w->columns, of_window = w->window / w->width;
    const double threads = w->samples * ceil(w->coils / THREAD_COILS) * w->terms;
    const double reached = ndft_nufft_reached(w) / (w->columns * w->bytes);
    const double edge = pow(batch * reached / w->samples, 1.0 / w->shape.dim) + w->width - 1;
    const double rows = fmin(pow(edge, w->shape.dim - 1), batch * of_window);
    const double cells = fmin(pow(edge, w->shape.dim), batch * w->window);
    const double staged = all / batch * cells * w->bytes;
    const bool once = w->columns > 1 && w->shape.dim < 3;
    ndft_nufft_add_executed(threads, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * w->loops * ndft_nufft_weight_fmas(w), 0, &cost);
    ndft_nufft_add_executed((once ? threads : all) * rows, 0, 0, 8, 12, 16, &cost);
    ndft_nufft_add_executed(all * of_window, 3 + 2 * w->width, 0, once ? 1 : 8,
                            (once ? 6 : 20) + 3 * w->loops * w->width, w->width * w->bytes, &cost);
    ndft_nufft_add_executed(staged / 16, 0, 0, once ? 1 : 8, once ? 4 : 14, 16, &cost);
    ndft_nufft_add_unsorted(w, true, &cost);
    cost.launches++;
    cost.l2_bytes += staged + all / batch * rows * 16;
    cost.dram_bytes += ndft_nufft_reached(w) + w->samples / batch * rows * 16;
    return cost;
}

ndft_cost ndft_nufft_cells_cost(const ndft_nufft_work *w, const int tile[3], int edge)
{
    if (w->op == NDFT_FORWARD) return ndft_nufft_thread_cost(w);
    ndft_cost cost = ndft_nufft_family_cost(w);
    const int dim = w->shape.dim, ry = dim > 1 ? edge : 1;
    double visits = w->samples, lanes = 1.0 / (edge * ry); /* of a tile */
    for (int d = 0; d < dim; d++) {
        visits *= (tile[d] + w->width - 1) / tile[d];
        lanes *= tile[d];
    }
    const double of_warp = fmin(fmax(1, floor(LANES / lanes)), w->columns);
    const double busy = lanes * of_warp, units = visits * ceil(w->columns / of_warp);
    const double fma = 2 * edge * ry + 2 * ry + (dim > 2 ? 2 : 0);
    add_sorting(w, &cost);
    ndft_nufft_add_executed(units, ndft_nufft_weight_fmas(w), 0, 295, 760,
                            625 + 217 * edge * busy / LANES, &cost);
    ndft_nufft_add_executed(units * busy, fma, 0, 27, 44 + 1.4 * fma, 0, &cost);
    ndft_nufft_add_executed(cells_of(w) * LANES / busy, 0, 2, 0, 6, 0,
                            &cost); /* slices of the samples */
    cost.l2_bytes += units * w->bytes * (fmax(of_warp, 2.5) + dim) + cells_of(w) * w->bytes;
    cost.dram_bytes +=
        w->samples * ((w->columns + dim) * w->bytes + 20) + fmax(0, cells_of(w) * w->bytes - held);
    if (edge == 1) /* 16 bytes of a lane's registers do not fit */
        cost.l2_bytes += 16 * cells_of(w) * LANES / busy;
    cost.launches += w->inside ? 2 : 4; /* with the join of long lists, and zeros */
    return cost;
}

ndft_cost ndft_nufft_tile_cost(const ndft_nufft_work *w, const int tile[3], int most)
{
    ndft_cost cost = ndft_nufft_family_cost(w);
    enum { COLUMNS = 4 }; /* that a block takes */
    const double all = w->samples * w->columns, chunks = ceil(w->columns / COLUMNS);
    double reach = 1;
    for (int d = 0; d < w->shape.dim; d++) reach *= tile[d] + w->width - 1;
    const double staged = ndft_nufft_parts_of(w, tile, most) * reach * w->columns * w->bytes;
    const bool adjoint = w->op == NDFT_ADJOINT;
    add_sorting(w, &cost);
    ndft_nufft_add_executed(w->samples * chunks, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * ndft_nufft_weight_fmas(w), 0, &cost);
    ndft_nufft_add_executed(all * w->window, adjoint ? 3 : 2.5, 0, adjoint ? 53 : 5,
                            adjoint ? 145 : 12, adjoint ? 114 : 16, &cost);
    cost.l2_bytes += all * w->bytes + w->samples * chunks * w->shape.dim * w->bytes;
    cost.dram_bytes += all * w->bytes;
    if (adjoint) {
        cost.add += 1.2 * staged; /* eight warps' tiles */
        ndft_nufft_add_atomics(w, staged, &cost);
    } else {
        cost.l2_bytes += staged;
        cost.dram_bytes += ndft_nufft_reached(w);
        cost.launches++;
    }
    return cost;
}

/* Whether boxes are read by samples that are dealt by banks (interpolate_boxes.cu). */
static bool are_dealt(const ndft_nufft_work *w, const int tile[3])
{
    const int dim = w->shape.dim, edge = dim > 2 ? 8 : 16;
    if (w->op == NDFT_ADJOINT || w->bytes > 8 || w->terms > 1) return false;
    if (w->width < 4 || w->width > 7 || dim < 2 || (dim == 2 && w->columns > 1)) return false;
    for (int d = 0; d < dim; d++)
        if (tile[d] != edge) return false;
    return true;
}

ndft_cost ndft_nufft_box_cost(const ndft_nufft_work *w, const int tile[3], int most)
{
    const bool dealt = are_dealt(w, tile);
    ndft_cost cost = ndft_nufft_family_cost(w);
    const double all = w->samples * w->columns, rows = w->window / w->width;
    double box = floor((tile[0] + w->width) / 2) * 2;
    for (int d = 1; d < w->shape.dim; d++) box *= tile[d] + w->width - 1;
    const double parts = ndft_nufft_parts_of(w, tile, dealt ? 256 : most);
    const double staged = parts * box * w->columns * w->bytes;
    ndft_nufft_add_unsorted(w, w->op == NDFT_FORWARD, &cost);
    ndft_nufft_add_executed(w->samples, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * ndft_nufft_weight_fmas(w), 0, &cost);
    if (w->op == NDFT_ADJOINT) {
        cost.special += 2 * 1.6 * all * w->window;
        ndft_nufft_add_executed(all * w->window, 4, 0.5, 17 * w->loops, 37 * w->loops, 42, &cost);
        ndft_nufft_add_atomics(w, staged, &cost);
        cost.launches += 2 * late(w) + 0.16 * rows * w->terms; /* rows of a term in turn */
    } else {
        if (dealt) {
            ndft_nufft_add_executed(staged / 16, 0, 0, 12, 22, 16, &cost);
            ndft_nufft_add_executed(all * rows, 4 + 2 * w->width, 0, 2, 6 + 3 * w->width,
                                    13 * w->width, &cost);
        } else {
            ndft_nufft_add_executed(all * rows, 4 + 2 * w->width, 0, 13 * w->loops * w->width,
                                    24 * w->loops * w->width, 26 * w->width, &cost);
        }
        cost.l2_bytes += staged;
        cost.dram_bytes += ndft_nufft_reached(w);
        cost.launches += 1 + waits_of(w) + 0.6 * crowded(w) * w->samples + 0.2 * w->width;
    }
    return cost;
}
