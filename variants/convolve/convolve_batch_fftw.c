/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve_batch_fftw.h"

#include "base/now.h"
#include "padded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double try_seconds = 0.5, patience = 0.5; /* per FFTW plan; timing of lengths */
enum {
    BUFFER_BYTES = 1 << 19, /* of lines loaded together: with tables, half of a cache */
    WORTHWHILE = 4096,      /* cells from which on FFTW's trying out gains what it costs */
};

static int lanes_of(int64_t line_bytes, bool neighbours)
{
    const int64_t fitting = BUFFER_BYTES / line_bytes;
    if (!neighbours || fitting < 2) return 1;
    return fitting < NDFT_BATCH_LANES ? (int)fitting : NDFT_BATCH_LANES;
}

/* neighbours: a line's elements lie far apart and beside those of other lines, so that several
 * lines are loaded together. */
static ndft_status make(ndft_arena *arena, ndft_prec prec, int64_t cells, bool neighbours,
                        int threads, bool measured, ndft_convolve_batch *c)
{
    const size_t complex_size = 2 * ndft_real_size(prec);
    const double seconds =
        measured && cells > WORTHWHILE ? ndft_patience(arena->exec, try_seconds) : 0;
    *c = (ndft_convolve_batch){.threads = threads, .cells = cells};
    c->pitch = (cells + 7) / 8 * 8 + 8; /* aligned, no power of two, with room for pairs' factors */
    c->lanes = lanes_of(c->pitch * (int64_t)complex_size, neighbours);
    NDFT_TRY(
        ndft_reserve(arena, "the filter's spectrum", (size_t)cells * complex_size, &c->spectrum));
    NDFT_TRY(ndft_reserve(arena, "lines", (size_t)(threads * c->lanes * c->pitch) * complex_size,
                          &c->work));
    return ndft_fft_plan_pair(arena->exec->error, prec, cells, 1, seconds, c->work, c->fft);
}

/* The spectrum of filter, which is overwritten. */
static ndft_status set_filter(const ndft_convolve_batch *c, ndft_error *error, double *filter)
{
    const ndft_fft_lines line = {filter, 1, c->cells};
    ndft_fft fft;
    NDFT_TRY(ndft_fft_plan(error, NDFT_F64, -1, c->cells, 1, line, line, &fft));
    ndft_fft_run(&fft, filter, filter);
    ndft_fft_destroy(&fft);
    for (int64_t i = 0; i < 2 * c->cells; i++)
        ndft_put_real(c->spectrum, c->fft[0].prec, i, filter[i] / (double)c->cells);
    return NDFT_OK;
}

ndft_status ndft_bluestein_axis_make(ndft_arena *arena, ndft_prec prec, int64_t cells, int threads,
                                     bool measured, ndft_bluestein_fill *fill, const void *context,
                                     ndft_bluestein_axis *a)
{
    ndft_error *error = arena->exec->error;
    const ndft_pass *p = &a->pass;
    const bool neighbours = p->lines > 1 && (p->in.stride > 1 || p->out.stride > 1);
    NDFT_TRY(make(arena, prec, cells, neighbours, threads, measured, &a->convolve));
    double *filter = malloc((size_t)cells * 2 * sizeof *filter);
    if (!filter) return ndft_fail(error, NDFT_ENOMEM, "no memory for a chirp");
    fill(context, cells, filter);
    const ndft_status status = set_filter(&a->convolve, error, filter);
    free(filter);
    return status;
}

void ndft_bluestein_axis_destroy(ndft_bluestein_axis *a) { ndft_fft_destroy_pair(a->convolve.fft); }

/* The fastest of a few runs, which others can only slow down. */
static double best_of(const ndft_fft fft[2], void *line)
{
    const double enough = 2e-3;
    double best = INFINITY, spent = 0;
    for (int runs = 0; runs < 3 || (runs < 20 && spent < enough); runs++) {
        const double begin = ndft_now_s();
        ndft_fft_run(&fft[0], line, line);
        ndft_fft_run(&fft[1], line, line);
        const double seconds = ndft_now_s() - begin;
        best = fmin(best, seconds);
        spent += seconds;
    }
    return best;
}

typedef struct timer {
    ndft_exec *exec;
    ndft_prec prec;
} timer;

static ndft_status time_length(void *context, int64_t cells, double *seconds)
{
    const timer *t = context;
    ndft_exec *exec = t->exec;
    const size_t bytes = (size_t)cells * 2 * ndft_real_size(t->prec);
    ndft_fft fft[2] = {{0}};
    void *line;
    NDFT_TRY(exec->alloc(exec, "a line to time", bytes, &line));
    memset(line, 0, bytes);
    const ndft_status status = ndft_fft_plan_pair(exec->error, t->prec, cells, 1, 0, line, fft);
    if (status == NDFT_OK) *seconds = best_of(fft, line);
    ndft_fft_destroy_pair(fft);
    exec->release(exec, line);
    return status;
}

ndft_status ndft_convolve_length(ndft_exec *exec, ndft_prec prec, int64_t least, int64_t *cells)
{
    timer t = {exec, prec};
    return ndft_padded_choose(least, ndft_patience(exec, patience), time_length, &t, cells);
}
