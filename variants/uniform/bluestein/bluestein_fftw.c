/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"

#include "chirp.h"
#include "convolve/axis_cost.h"
#include "convolve/padded.h"
#include "core/chosen.h"

#include <string.h>

/* Of padded lines between stages, for each thread: what a second cache holds. A longer line is in
 * memory. */
enum { KEPT_BYTES = 512 << 10 };

enum { MEASURE, ESTIMATE };
enum { LONGEST = 1 << 29 }; /* whose padded power of two FFTW can count */

static const char *const rigors[] = {"measure", "estimate", NULL};
static const char *const places[] = {"plan", "execute", NULL};

const ndft_knob ndft_bluestein_knobs[] = {
    NDFT_PADDED_KNOB,
    NDFT_KNOB_WORDS("rigor", "how FFTW chooses: by timing in plan, or by a guess", rigors, ESTIMATE,
                    (MEASURE, ESTIMATE)),
    NDFT_KNOB_WORDS("chirp_fft", "where the chirp's transform is made", places,
                    NDFT_BLUESTEIN_IN_PLAN, (NDFT_BLUESTEIN_IN_PLAN, NDFT_BLUESTEIN_IN_EXECUTE)),
};

typedef struct bluestein_plan {
    ndft_arena arena;
    ndft_prec prec;
    ndft_axes axes;
    ndft_bluestein_axis axis[3];
    void *kept;            /* padded lines between two stages; NULL: none */
    int64_t kept_lines[3]; /* at a time, of each pass */
    int count, once;       /* as in ndft_bluestein_stages */
    const char *const *names;
    ndft_bluestein_stage *run[NDFT_BLUESTEIN_STAGES];
} bluestein_plan;

const char *ndft_bluestein_unsupported(const ndft_problem *p, const ndft_device *device,
                                       const int *knobs)
{
    (void)device;
    (void)knobs;
    for (int d = 0; d < 3; d++)
        if (p->n[d] > LONGEST) return "FFTW counts the cells of its padded lines up to 2^30 only";
    return ndft_unsupported_callbacks_c(p);
}

static ndft_status choose(const bluestein_plan *b, int axis, int policy, int64_t *cells)
{
    const int64_t least = ndft_bluestein_least(&b->axis[axis]);
    for (int i = 0; i < axis; i++) {
        *cells = b->axis[i].convolve.cells;
        if (ndft_bluestein_least(&b->axis[i]) == least) return NDFT_OK;
    }
    *cells = ndft_padded_power(least);
    if (policy == NDFT_PADDED_POWER) return NDFT_OK;
    return ndft_convolve_length(b->arena.exec, b->prec, least, cells);
}

/* The tables, made in double: an axis' chirp is the factor on both sides. */
static void fill(const void *context, int64_t cells, double *filter)
{
    const ndft_bluestein_axis *a = context;
    const int64_t n = a->pass.length;
    ndft_chirp_fill(0, n, n, a->pass.sign, filter);
    for (int64_t i = 0; i < 2 * n; i++)
        ndft_put_real(a->before, a->convolve.fft[0].prec, i, filter[i]);
    ndft_chirp_filter(n, a->pass.sign, ndft_bluestein_loaded(a), ndft_bluestein_stored(a), cells,
                      filter);
}

static ndft_status make_axis(bluestein_plan *b, const int *knobs, int axis)
{
    ndft_bluestein_axis *a = &b->axis[axis];
    const int64_t n = a->pass.length;
    int64_t cells;
    NDFT_TRY(choose(b, axis, knobs[NDFT_BLUESTEIN_PADDED], &cells));
    NDFT_TRY(
        ndft_reserve(&b->arena, "the chirp", (size_t)n * 2 * ndft_real_size(b->prec), &a->before));
    a->after = a->before;
    return ndft_bluestein_axis_make(&b->arena, b->prec, cells, b->arena.exec->threads,
                                    knobs[NDFT_BLUESTEIN_RIGOR] == MEASURE, fill, a, a);
}

static ndft_status keep_lines(bluestein_plan *b)
{
    size_t most = 0;
    for (int i = 0; i < b->axes.passes; i++) {
        const ndft_bluestein_axis *a = &b->axis[i];
        const int64_t line = a->convolve.pitch * 2 * (int64_t)ndft_real_size(b->prec);
        const int64_t enough = (int64_t)a->convolve.threads * a->convolve.lanes;
        int64_t lines = (int64_t)a->convolve.threads * KEPT_BYTES / line / enough * enough;
        if (lines < enough) lines = enough;
        if (lines > ndft_bluestein_lines(a)) lines = ndft_bluestein_lines(a);
        b->kept_lines[i] = lines;
        if ((size_t)(lines * line) > most) most = (size_t)(lines * line);
    }
    return ndft_reserve(&b->arena, "padded lines", most, &b->kept);
}

static ndft_status make(bluestein_plan *b, const ndft_transform *t, const int *knobs)
{
    ndft_axes *axes = &b->axes;
    for (int i = 0; i < 2; i++)
        if (axes->room[i])
            NDFT_TRY(ndft_reserve(&b->arena, "an array between two axes",
                                  (size_t)axes->room[i] * 2 * ndft_real_size(b->prec),
                                  &axes->work[i]));
    for (int i = 0; i < axes->passes; i++) {
        b->axis[i].pass = axes->pass[i];
        b->axis[i].paired = ndft_pass_has_pairs(&axes->pass[i]);
        b->axis[i].mode = t->domain == NDFT_C2R ? t->dim - i : NDFT_MODE_N + i;
    }
    if (t->load) b->axis[0].loads = t;
    if (t->store) b->axis[axes->passes - 1].stores = t;
    for (int i = 0; i < axes->passes; i++) NDFT_TRY(make_axis(b, knobs, i));
    return b->count > 1 ? keep_lines(b) : NDFT_OK;
}

/* What a variant gives. */
typedef struct given {
    const ndft_bluestein_stages *stages;
    const int *knobs;
} given;

static ndft_status prepare(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)ops;
    bluestein_plan *b = state;
    const given *g = how;
    const ndft_transform *t = ndft_transform_of(p);
    b->prec = t->prec;
    b->axes = ndft_axes_of(t, true);
    b->count = g->stages->count;
    b->once = g->stages->once;
    b->names = g->stages->names;
    for (int s = 0; s < b->count; s++)
        b->run[s] = g->stages->loops[s][b->arena.exec->device.isa][p->prec];
    return make(b, t, g->knobs);
}

ndft_status ndft_bluestein_plan(const ndft_problem *p, const int *knobs, ndft_exec *exec,
                                const ndft_bluestein_stages *stages, void **out)
{
    static const ndft_host_recipe recipe = {sizeof(bluestein_plan), prepare,
                                            ndft_bluestein_destroy};
    return ndft_host_create(&recipe, p, &(given){stages, knobs}, 0, exec, out);
}

/* The next lines that are kept at a time; false when there are none left. */
static bool next(const bluestein_plan *b, int axis, ndft_bluestein_part *part)
{
    const int64_t lines = ndft_bluestein_lines(part->axis);
    const int64_t most = b->kept ? b->kept_lines[axis] : lines;
    part->first = part->end;
    part->end = lines - part->first < most ? lines : part->first + most;
    return part->first < lines;
}

ndft_status ndft_bluestein_execute(void *state, ndft_op op, const void *in, void *out)
{
    const bluestein_plan *b = state;
    const ndft_axes *axes = &b->axes;
    (void)op;
    if (axes->copies)
        memcpy(axes->work[0], in, (size_t)axes->room[0] * 2 * ndft_real_size(b->prec));
    for (int i = 0; i < axes->passes; i++) {
        ndft_bluestein_part part = {.axis = &b->axis[i],
                                    .from = ndft_pass_from(axes, i, in),
                                    .to = ndft_pass_to(axes, i, out),
                                    .kept = b->kept};
        while (next(b, i, &part)) {
            for (int s = part.first == 0 ? 0 : b->once; s < b->count; s++) {
                b->run[s](&part);
                ndft_mark(b->arena.exec, b->names[s]);
            }
        }
    }
    return NDFT_OK;
}

void ndft_bluestein_chosen(const void *state, char *text, size_t size)
{
    const bluestein_plan *b = state;
    int64_t cells[3];
    for (int i = 0; i < b->axes.passes; i++) cells[i] = b->axis[i].convolve.cells;
    text[0] = 0;
    ndft_chosen_add(text, size, "cells", cells, b->axes.passes);
}

void ndft_bluestein_destroy(void *state)
{
    bluestein_plan *b = state;
    for (int i = 0; i < b->axes.passes; i++) ndft_bluestein_axis_destroy(&b->axis[i]);
    ndft_arena_destroy(b);
}

ndft_cost ndft_bluestein_cost(const ndft_transform *t, const int *knob, double passes, double nodes)
{
    const ndft_axes axes = ndft_axes_of(t, true);
    const double real = (double)ndft_real_size(t->prec);
    const double copied = axes.copies ? (double)axes.room[0] * 4 * real : 0;
    ndft_cost cost = {.dram_bytes = copied, .l2_bytes = copied};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass *p = &axes.pass[i];
        const ndft_bluestein_axis axis = {.pass = *p, .paired = ndft_pass_has_pairs(p)};
        int64_t candidates[NDFT_PADDED_MOST];
        const int64_t least = ndft_bluestein_least(&axis);
        ndft_padded_candidates(least, candidates);
        const bool power = knob[NDFT_BLUESTEIN_PADDED] == NDFT_PADDED_POWER;
        const double cells = (double)(power ? ndft_padded_power(least) : candidates[0]);
        const double lines = (double)ndft_bluestein_lines(&axis);
        const double elements =
            (double)(p->in.count * (p->in.real ? 1 : 2) + p->out.count * (p->out.real ? 1 : 2));
        ndft_lines_cost(lines, cells, (double)least + 1, &cost);
        const double moved = (double)p->lines * real * elements;
        const double kept = passes * lines * real * 2 * cells;
        cost.dram_bytes += moved + (real * 2 * cells > KEPT_BYTES ? kept : 0);
        cost.l2_bytes += moved + kept;
        cost.launches += nodes;
    }
    return cost;
}
