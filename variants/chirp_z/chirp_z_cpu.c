/* SPDX-License-Identifier: Apache-2.0 */
#include "chirp_z_cost.h"
#include "chirp_z_loop.h"
#include "convolve/convolve_batch_fftw.h"
#include "core/chosen.h"

#include "base/memo.h"
#include "base/variant.h"

#include <math.h>
#include <stdlib.h>

/*
 * Samples that are equispaced along the axes of the grid, at any spacing, as Cartesian and
 * echo-planar ones without a field map: the sum is a chirp-z transform along each axis, N log N
 * operations that are exact but for rounding. The lines of an axis are convolved while they are in
 * cache; between two axes, and to and from lists of samples and voxels, the numbers go through
 * memory, as many coils at a time as a buffer has room for. The transforms are the ceiling.
 */

enum { BUFFER_BYTES = 64 << 20 };

typedef struct chirp_z_passes {
    int count;
    ndft_bluestein_axis axis[3];
} chirp_z_passes;

typedef struct chirp_z_plan {
    ndft_arena arena;
    const ndft_problem *problem;
    int threads, chunk;          /* coils at a time */
    chirp_z_passes direction[2]; /* forward, adjoint */
    ndft_places voxels;          /* of a mask; none of the whole grid */
    ndft_places samples;
    void *grid, *lattice; /* [chunk] of each coil; grid with a mask only */
    void *work[2];        /* between passes */
    ndft_bluestein_stage *run;
    chirp_z_loop *spread, *gather;
} chirp_z_plan;

static ndft_bluestein_stage *const runs[3][2] = NDFT_LOOP_TABLE(bluestein_whole);
NDFT_LOOPS(spreads, chirp_z_loop, chirp_z_spread);
NDFT_LOOPS(gathers, chirp_z_loop, chirp_z_gather);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knob)
{
    (void)device;
    (void)knob;
    ndft_lattice lattice;
    return ndft_chirp_z_unsupported(p, &lattice);
}

/* cell is kept, and belongs to the arena as the rest does. */
static ndft_status make_places(ndft_arena *arena, const int32_t *cell, int64_t points,
                               int64_t cells, ndft_places *places)
{
    void *first, *order;
    NDFT_TRY(ndft_reserve(arena, "cells", ((size_t)cells + 2) * sizeof(int32_t), &first));
    NDFT_TRY(ndft_reserve(arena, "points of cells", (size_t)points * sizeof(int32_t), &order));
    ndft_places_sort(cell, points, cells, first, order);
    *places = (ndft_places){points, cells, cell, first, order};
    return NDFT_OK;
}

static ndft_status place_samples(chirp_z_plan *plan, const ndft_lattice *lattice)
{
    const ndft_problem *p = plan->problem;
    void *cell;
    NDFT_TRY(ndft_reserve(&plan->arena, "places of samples", (size_t)p->n_samples * sizeof(int32_t),
                          &cell));
    for (int64_t j = 0; j < p->n_samples; j++)
        ((int32_t *)cell)[j] = (int32_t)ndft_lattice_place(p, lattice, j);
    return make_places(&plan->arena, cell, p->n_samples, lattice->places, &plan->samples);
}

static int chunk_of(const ndft_problem *p, const ndft_lattice *lattice)
{
    const double one =
        (double)(ndft_grid_size(p) + lattice->places) * 2 * (double)ndft_real_size(p->prec);
    const double fitting = floor(BUFFER_BYTES / one);
    return fitting < 1 ? 1 : fitting < p->coils ? (int)fitting : p->coils;
}

/* An axis and what its tables are filled from. */
typedef struct filling {
    const ndft_chirp_z_axis *from;
    const ndft_bluestein_axis *axis;
} filling;

static void fill(const void *context, int64_t cells, double *filter)
{
    const filling *f = context;
    ndft_chirp_z_factors(f->from, f->axis->convolve.fft[0].prec, f->axis->before, f->axis->after);
    ndft_chirp_z_filter(f->from, cells, filter);
}

/* Found by timing, once for a problem: what is prepared again takes the memory that it had. */
static ndft_status length_of(const chirp_z_plan *plan, int64_t least, int64_t *cells)
{
    const ndft_question question = {"length of a convolution", {(double)least}};
    if (ndft_memo_recall(plan->problem, question, cells, sizeof *cells)) return NDFT_OK;
    NDFT_TRY(ndft_convolve_length(plan->arena.exec, plan->problem->prec, least, cells));
    ndft_memo_remember(plan->problem, question, cells, sizeof *cells);
    return NDFT_OK;
}

static ndft_status make_axis(chirp_z_plan *plan, const ndft_chirp_z_axis *from,
                             ndft_bluestein_axis *axis)
{
    ndft_arena *arena = &plan->arena;
    const ndft_prec prec = plan->problem->prec;
    const size_t complex_size = 2 * ndft_real_size(prec);
    const filling tables = {from, axis};
    int64_t cells;
    axis->pass = from->pass;
    NDFT_TRY(length_of(plan, from->n + from->count - 1, &cells));
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.in.count * complex_size, &axis->before));
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.out.count * complex_size, &axis->after));
    return ndft_bluestein_axis_make(arena, prec, cells, plan->threads, false, fill, &tables, axis);
}

/* most: complex numbers of one coil between two passes. */
static ndft_status make_direction(chirp_z_plan *plan, const ndft_lattice *lattice, bool adjoint,
                                  int64_t *most)
{
    const ndft_problem *p = plan->problem;
    const ndft_chirp_z_ends ends = ndft_chirp_z_ends_of(p, lattice, adjoint);
    chirp_z_passes *passes = &plan->direction[adjoint];
    ndft_chirp_z_axis axes[3];
    int64_t between;
    const int count = ndft_chirp_z_axes(p, lattice, adjoint, plan->chunk, &ends, axes, &between);
    if (between > *most) *most = between;
    for (; passes->count < count; passes->count++)
        NDFT_TRY(make_axis(plan, &axes[passes->count], &passes->axis[passes->count]));
    return NDFT_OK;
}

static ndft_status make_directions(chirp_z_plan *plan, const ndft_lattice *lattice, unsigned ops)
{
    const size_t complex_size = 2 * ndft_real_size(plan->problem->prec);
    int64_t most = 0;
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        if (!(ops & (adjoint ? NDFT_ADJOINT : NDFT_FORWARD))) continue;
        NDFT_TRY(make_direction(plan, lattice, adjoint, &most));
    }
    for (int i = 0; i < 2 && most > 0; i++)
        NDFT_TRY(ndft_reserve(&plan->arena, "arrays between axes",
                              (size_t)(most * plan->chunk) * complex_size, &plan->work[i]));
    return NDFT_OK;
}

static ndft_status prepare(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)how;
    chirp_z_plan *plan = state;
    const ndft_exec *exec = plan->arena.exec;
    const size_t complex_size = 2 * ndft_real_size(p->prec);
    ndft_lattice lattice;
    plan->problem = p;
    plan->threads = exec->threads;
    plan->spread = spreads[exec->device.isa][p->prec];
    plan->gather = gathers[exec->device.isa][p->prec];
    plan->run = runs[exec->device.isa][p->prec];
    const char *why = ndft_lattice_of(p, &lattice);
    if (why) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", why);
    plan->chunk = chunk_of(p, &lattice);
    NDFT_TRY(place_samples(plan, &lattice));
    NDFT_TRY(ndft_reserve(&plan->arena, "the lattice",
                          (size_t)(plan->chunk * lattice.places) * complex_size, &plan->lattice));
    if (p->voxel) {
        NDFT_TRY(
            make_places(&plan->arena, p->voxel, p->n_voxels, ndft_grid_size(p), &plan->voxels));
        NDFT_TRY(ndft_reserve(&plan->arena, "the grid",
                              (size_t)(plan->chunk * ndft_grid_size(p)) * complex_size,
                              &plan->grid));
    }
    return make_directions(plan, &lattice, ops);
}

static void destroy(void *state)
{
    chirp_z_plan *plan = state;
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < 3; d++) ndft_bluestein_axis_destroy(&plan->direction[i].axis[d]);
    ndft_arena_destroy(plan);
}

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    static const ndft_host_recipe recipe = {sizeof(chirp_z_plan), prepare, destroy};
    return ndft_host_create(&recipe, p, knob, ops, exec, out);
}

/* All axes of some coils. */
static void run_passes(const chirp_z_plan *plan, const chirp_z_passes *passes, int coils,
                       const void *in, void *out)
{
    for (int i = 0; i < passes->count; i++) {
        const ndft_bluestein_axis *axis = &passes->axis[i];
        const bool last = i == passes->count - 1;
        const ndft_bluestein_part part = {.axis = axis,
                                          .from = i == 0 ? in : plan->work[(i - 1) % 2],
                                          .to = last ? out : plan->work[i % 2],
                                          .end = axis->pass.lines / plan->chunk * coils};
        plan->run(&part);
    }
}

static chirp_z_move move_of(const chirp_z_plan *plan, const ndft_places *places, int coils)
{
    const ndft_problem *p = plan->problem;
    return (chirp_z_move){.places = places,
                          .coils = coils,
                          .threads = plan->threads,
                          .element = ndft_element_stride(p),
                          .coil = ndft_coil_stride(p, places->points)};
}

/* Some coils, the first of which begins at the pointers. */
static void forward(const chirp_z_plan *plan, int coils, const void *in, void *out)
{
    const chirp_z_move voxels = move_of(plan, &plan->voxels, coils);
    const chirp_z_move samples = move_of(plan, &plan->samples, coils);
    if (plan->grid) plan->spread(&voxels, in, plan->grid);
    run_passes(plan, &plan->direction[0], coils, plan->grid ? plan->grid : in, plan->lattice);
    plan->gather(&samples, plan->lattice, out);
}

static void adjoint(const chirp_z_plan *plan, int coils, const void *in, void *out)
{
    const chirp_z_move voxels = move_of(plan, &plan->voxels, coils);
    const chirp_z_move samples = move_of(plan, &plan->samples, coils);
    plan->spread(&samples, in, plan->lattice);
    run_passes(plan, &plan->direction[1], coils, plan->lattice, plan->grid ? plan->grid : out);
    if (plan->grid) plan->gather(&voxels, plan->grid, out);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const chirp_z_plan *plan = state;
    const ndft_problem *p = plan->problem;
    const size_t complex_size = 2 * ndft_real_size(p->prec);
    const int64_t in_coil = ndft_coil_stride(p, ndft_input_length(p, op));
    const int64_t out_coil = ndft_coil_stride(p, ndft_output_length(p, op));
    for (int coil = 0; coil < p->coils; coil += plan->chunk) {
        const int coils = p->coils - coil < plan->chunk ? p->coils - coil : plan->chunk;
        (op == NDFT_FORWARD ? forward : adjoint)(
            plan, coils, (const char *)in + (size_t)(coil * in_coil) * complex_size,
            (char *)out + (size_t)(coil * out_coil) * complex_size);
    }
    return NDFT_OK;
}

/* Lengths are timed for each axis and direction. */
static void chosen(const void *state, char *text, size_t size)
{
    const chirp_z_plan *plan = state;
    const int axes = plan->direction[0].count ? plan->direction[0].count : plan->direction[1].count;
    int64_t cells[2][3];
    for (int adjoint = 0; adjoint < 2; adjoint++)
        for (int i = 0; i < plan->direction[adjoint].count; i++)
            cells[adjoint][i] = plan->direction[adjoint].axis[i].convolve.cells;
    text[0] = 0;
    ndft_chosen_both(text, size, "cells", plan->direction[0].count ? cells[0] : NULL,
                     plan->direction[1].count ? cells[1] : NULL, axes);
    ndft_chosen_one(text, size, "coils_of_pass", plan->chunk);
}

const ndft_variant ndft_chirp_z_cpu = {
    .name = "chirp_z",
    .backend = "cpu",
    .summary = "equispaced samples: a chirp-z transform along each axis",
    .claim = {.c = 1,
              .truncation = ndft_chirp_z_truncation,
              .any = {.c = 1, .chain = ndft_no_chain, .truncation = ndft_chirp_z_any}},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = ndft_chirp_z_cost,
    .chosen = chosen,
};
