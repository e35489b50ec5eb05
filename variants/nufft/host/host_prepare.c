/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"
#include "nufft/shape.h"

#include <stdlib.h>

enum {
    PAD = 16,   /* places beyond the last, read as parts of vectors */
    BATCH = 64, /* samples whose weights are evaluated together */
    STRIP = 8,  /* rows of a strip's tile: sixteen threads have stripes enough */
};

static ndft_status reserve_reals(ndft_arena *arena, const char *what, ndft_prec prec, int64_t count,
                                 void **reals)
{
    return ndft_reserve(arena, what, (size_t)count * ndft_real_size(prec), reals);
}

/* Polynomials: powers in descending order, [degree + 1][row]. With half a vector that holds them
 * they stand in its other half, too. */
static ndft_status place_poly(ndft_arena *arena, const ndft_window *w, ndft_prec prec, int row,
                              int half, const void **poly)
{
    void *to;
    NDFT_TRY(reserve_reals(arena, "window", prec, (int64_t)(w->degree + 1) * row, &to));
    for (int q = 0; q <= w->degree; q++)
        for (int i = 0; i < row; i++) {
            const int cell = w->width <= half ? i % half : i;
            ndft_put_real(to, prec, (int64_t)q * row + i,
                          cell < w->width ? w->poly[cell][w->degree - q] : 0);
        }
    *poly = to;
    return NDFT_OK;
}

/* The table, [density + 2][row]. */
static ndft_status place_table(ndft_arena *arena, const ndft_window *w, int density, ndft_prec prec,
                               int row, int copies, const void **table)
{
    void *once, *to;
    const int64_t rows = density + 2;
    NDFT_TRY(reserve_reals(arena, "window", prec, rows * w->width, &once));
    NDFT_TRY(reserve_reals(arena, "window", prec, rows * row, &to));
    ndft_window_put_table(w, density, prec, w->width, once);
    for (int64_t i = 0; i < rows * row; i++) {
        const int64_t cell = i % row / copies;
        ndft_put_real(to, prec, i,
                      cell < w->width ? ndft_real_at(once, prec, i / row * w->width + cell) : 0);
    }
    *table = to;
    return NDFT_OK;
}

static ndft_status place_window(ndft_arena *arena, const ndft_window *w, ndft_prec prec,
                                bool tabulated, ndft_host_window *to)
{
    *to = (ndft_host_window){.width = w->width,
                             .row = ndft_row_reals(w->width, prec),
                             .row_once = ndft_whole_vectors(w->width, prec)};
    if (tabulated) {
        to->density = ndft_window_density(w);
        NDFT_TRY(place_table(arena, w, to->density, prec, to->row, 2, &to->row_table));
        return place_table(arena, w, to->density, prec, w->width, 1, &to->table);
    }
    to->degree = w->degree;
    const int half = (8 << arena->exec->device.isa) / (int)ndft_real_size(prec); /* a vector's */
    NDFT_TRY(place_poly(arena, w, prec, to->row_once, half, &to->row_poly));
    return place_poly(arena, w, prec, w->width, 0, &to->poly);
}

static ndft_status place_voxels(ndft_arena *arena, const ndft_problem *p,
                                const ndft_nufft_shape *shape, ndft_host_nufft *h)
{
    for (int d = 0; d < p->dim; d++) {
        void *to;
        NDFT_TRY(reserve_reals(arena, "deapodisation", p->prec, p->n[d], &to));
        ndft_nufft_put_deapodisation(shape, d, p->prec, to);
        h->deapodise[d] = to;
    }
    if (!p->voxel) return NDFT_OK;
    const int64_t voxels = p->n[0] * p->n[1] * p->n[2];
    void *memory;
    NDFT_TRY(ndft_reserve(arena, "mask", (size_t)voxels * sizeof *h->voxel, &memory));
    int32_t *element = memory;
    for (int64_t v = 0; v < voxels; v++) element[v] = -1;
    for (int64_t e = 0; e < p->n_voxels; e++) element[p->voxel[e]] = (int32_t)e;
    h->voxel = element;
    return NDFT_OK;
}

static ndft_status reserve_positions(ndft_arena *arena, const ndft_problem *p, ndft_host_nufft *h)
{
    const int64_t count = p->n_samples + PAD;
    for (int d = 0; d < p->dim; d++) {
        void *first, *place;
        NDFT_TRY(ndft_reserve(arena, "cells of samples", (size_t)count * 4, &first));
        NDFT_TRY(reserve_reals(arena, "places of samples", p->prec, count, &place));
        for (int64_t i = p->n_samples; i < count; i++) ndft_put_real(place, p->prec, i, 0);
        h->first[d] = first;
        h->place[d] = place;
    }
    return NDFT_OK;
}

/* First cells and places in the order of `order`, as they come for NULL. */
static void put_positions(const ndft_arena *arena, const ndft_problem *p, const int32_t *order,
                          ndft_host_nufft *h)
{
    typedef void loop(const ndft_host_axis *, const int32_t *, int64_t);
    static loop *const loops[3][2] = NDFT_LOOP_TABLE(nufft_place);
    loop *place = loops[arena->exec->device.isa][p->prec];
    for (int d = 0; d < p->dim; d++) {
        const ndft_host_axis axis = {p->n[d], h->grid.cells[d],       h->window.width,
                                     p->k[d], (int32_t *)h->first[d], (void *)h->place[d]};
#pragma omp parallel num_threads(arena->exec->threads)
        place(&axis, order, p->n_samples);
    }
}

static ndft_status place_as_they_come(ndft_arena *arena, const ndft_problem *p, ndft_host_nufft *h)
{
    NDFT_TRY(reserve_positions(arena, p, h));
    put_positions(arena, p, NULL, h);
    return NDFT_OK;
}

int ndft_host_tile(ndft_host_order order, const int *knobs, int dim)
{
    /* Tiles that are read again for what surrounds them are larger. */
    static const int preset[2][3] = {
        [NDFT_HOST_SORTED] = {256, 16, 8}, [NDFT_HOST_UNSORTED] = {512, 64, 16}};
    return knobs[NDFT_HOST_TILE] ? knobs[NDFT_HOST_TILE] : preset[order][dim - 1];
}

/* Strips, where the cells that their windows reach fit into registers and a row of a strip has
 * samples enough: else what is loaded and stored is more than without strips. */
static void place_strips(const ndft_exec *exec, ndft_prec prec, ndft_host_nufft *h)
{
    const int width = h->window.width, vectors = ndft_strip_vectors(width, prec);
    const int reals = 64 / (int)ndft_real_size(prec);
    if (exec->device.isa != NDFT_X86_64_V4 || h->grid.dim != 2 || h->window.density || width < 2 ||
        width * vectors > NDFT_STRIP_MOST ||
        2 * h->samples * (reals / 2) < 3 * h->grid.cells[0] * h->grid.cells[1])
        return;
    h->strips = reals / 2;
    h->window.row = vectors * reals;
}

/* Where windows reach, they end in the next tile at most. */
static ndft_sorted tiles_of(const ndft_host_nufft *h, ndft_host_order order, int side)
{
    const int width = h->window.width, dim = h->grid.dim;
    const int least = dim == 1 ? h->window.row / 2 : width;
    int64_t tile[3];
    for (int d = 0; d < dim; d++) {
        tile[d] = side < least ? least : side;
        /* Rows may begin ahead of a window, but not in the stripe before. */
        if (dim == 1 && order == NDFT_HOST_SORTED)
            tile[d] = (tile[d] + NDFT_LINES - 1) / NDFT_LINES * NDFT_LINES;
        /* A window that wraps around must not come back to the tile in which it begins. */
        const int64_t around = order == NDFT_HOST_UNSORTED ? width - 1 : 0;
        if (tile[d] > h->grid.cells[d] - around) tile[d] = h->grid.cells[d] - around;
    }
    if (h->strips) tile[0] = h->strips;
    return ndft_sorted_of(dim, h->grid.cells, tile);
}

/* first: cells of the samples as they come, which may be h's. */
static ndft_status place_samples(ndft_arena *arena, const ndft_problem *p, ndft_host_order order,
                                 int side, const int32_t *const first[3], ndft_host_nufft *h)
{
    h->sorted = tiles_of(h, order, side);
    if (h->strips) ndft_sort_by_rows(&h->sorted);
    const bool made =
        order == NDFT_HOST_UNSORTED
            ? ndft_runs_make(&h->runs, &h->sorted, p->dim, h->grid.cells, h->window.width,
                             p->n_samples, first)
            : ndft_sort(&h->sorted, p->dim, p->n_samples, first, arena->exec->threads);
    if (!made)
        return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory to sort %lld samples",
                         (long long)p->n_samples);
    if (order == NDFT_HOST_UNSORTED) return NDFT_OK;
    h->order = h->sorted.order;
    put_positions(arena, p, h->order, h);
    return NDFT_OK;
}

/* In 3D heavy tiles are spread apart, on grids that are together a quarter of the grid at most. */
static ndft_status share_samples(ndft_arena *arena, ndft_prec prec, const ndft_host_spread *spread,
                                 ndft_host_nufft *h)
{
    const int64_t *tile = h->sorted.tile;
    ndft_nufft_shape shape = {.dim = 3, .n = {1, 1, 1}, .window.width = h->window.width};
    for (int d = 0; d < 3; d++) shape.grid[d] = tile[d];
    shape.grid[0] += NDFT_LINES - 1; /* it may begin so many cells ahead */
    h->part = ndft_host_grid_of(&shape, prec);
    const bool apart = h->grid.dim == 3 && !spread->tiles;
    if (ndft_turns_make(&h->turns, &h->sorted, h->portions.queues, h->portions.begin,
                        apart ? h->grid.size / 4 / h->part.size : 0))
        return NDFT_OK;
    return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory to share out %lld samples",
                     (long long)h->samples);
}

/* Batches are those of the interpolation. */
static ndft_status place_rows(ndft_arena *arena, const ndft_problem *p, ndft_host_nufft *h)
{
    NDFT_TRY(place_as_they_come(arena, p, h));
    if (ndft_cell_rows_make(&h->rows, p->dim, h->window.width, h->batch, p->n_samples, h->first,
                            arena->exec->threads))
        return NDFT_OK;
    return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory for the rows of %lld samples",
                     (long long)p->n_samples);
}

/* Interpolation in an order of its own. come: whose samples stand as they come; NULL: nobody's. */
static ndft_status place_forward(ndft_arena *arena, const ndft_problem *p, const int *knobs,
                                 const ndft_host_nufft *come, ndft_host_nufft *h)
{
    const ndft_host_order order = (ndft_host_order)knobs[NDFT_HOST_INTERPOLATE];
    if (order == NDFT_HOST_ROWS) return place_rows(arena, p, h);
    if (order == NDFT_HOST_UNSORTED) return place_as_they_come(arena, p, h);
    NDFT_TRY((come ? reserve_positions : place_as_they_come)(arena, p, h));
    return place_samples(arena, p, order, ndft_host_tile(order, knobs, p->dim),
                         come ? come->first : h->first, h);
}

/* Both; one order is made once, also where one direction alone is asked for. Strips have another
 * order than interpolation, which they would slow down. */
static ndft_status place_directions(ndft_arena *arena, const ndft_problem *p, const int *knobs,
                                    unsigned ops, const ndft_host_spread *spread,
                                    ndft_host_nufft directions[2])
{
    const ndft_host_order order = spread->order;
    const int side = ndft_host_tile(order, knobs, p->dim);
    ndft_host_nufft *forward = &directions[0], *adjoint = &directions[1];
    if (!spread->tiles && (ops & NDFT_ADJOINT)) place_strips(arena->exec, p->prec, adjoint);
    const bool alike = (int)order == knobs[NDFT_HOST_INTERPOLATE] && !adjoint->strips;
    const bool spreads = alike || (ops & NDFT_ADJOINT);
    if (spreads) NDFT_TRY(place_as_they_come(arena, p, adjoint));
    if (!alike && (ops & NDFT_FORWARD))
        NDFT_TRY(place_forward(arena, p, knobs, spreads ? adjoint : NULL, forward));
    const bool low = adjoint->strips && !knobs[NDFT_HOST_TILE];
    if (spreads)
        NDFT_TRY(place_samples(arena, p, order, low ? STRIP : side, adjoint->first, adjoint));
    if (alike) { /* its order and tiles */
        *forward = *adjoint;
        forward->sorted.start = NULL;
        forward->sorted.order = NULL;
        forward->runs = (ndft_runs){0};
    }
    if (ops & NDFT_FORWARD)
        NDFT_TRY(
            ndft_host_share(arena, alike ? &adjoint->sorted : &forward->sorted, false, forward));
    if (ops & NDFT_ADJOINT) NDFT_TRY(ndft_host_share(arena, &adjoint->sorted, true, adjoint));
    if ((ops & NDFT_ADJOINT) && order == NDFT_HOST_SORTED)
        NDFT_TRY(share_samples(arena, p->prec, spread, adjoint));
    return NDFT_OK;
}

ndft_status ndft_host_prepare(ndft_arena *arena, const ndft_problem *p, const int *knobs,
                              unsigned ops, const ndft_host_spread *spread,
                              ndft_host_nufft directions[2])
{
    ndft_nufft_shape shape;
    ndft_rank rank;
    ndft_host_nufft *h = &directions[0];
    NDFT_TRY(ndft_nufft_field_make(p, knobs, arena->exec->error, &rank));
    const ndft_status status =
        ndft_nufft_shape_make(p, knobs, rank.columns, arena->exec->error, &shape);
    if (status != NDFT_OK) {
        ndft_rank_release(&rank);
        return status;
    }
    *h = (ndft_host_nufft){.grid = ndft_host_grid_of(&shape, p->prec),
                           .rank = rank,
                           .samples = p->n_samples,
                           .voxels = p->n_voxels,
                           .element = ndft_element_stride(p),
                           .sample_coil = ndft_coil_stride(p, p->n_samples),
                           .voxel_coil = ndft_coil_stride(p, p->n_voxels),
                           .batch = spread->np ? knobs[NDFT_HOST_NP] : BATCH};
    NDFT_TRY(place_window(arena, &shape.window, p->prec,
                          knobs[NDFT_KNOB_WEIGHTS] == NDFT_WEIGHTS_TABLE, &h->window));
    NDFT_TRY(place_voxels(arena, p, &shape, h));
    directions[1] = directions[0];
    return place_directions(arena, p, knobs, ops, spread, directions);
}

void ndft_host_unprepare(ndft_host_nufft directions[2])
{
    ndft_rank_release(&directions[0].rank);
    for (int i = 0; i < 2; i++) {
        ndft_sorted_free(&directions[i].sorted);
        ndft_turns_free(&directions[i].turns);
        ndft_runs_free(&directions[i].runs);
        ndft_cell_rows_free(&directions[i].rows);
    }
}
