/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_cost_parts.h"

#include <math.h>

/* Of spreading and reading by products on tensor cores. */

/* By cubes of 8 cells in tiles of 8 (order/cubes.cuh): those that samples lie in, which are cut
 * where a part or a warp's share ends, and samples in steps of eight. What is executed is by the
 * source. */
static ndft_cost cubes_cost(const ndft_nufft_work *w, int most)
{
    ndft_cost cost = ndft_nufft_family_cost(w);
    enum { EDGE = 8 };
    const double cells = EDGE * EDGE * EDGE, step = fmax(1, EDGE + 1 - w->width);
    const double room = (double)w->room;
    const double cubes = w->samples * fmin(1, room / (room + pow(step, 3)) + 1.0 / most);
    const double steps = (w->samples + 3.5 * cubes) * w->columns, of_cubes = cubes * w->columns;
    const int tile[3] = {EDGE, EDGE, EDGE};
    const double parts = ndft_nufft_parts_of(w, tile, most) * w->columns;
    ndft_nufft_add_executed(w->samples * w->columns, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * ndft_nufft_weight_fmas(w) + 60, 4 * 3 * (EDGE + w->width), &cost);
    ndft_nufft_add_executed(steps, 96, 96, 96, w->op == NDFT_FORWARD ? 604 : 532, 300, &cost);
    cost.tensor = steps * 16 * EDGE * EDGE * 2 * 3;
    ndft_nufft_add_unsorted(w, w->op == NDFT_FORWARD, &cost);
    if (w->op == NDFT_ADJOINT) {
        ndft_nufft_add_executed(of_cubes * cells, 0, 0, 0.1, 4, 2 * w->bytes, &cost);
        ndft_nufft_add_atomics(w, parts * pow(EDGE + w->width - 1, 3) * w->bytes, &cost);
        cost.launches += 0.2 * most / EDGE; /* steps of a part, one after another */
    } else {
        ndft_nufft_add_executed(of_cubes * cells, 0, 2, 2, 15, 0, &cost);
        cost.l2_bytes += of_cubes * cells * w->bytes / 2; /* the first cache has the rest */
        cost.dram_bytes += ndft_nufft_reached(w);
        /* before a warp's cubes are read, which are read in turn */
        cost.launches += 5 + (2.4 + 6.4 * cubes / w->samples) * w->terms;
    }
    return cost;
}

/* By squares of 16 cells of an edge for tiles of 8 (squares.cuh). */
static ndft_cost squares_cost(const ndft_nufft_work *w, int most)
{
    ndft_cost cost = ndft_nufft_family_cost(w);
    enum { EDGE = 16, TILE = 8 };
    const int tile[3] = {TILE, TILE, 1};
    const double parts = ndft_nufft_parts_of(w, tile, most) * w->columns;
    const double steps = w->samples * w->columns + 3.5 * parts; /* of a part, in steps of eight */
    ndft_nufft_add_executed(w->samples * w->columns, ndft_nufft_weight_fmas(w), 0, 60,
                            2 * ndft_nufft_weight_fmas(w) + 60, 4 * 2 * (EDGE + w->width), &cost);
    ndft_nufft_add_executed(steps, 24, 24, 24, 200, 60, &cost);
    cost.tensor = steps * 2 * EDGE * EDGE * 2 * 3;
    ndft_nufft_add_unsorted(w, false, &cost);
    ndft_nufft_add_atomics(w, parts * pow(TILE + w->width - 1, 2) * w->bytes, &cost);
    return cost;
}

ndft_cost ndft_nufft_product_cost(const ndft_nufft_work *w, int box, int few, int most)
{
    if (w->shape.dim == 3) return cubes_cost(w, most);
    if (w->op == NDFT_ADJOINT && w->columns <= few) return squares_cost(w, most / 4);
    if (w->op == NDFT_FORWARD) return ndft_nufft_thread_cost(w);
    ndft_cost cost = ndft_nufft_family_cost(w);
    enum { COILS = 8 }; /* of a warp */
    const int edge = box - (w->shape.window.width - 1), tile[3] = {edge, edge, 1};
    const double parts = ndft_nufft_parts_of(w, tile, most), cells = (double)box * box;
    const double samples = w->samples + 3.5 * parts; /* of a part, in steps of eight */
    const double turned = w->terms > 1 ? 1.7 : 1;    /* data, for each term */
    const double operand = turned * samples * ceil(w->coils / COILS) * w->terms * cells;
    ndft_nufft_add_executed(operand, 1.15, 1.06, 4.6, 11.3, 2.8, &cost);
    ndft_nufft_add_executed(w->samples, ndft_nufft_weight_fmas(w), 0, 0,
                            2 * ndft_nufft_weight_fmas(w), 0, &cost);
    cost.tensor = operand * COILS * 2 * 3;
    /* steps of the tiles that samples crowd in, for one term after another */
    cost.launches += 0.45 * most / COILS * w->terms;
    ndft_nufft_add_unsorted(w, false, &cost);
    ndft_nufft_add_atomics(w, parts * cells * w->columns * w->bytes, &cost);
    return cost;
}
