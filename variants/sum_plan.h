/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUM_PLAN_H
#define NDFT_SUM_PLAN_H

#include "coords.h"
#include "sum.h"
#include "tiles.h"

#include <ndft/variant.h>

#include <stdlib.h>

/*
 * Fills the arrays of an ndft_sum. One side may be compact: sorted into tiles, its phase
 * coordinates being offsets from the tile's centre, so that phases are small. The phase is made of
 * exact numbers of one side (k, t, x or dw, which are floats when the problem is) and scaled ones
 * of the other (2 x/N, dw/pi, 2 k/N or t/pi), each rounded once. Where tiles would be too wide for
 * that, as with few points on long axes, there are no centres and rounding's rests are kept.
 */

/* Half turns that a phase between compact and exact points may reach; its rounding is 2^-24 of it
 * at most, and the claims of those variants count on it. */
#define NDFT_SMALL_PHASE 48.0

/* What a variant wants; ndft_sum_create does the rest. */
typedef enum ndft_compact {
    NDFT_COMPACT_NONE,
    NDFT_COMPACT_INPUTS,
    NDFT_COMPACT_OUTPUTS
} ndft_compact;

typedef struct ndft_recipe {
    ndft_compact compact;
    int lanes, tile;
    int threads, split; /* 0: as many as serve */
    bool atomic;
} ndft_recipe;

/* in, out: interleaved complex in the problem's layout. */
typedef void ndft_sum_loop(const ndft_sum *, const void *in, void *out);

/* A plan of two directions and the memory that they own. */
typedef struct ndft_sum_plan {
    ndft_exec *exec;
    ndft_sum way[2]; /* forward, adjoint */
    ndft_sum_loop *loop;
    int size;
    void *memory[64];
} ndft_sum_plan;

static inline void ndft_sum_destroy(void *state)
{
    ndft_sum_plan *plan = state;
    for (int i = 0; i < plan->size; i++) plan->exec->release(plan->exec, plan->memory[i]);
    free(plan);
}

static inline ndft_status ndft_sum_reserve(ndft_sum_plan *plan, const char *what, size_t bytes,
                                           void **memory)
{
    NDFT_TRY(plan->exec->alloc(plan->exec, what, bytes, memory));
    plan->memory[plan->size++] = *memory;
    return NDFT_OK;
}

/* The points of one side of one direction. */
typedef struct ndft_points {
    const ndft_problem *problem;
    ndft_side side;
    int64_t count, padded;
    ndft_tiles tiles; /* order NULL: as they stand */
    bool scaled;
    double sign;
} ndft_points;

/* Numbers of the phase's coordinates, space then field; returns how many. */
static inline int ndft_phase_axes(const ndft_problem *p, int axis[4])
{
    int axes = 0;
    for (int d = 0; d < p->dim; d++) axis[axes++] = d;
    if (p->dw) axis[axes++] = 3;
    return axes;
}

/* Coordinate d of point number i in the side's order, ready for the phase, and its rest. */
static inline double ndft_points_at(const ndft_points *points, int d, int64_t i, double *rest)
{
    const ndft_problem *p = points->problem;
    const bool compact = points->tiles.order != NULL;
    double at[4];
    ndft_point(p, points->side, compact ? points->tiles.order[i] : i, at);
    for (int e = 0; compact && e < 4; e++) at[e] -= points->tiles.centre[i / points->tiles.tile][e];
    *rest = 0;
    if (!points->scaled) return at[d];
    const ndft_centre turns = ndft_centre_of(p, at, points->sign);
    *rest = 2 * turns.lo[d];
    return 2 * turns.hi[d];
}

/* Whether phases with the other side's points stay small. */
static inline bool ndft_is_compact(const ndft_points *points)
{
    const ndft_problem *p = points->problem;
    const bool voxels = points->side == NDFT_VOXELS;
    for (int64_t i = 0; i < points->count; i++) {
        double most = 0;
        for (int d = 0; d < 4; d++) {
            if (d < 3 ? d >= p->dim : !p->dw) continue;
            double other = d == 3 ? (voxels ? p->t_max : p->dw_max)
                                  : (voxels ? p->k_max[d] : (double)(p->n[d] / 2));
            double rest;
            most += other * fabs(ndft_points_at(points, d, i, &rest));
        }
        if (most > NDFT_SMALL_PHASE) return false;
    }
    return true;
}

static inline ndft_status ndft_place_phase(ndft_sum_plan *plan, const ndft_points *points,
                                           const void *row[4], const void *rest[4])
{
    const ndft_problem *p = points->problem;
    const size_t real = ndft_real_size(p->prec), bytes = (size_t)points->padded * real;
    int axis[4];
    const int axes = ndft_phase_axes(p, axis);
    for (int a = 0; a < axes; a++) {
        void *to, *lost = NULL;
        NDFT_TRY(ndft_sum_reserve(plan, "coordinates", bytes, &to));
        if (rest) NDFT_TRY(ndft_sum_reserve(plan, "rests of coordinates", bytes, &lost));
        for (int64_t i = 0; i < points->padded; i++) {
            double low = 0;
            const double high = i < points->count ? ndft_points_at(points, axis[a], i, &low) : 0;
            ndft_put_real(to, p->prec, i, high);
            if (rest) ndft_put_real(lost, p->prec, i, high - ndft_real_at(to, p->prec, i) + low);
        }
        row[a] = to;
        if (rest) rest[a] = lost;
    }
    return NDFT_OK;
}

/* scale array[point], or zeros where array is NULL. */
static inline ndft_status ndft_place_map(ndft_sum_plan *plan, const ndft_points *points,
                                         const void *array, double scale, const void **row)
{
    const ndft_prec prec = points->problem->prec;
    const int32_t *order = points->tiles.order;
    void *to;
    NDFT_TRY(ndft_sum_reserve(plan, "sinc coordinates",
                              (size_t)points->padded * ndft_real_size(prec), &to));
    for (int64_t i = 0; i < points->padded; i++) {
        const bool real = array && i < points->count;
        ndft_put_real(to, prec, i,
                      real ? scale * ndft_real_at(array, prec, order ? order[i] : i) : 0);
    }
    *row = to;
    return NDFT_OK;
}

/* A side's share of the sinc's arguments k/N + G t: t and k/N of samples, G and 0 of voxels. */
static inline ndft_status ndft_place_sincs(ndft_sum_plan *plan, const ndft_points *points,
                                           const void *slope[3], const void *offset[3])
{
    const ndft_problem *p = points->problem;
    if (!ndft_has_gradients(p)) return NDFT_OK;
    for (int d = 0; d < p->dim; d++) {
        if (points->side == NDFT_VOXELS) {
            NDFT_TRY(ndft_place_map(plan, points, p->g[d], 1, &slope[d]));
            NDFT_TRY(ndft_place_map(plan, points, NULL, 0, &offset[d]));
        } else {
            NDFT_TRY(ndft_place_map(plan, points, p->t, 1, &slope[d]));
            NDFT_TRY(ndft_place_map(plan, points, p->k[d], 1 / (double)p->n[d], &offset[d]));
        }
    }
    return NDFT_OK;
}

static inline ndft_status ndft_place_tiles(ndft_sum_plan *plan, const ndft_points *points,
                                           const int32_t **order, const ndft_centre **centre)
{
    const ndft_tiles *tiles = &points->tiles;
    void *copy, *centres;
    NDFT_TRY(ndft_sum_reserve(plan, "tile order", (size_t)tiles->n_points * sizeof **order, &copy));
    NDFT_TRY(plan->exec->upload(plan->exec, copy, tiles->order,
                                (size_t)tiles->n_points * sizeof **order));
    NDFT_TRY(
        ndft_sum_reserve(plan, "tile centres", (size_t)tiles->n_tiles * sizeof **centre, &centres));
    int axis[4];
    const int axes = ndft_phase_axes(points->problem, axis);
    for (int64_t t = 0; t < tiles->n_tiles; t++) {
        const ndft_centre full = ndft_centre_of(points->problem, tiles->centre[t], points->sign);
        for (int a = 0; a < axes; a++) {
            ((ndft_centre *)centres)[t].hi[a] = full.hi[axis[a]];
            ((ndft_centre *)centres)[t].lo[a] = full.lo[axis[a]];
        }
    }
    *order = copy;
    *centre = centres;
    return NDFT_OK;
}

/* Sorts a side into tiles if they come out compact. */
static inline ndft_status ndft_place_compact(ndft_sum_plan *plan, ndft_points *points, int tile,
                                             const int32_t **order, const ndft_centre **centre)
{
    if (!ndft_tiles_make(points->problem, points->side, tile, &points->tiles))
        return ndft_fail(plan->exec->error, NDFT_ENOMEM, "no memory to sort %lld points",
                         (long long)points->count);
    if (ndft_is_compact(points)) return ndft_place_tiles(plan, points, order, centre);
    ndft_tiles_free(&points->tiles);
    return NDFT_OK;
}

static inline ndft_status ndft_place_sides(ndft_sum_plan *plan, ndft_compact compact,
                                           ndft_points *in, ndft_points *out, ndft_sum *s)
{
    in->scaled = compact != NDFT_COMPACT_OUTPUTS;
    out->scaled = !in->scaled;
    if (compact == NDFT_COMPACT_INPUTS)
        NDFT_TRY(ndft_place_compact(plan, in, s->tile, &s->in_order, &s->centre));
    if (compact == NDFT_COMPACT_OUTPUTS)
        NDFT_TRY(ndft_place_compact(plan, out, s->lanes, &s->out_order, &s->centre));
    if (!s->centre) {
        in->scaled = true;
        out->scaled = false;
    }
    NDFT_TRY(ndft_place_phase(plan, in, s->in_at, s->centre ? NULL : s->in_rest));
    NDFT_TRY(ndft_place_phase(plan, out, s->out_at, NULL));
    NDFT_TRY(ndft_place_sincs(plan, in, s->in_slope, s->in_offset));
    return ndft_place_sincs(plan, out, s->out_slope, s->out_offset);
}

/* The staged input, the threads' workspaces and the parts of a split sum. */
static inline ndft_status ndft_place_work(ndft_sum_plan *plan, size_t real, ndft_sum *s)
{
    const size_t values = (size_t)s->tiles * (size_t)s->coils * 2 * (size_t)s->tile;
    const size_t parts =
        (size_t)s->split * (size_t)s->chunks * (size_t)s->coils * 2 * (size_t)s->lanes;
    s->work_reals = ndft_work_reals(s);
    NDFT_TRY(ndft_sum_reserve(plan, "staged input", values * real, &s->values));
    NDFT_TRY(
        ndft_sum_reserve(plan, "workspace", (size_t)s->threads * s->work_reals * real, &s->work));
    return s->split == 1 ? NDFT_OK
                         : ndft_sum_reserve(plan, "parts of split sums", parts * real, &s->parts);
}

static inline int64_t ndft_whole(int64_t count, int64_t part) { return (count + part - 1) / part; }

/* Parts of a sum; 0 wanted: enough that every thread has four or so to take. */
static inline int ndft_split(const ndft_sum *s, int wanted)
{
    const int64_t split = wanted ? wanted : ndft_whole(4 * s->threads, s->chunks);
    return (int)(split < s->tiles ? split : s->tiles);
}

static inline ndft_status ndft_sum_prepare(ndft_sum_plan *plan, const ndft_problem *p, ndft_op op,
                                           const ndft_recipe *recipe)
{
    ndft_sum *s = &plan->way[op == NDFT_ADJOINT];
    int axis[4];
    *s = (ndft_sum){.axes = ndft_phase_axes(p, axis),
                    .sincs = ndft_has_gradients(p) ? p->dim : 0,
                    .dephasing = ndft_dephasing_of(p),
                    .coils = p->coils,
                    .threads = recipe->threads ? recipe->threads : plan->exec->threads,
                    .lanes = recipe->lanes,
                    .tile = recipe->tile,
                    .inputs = ndft_input_length(p, op),
                    .outputs = ndft_output_length(p, op),
                    .in_element = ndft_element_stride(p),
                    .out_element = ndft_element_stride(p)};
    s->tiles = ndft_whole(s->inputs, s->tile);
    s->chunks = ndft_whole(s->outputs, s->lanes);
    s->split = ndft_split(s, recipe->split);
    s->atomic = recipe->atomic;
    s->in_coil = ndft_coil_stride(p, s->inputs);
    s->out_coil = ndft_coil_stride(p, s->outputs);
    if (p->prec == NDFT_F64 && s->dephasing == NDFT_SINC_POLY) s->dephasing = NDFT_SINC_EXACT;
    const bool adjoint = op == NDFT_ADJOINT;
    ndft_points in = {.problem = p,
                      .side = adjoint ? NDFT_SAMPLES : NDFT_VOXELS,
                      .count = s->inputs,
                      .padded = s->tiles * s->tile,
                      .sign = adjoint ? 1 : -1};
    ndft_points out = {.problem = p,
                       .side = adjoint ? NDFT_VOXELS : NDFT_SAMPLES,
                       .count = s->outputs,
                       .padded = s->chunks * s->lanes,
                       .sign = adjoint ? 1 : -1};
    ndft_status status = ndft_place_sides(plan, recipe->compact, &in, &out, s);
    ndft_tiles_free(&in.tiles);
    ndft_tiles_free(&out.tiles);
    return status == NDFT_OK ? ndft_place_work(plan, ndft_real_size(p->prec), s) : status;
}

/* A plan for the directions in ops; on failure nothing stays allocated. */
static inline ndft_status ndft_sum_create(const ndft_problem *p, unsigned ops, ndft_exec *exec,
                                          const ndft_recipe *recipe, ndft_sum_loop *loop,
                                          void **out)
{
    ndft_sum_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    plan->loop = loop;
    ndft_status status = NDFT_OK;
    if (ops & NDFT_FORWARD) status = ndft_sum_prepare(plan, p, NDFT_FORWARD, recipe);
    if (status == NDFT_OK && ops & NDFT_ADJOINT)
        status = ndft_sum_prepare(plan, p, NDFT_ADJOINT, recipe);
    if (status != NDFT_OK) {
        ndft_sum_destroy(plan);
        return status;
    }
    *out = plan;
    return NDFT_OK;
}

static inline ndft_status ndft_sum_execute(void *state, ndft_op op, const void *in, void *out)
{
    const ndft_sum_plan *plan = state;
    plan->loop(&plan->way[op == NDFT_ADJOINT], in, out);
    return NDFT_OK;
}

#endif
