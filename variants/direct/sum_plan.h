/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUM_PLAN_H
#define NDFT_SUM_PLAN_H

#include "core/chosen.h"
#include "core/directions.h"
#include "phase/points.h"
#include "sum.h"

/*
 * Plans of the variants that run ndft_sum's loops, an ndft_sum in each direction: a variant says in
 * a recipe which side is to be compact and how much is taken at a time. Where tiles would be too
 * wide to be compact, as with few points on long axes, there are no centres, and rests are kept so
 * that products can be reduced.
 */

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

static inline ndft_status ndft_place_operands(ndft_arena *arena, ndft_compact compact,
                                              ndft_points *in, ndft_points *out, ndft_sum *s)
{
    in->scaled = compact != NDFT_COMPACT_OUTPUTS;
    out->scaled = !in->scaled;
    if (compact == NDFT_COMPACT_INPUTS)
        NDFT_TRY(ndft_place_compact(arena, in, s->tile, &s->in_order, &s->centre));
    if (compact == NDFT_COMPACT_OUTPUTS)
        NDFT_TRY(ndft_place_compact(arena, out, s->lanes, &s->out_order, &s->centre));
    if (!s->centre) {
        in->scaled = true;
        out->scaled = false;
    }
    NDFT_TRY(ndft_place_phase(arena, in, s->in_at, s->centre ? NULL : s->in_rest));
    NDFT_TRY(ndft_place_phase(arena, out, s->out_at, NULL));
    NDFT_TRY(ndft_place_sincs(arena, in, s->in_slope, s->in_offset));
    NDFT_TRY(ndft_place_sincs(arena, out, s->out_slope, s->out_offset));
    NDFT_TRY(ndft_place_higher(arena, in, s->in_phase, s->in_phase_rest));
    NDFT_TRY(ndft_place_higher(arena, out, s->out_phase, NULL));
    NDFT_TRY(ndft_place_decay(arena, in, &s->in_decay));
    return ndft_place_decay(arena, out, &s->out_decay);
}

/* The staged input, the threads' workspaces and the parts of a split sum. */
static inline ndft_status ndft_place_work(ndft_arena *arena, size_t real, ndft_sum *s)
{
    const size_t values = (size_t)s->tiles * (size_t)s->coils * 2 * (size_t)s->tile;
    const size_t parts =
        (size_t)s->split * (size_t)s->chunks * (size_t)s->coils * 2 * (size_t)s->lanes;
    s->work_reals = ndft_work_reals(s);
    NDFT_TRY(ndft_reserve(arena, "staged input", values * real, &s->values));
    NDFT_TRY(ndft_reserve(arena, "workspace", (size_t)s->threads * s->work_reals * real, &s->work));
    return s->split == 1 ? NDFT_OK
                         : ndft_reserve(arena, "parts of split sums", parts * real, &s->parts);
}

/* Parts of a sum; 0 wanted: enough that every thread has four or so to take. */
static inline int ndft_split(const ndft_sum *s, int wanted)
{
    const int64_t split = wanted ? wanted : ndft_whole(4 * s->threads, s->chunks);
    return (int)(split < s->tiles ? split : s->tiles);
}

static inline ndft_status ndft_sum_prepare(ndft_arena *arena, const ndft_problem *p, ndft_op op,
                                           const void *how, void *direction)
{
    const ndft_recipe *recipe = how;
    ndft_sum *s = direction;
    int axis[4];
    *s = (ndft_sum){.axes = ndft_phase_axes(p, axis),
                    .sincs = ndft_has_gradients(p) ? p->dim : 0,
                    .phases = p->higher.terms,
                    .dephasing = ndft_dephasing_of(p),
                    .coils = p->coils,
                    .threads = recipe->threads ? recipe->threads : arena->exec->threads,
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
    ndft_status status = ndft_place_operands(arena, recipe->compact, &in, &out, s);
    ndft_tiles_free(&in.tiles);
    ndft_tiles_free(&out.tiles);
    return status == NDFT_OK ? ndft_place_work(arena, ndft_real_size(p->prec), s) : status;
}

static inline ndft_status ndft_sum_create(const ndft_problem *p, unsigned ops, ndft_exec *exec,
                                          const ndft_recipe *recipe,
                                          ndft_direction_loop *const loops[3][2], void **out)
{
    return ndft_directions_create(p, recipe, ops, exec, sizeof(ndft_sum), ndft_sum_prepare, loops,
                                  loops, out);
}

/* Threads and parts of the sums. */
static inline void ndft_sum_chosen(const void *state, char *text, size_t size)
{
    const ndft_directions *plan = state;
    const ndft_sum none = {.threads = 0};
    const ndft_sum *forward = plan->direction[0] ? plan->direction[0] : &none;
    const ndft_sum *adjoint = plan->direction[1] ? plan->direction[1] : &none;
    text[0] = 0;
    ndft_chosen_directions(text, size, "threads", forward->threads, adjoint->threads);
    ndft_chosen_directions(text, size, "split", forward->split, adjoint->split);
}

#endif
