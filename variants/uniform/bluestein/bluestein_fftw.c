/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"

#include "chirp.h"
#include "convolve/padded.h"

#include <math.h>
#include <stdlib.h>

enum { KEPT_BYTES = 64 << 20 }; /* of padded lines between stages, unless one takes more */

enum { MEASURE, ESTIMATE };

static const char *const lengths[] = {
    [NDFT_PADDED_AUTO] = "auto", [NDFT_PADDED_POWER] = "power", NULL};
static const char *const rigors[] = {"measure", "estimate", NULL};
static const char *const places[] = {"plan", "execute", NULL};

const ndft_knob ndft_bluestein_knobs[] = {
    {.name = "padded",
     .summary = "length of the convolution: the fastest when timed, or the next power of two",
     .words = lengths,
     .preset = NDFT_PADDED_AUTO,
     .n_candidates = 2,
     .candidates = {NDFT_PADDED_AUTO, NDFT_PADDED_POWER}},
    {.name = "rigor",
     .summary = "how FFTW chooses: by timing in plan, or by a guess",
     .words = rigors,
     .preset = MEASURE,
     .n_candidates = 2,
     .candidates = {MEASURE, ESTIMATE}},
    {.name = "chirp_fft",
     .summary = "where the chirp's transform is made",
     .words = places,
     .preset = NDFT_BLUESTEIN_IN_PLAN,
     .n_candidates = 2,
     .candidates = {NDFT_BLUESTEIN_IN_PLAN, NDFT_BLUESTEIN_IN_EXECUTE}},
};

static ndft_status choose(const ndft_bluestein *b, int axis, int policy, int64_t *cells)
{
    const int64_t length = b->axis[axis].pass.length, least = 2 * length - 1;
    for (int i = 0; i < axis; i++) {
        *cells = b->axis[i].convolve.cells;
        if (b->axis[i].pass.length == length) return NDFT_OK;
    }
    *cells = ndft_padded_power(least);
    if (policy == NDFT_PADDED_POWER) return NDFT_OK;
    return ndft_convolve_length(b->arena.exec, b->prec, least, cells);
}

/* The tables, made in double. */
static ndft_status fill(ndft_bluestein *b, ndft_bluestein_axis *a)
{
    ndft_error *error = b->arena.exec->error;
    const int64_t n = a->pass.length, cells = a->convolve.cells;
    NDFT_TRY(
        ndft_reserve(&b->arena, "the chirp", (size_t)n * 2 * ndft_real_size(b->prec), &a->before));
    a->after = a->before;
    double *filter = malloc((size_t)cells * 2 * sizeof *filter);
    if (!filter) return ndft_fail(error, NDFT_ENOMEM, "no memory for a chirp");
    ndft_chirp_fill(0, n, n, a->pass.sign, filter);
    for (int64_t i = 0; i < 2 * n; i++) ndft_put_real(a->before, b->prec, i, filter[i]);
    ndft_chirp_filter(n, a->pass.sign, cells, filter);
    const ndft_status status = ndft_convolve_batch_filter(&a->convolve, error, filter);
    free(filter);
    return status;
}

static ndft_status make_axis(ndft_bluestein *b, const int *knobs, int axis)
{
    ndft_bluestein_axis *a = &b->axis[axis];
    const ndft_pass *p = &a->pass;
    int64_t cells;
    NDFT_TRY(choose(b, axis, knobs[NDFT_BLUESTEIN_PADDED], &cells));
    const bool neighbours = p->lines > 1 && (p->in.stride > 1 || p->out.stride > 1);
    const bool measured = knobs[NDFT_BLUESTEIN_RIGOR] == MEASURE;
    NDFT_TRY(ndft_convolve_batch_make(&b->arena, b->prec, cells, neighbours, b->arena.exec->threads,
                                      measured, &a->convolve));
    return fill(b, a);
}

static ndft_status keep_lines(ndft_bluestein *b)
{
    size_t most = 0;
    for (int i = 0; i < b->axes.passes; i++) {
        const ndft_bluestein_axis *a = &b->axis[i];
        const int64_t line = a->convolve.pitch * 2 * (int64_t)ndft_real_size(b->prec);
        const int64_t enough = (int64_t)a->convolve.threads * a->convolve.lanes;
        int64_t lines = KEPT_BYTES / line / enough * enough;
        if (lines < enough) lines = enough;
        if (lines > a->pass.lines) lines = a->pass.lines;
        b->kept_lines[i] = lines;
        if ((size_t)(lines * line) > most) most = (size_t)(lines * line);
    }
    return ndft_reserve(&b->arena, "padded lines", most, &b->kept);
}

static ndft_status make(ndft_bluestein *b, const ndft_transform *t, const int *knobs, bool keeps)
{
    ndft_axes *axes = &b->axes;
    for (int i = 0; i < 2; i++)
        if (axes->room[i])
            NDFT_TRY(ndft_reserve(&b->arena, "an array between two axes",
                                  (size_t)axes->room[i] * 2 * ndft_real_size(b->prec),
                                  &axes->work[i]));
    for (int i = 0; i < axes->passes; i++) {
        b->axis[i].pass = axes->pass[i];
        b->axis[i].mode = t->domain == NDFT_C2R ? t->dim - i : NDFT_MODE_N + i;
    }
    if (t->load) b->axis[0].loads = t;
    if (t->store) b->axis[axes->passes - 1].stores = t;
    for (int i = 0; i < axes->passes; i++) NDFT_TRY(make_axis(b, knobs, i));
    return keeps ? keep_lines(b) : NDFT_OK;
}

ndft_status ndft_bluestein_make(ndft_exec *exec, const ndft_transform *t, const int *knobs,
                                bool keeps, ndft_bluestein *b)
{
    *b = (ndft_bluestein){.arena = {.exec = exec}, .prec = t->prec, .axes = ndft_axes_of(t, true)};
    const ndft_status status = make(b, t, knobs, keeps);
    ndft_fft_forget();
    return status;
}

void ndft_bluestein_release(ndft_bluestein *b)
{
    for (int i = 0; i < b->axes.passes; i++) ndft_convolve_batch_destroy(&b->axis[i].convolve);
    ndft_arena_release(&b->arena);
}

ndft_cost ndft_bluestein_cost(const ndft_transform *t, const int *knob, double passes, double nodes)
{
    const ndft_axes axes = ndft_axes_of(t, true);
    const double real = (double)ndft_real_size(t->prec);
    ndft_cost cost = {.dram_bytes = axes.copies ? (double)axes.room[0] * 4 * real : 0};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass *p = &axes.pass[i];
        int64_t candidates[NDFT_PADDED_MOST];
        const int64_t least = 2 * p->length - 1;
        ndft_padded_candidates(least, candidates);
        const bool power = knob[NDFT_BLUESTEIN_PADDED] == NDFT_PADDED_POWER;
        const double cells = (double)(power ? ndft_padded_power(least) : candidates[0]);
        const double lines = (double)p->lines;
        const double elements =
            (double)(p->in.count * (p->in.real ? 1 : 2) + p->out.count * (p->out.real ? 1 : 2));
        const double transforms = lines * 2 * 5 * cells * fmax(log2(cells), 1);
        const double products = lines * 4 * (cells + 2 * (double)p->length);
        cost.fma += transforms / 3 + products;
        cost.add += transforms / 3;
        cost.issue_slots += transforms + products;
        cost.dram_bytes += lines * real * (elements + passes * 2 * cells);
        cost.launches += nodes;
    }
    cost.l2_bytes = cost.dram_bytes;
    return cost;
}
