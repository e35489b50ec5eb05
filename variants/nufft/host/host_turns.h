/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TURNS_H
#define NDFT_NUFFT_HOST_TURNS_H

#include "host_tensor.h"

/*
 * Spreading without atomic additions: threads take stripes of tiles, of one colour after the other,
 * each when those of an earlier colour beside it are done. No two threads add to one cell at a
 * time, and a cell's sum has one order whatever the number of threads: one thread alone takes
 * stripes as they lie, so that what they share is in the cache.
 */

typedef void ndft_stripe_body(ndft_batch *, int64_t stripe);

/* Zeros what a stripe is the first to add to: it is in the cache then, and no thread waits for
 * others' zeros. */
static inline void ndft_clear_stripe(const ndft_batch *b, int64_t stripe)
{
    enum { PIECE = 1 << 10 }; /* which memset fills by vectors */
    const ndft_host_nufft *plan = b->plan;
    const ndft_host_grid *g = &plan->grid;
    const ndft_sorted *s = &plan->sorted;
    const int axis = g->dim > 1;
    const int64_t reach = axis ? plan->window.width - 1 : plan->window.row / 2;
    const int64_t line = ndft_stripe_line(s);
    const ndft_span rows = ndft_own_span(s, axis, stripe % line, reach, g->held[axis]);
    ndft_span planes = {0, 1};
    if (g->dim > 2) planes = ndft_own_span(s, 2, stripe / line, reach, g->held[2]);
    const int64_t bytes = (rows.end - rows.first) * g->step[axis] * 2 * (int64_t)sizeof(ndft_real);
    for (int c = 0; c < b->job->coils; c++)
        for (int64_t z = planes.first; z < planes.end; z++) {
            const int64_t at = c * g->size + z * g->step[2] + rows.first * g->step[axis];
            char *to = (char *)((ndft_real *)b->job->grid + 2 * at);
            for (int64_t i = 0; i < bytes; i += PIECE)
                memset(to + i, 0, (size_t)(bytes - i < PIECE ? bytes - i : PIECE));
        }
}

NDFT_INLINED void ndft_do_stripe(ndft_batch *b, int64_t stripe, ndft_stripe_body *add)
{
    ndft_clear_stripe(b, stripe);
    add(b, stripe);
}

/* Of so many in a row number i of 0 2 1 4 3 ... */
static inline int64_t ndft_odd_later(int64_t i, int64_t count)
{
    return i == 0 || (i % 2 && i + 1 == count) ? i : i % 2 ? i + 1 : i - 1;
}

NDFT_INLINED void ndft_in_turn(ndft_batch *b, ndft_stripe_body *add)
{
    const int64_t stripes = b->plan->sorted.stripes, line = ndft_stripe_line(&b->plan->sorted);
    for (int64_t i = 0; i < stripes; i++)
        ndft_do_stripe(
            b, ndft_odd_later(i / line, stripes / line) * line + ndft_odd_later(i % line, line),
            add);
}

NDFT_INLINED void ndft_in_stripes(const ndft_host_job *job, ndft_stripe_body *add)
{
    const ndft_sorted *s = &job->plan->sorted;
    const ndft_turns *t = &job->plan->turns;
    const ndft_tasks *tasks = &job->plan->portions;
    ndft_batch b = ndft_batch_of(job);
    if (omp_get_num_threads() == 1) {
        ndft_in_turn(&b, add);
        return;
    }
    for (int64_t at = 0, i; (i = ndft_take_task(tasks, &at)) >= 0;) {
        int64_t earlier[8];
        const int count = ndft_earlier_stripes(s, t->turn[i], earlier);
        for (int k = 0; k < count; k++) ndft_wait_for(&tasks->done[earlier[k]], job->round);
        ndft_do_stripe(&b, t->turn[i], add);
        ndft_task_is_done(tasks, t->turn[i], job->round);
    }
}

#endif
