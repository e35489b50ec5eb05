/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"

#include <string.h>

/*
 * Which task is whose. In 2D a thread has neighbouring rows, and the samples that lie in them, so
 * many that both together take as long as others': what it spread it transforms, and what it
 * transformed it reads. In 3D planes that many samples lie in would have to wait for one thread;
 * slices and stripes are there for whoever comes, interpolation has as many samples for each.
 */

/* What is before a row of a grid in 2D, in rows of windows. */
static double before(const ndft_host_nufft *h, const ndft_sorted *s, int64_t row)
{
    const double of_cell = 0.7; /* by measurement: of 0.7, 1.25 and 2 threads come together so */
    const int64_t tile = s->tile[1], stripe = row / tile;
    const int64_t begin = s->start[stripe * s->per_stripe];
    const int64_t next = row % tile ? s->start[(stripe + 1) * s->per_stripe] : begin;
    const double samples = (double)begin + (double)((next - begin) * (row % tile)) / (double)tile;
    return of_cell * (double)(row * h->grid.cells[0]) + h->window.width * samples;
}

/* The queue of rows first..end - 1. */
static int queue_of(const ndft_host_nufft *h, const ndft_sorted *s, int queues, int64_t first,
                    int64_t end)
{
    const int64_t cells = h->grid.cells[1];
    const int64_t middle = (first + (end < cells ? end : cells)) / 2;
    return (int)(queues * before(h, s, middle) / before(h, s, cells));
}

/* Tasks of neighbouring rows, `side` each, to the queues of these. */
static void share_rows(const ndft_host_nufft *h, const ndft_sorted *s, int64_t side, ndft_tasks *t)
{
    int32_t i = 0;
    for (int q = 0; q < t->queues; q++) {
        while (i < t->count && queue_of(h, s, t->queues, i * side, (i + 1) * side) < q) i++;
        t->begin[q] = i;
    }
}

/* To each queue the samples from where the rows before take as long as they should. */
static void share_samples(const ndft_host_nufft *h, const ndft_sorted *s, ndft_tasks *t)
{
    const int64_t cells = h->grid.cells[1];
    const double all = before(h, s, cells), rows = all - h->window.width * (double)h->samples;
    for (int q = 1; q < t->queues; q++) {
        const int64_t row = h->slices.begin[q] * ndft_slice_cells(&h->grid);
        const double samples =
            (all * q / t->queues - rows * (double)row / (double)cells) / h->window.width;
        const int32_t i = (int32_t)(samples / (double)ndft_portion_samples(h) + 0.5);
        t->begin[q] = i > t->begin[q - 1] ? i : t->begin[q - 1];
        if (t->begin[q] > t->count) t->begin[q] = (int32_t)t->count;
    }
}

/* Evenly, as long as nobody knows better. */
static ndft_status reserve_tasks(ndft_arena *arena, int64_t count, int queues, ndft_tasks *t)
{
    enum { LINE = 16 };
    const int64_t own = (queues + LINE) / LINE * LINE, all = 2 * own + count;
    void *memory;
    NDFT_TRY(ndft_reserve(arena, "tasks of threads", (size_t)all * sizeof *t->begin, &memory));
    memset(memory, 0, (size_t)all * sizeof *t->begin);
    *t = (ndft_tasks){count, queues, memory, (int32_t *)memory + own, (uint32_t *)memory + 2 * own};
    for (int q = 0; q <= queues; q++) t->begin[q] = (int32_t)(count * q / queues);
    return NDFT_OK;
}

ndft_status ndft_host_share(ndft_arena *arena, const ndft_sorted *s, bool adjoint,
                            ndft_host_nufft *h)
{
    const int axis = h->grid.dim - 1, threads = arena->exec->threads;
    const bool by_rows = axis == 1 && s->start;
    const int64_t side = ndft_slice_cells(&h->grid), portion = ndft_portion_samples(h);
    const int64_t stripes = s->start ? s->stripes : 0;
    void *round;
    NDFT_TRY(ndft_reserve(arena, "tasks of threads", sizeof *h->round, &round));
    h->round = memset(round, 0, sizeof *h->round);
    NDFT_TRY(reserve_tasks(arena, (h->grid.cells[axis] + side - 1) / side, by_rows ? threads : 1,
                           &h->slices));
    NDFT_TRY(reserve_tasks(arena, adjoint ? stripes : (h->samples + portion - 1) / portion,
                           by_rows || !adjoint ? threads : 1, &h->portions));
    if (by_rows) share_rows(h, s, side, &h->slices);
    if (by_rows && adjoint) share_rows(h, s, s->tile[1], &h->portions);
    if (by_rows && !adjoint) share_samples(h, s, &h->portions);
    return NDFT_OK;
}
