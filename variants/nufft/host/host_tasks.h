/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TASKS_H
#define NDFT_NUFFT_HOST_TASKS_H

#include "host_meet.h"

/*
 * What the threads of a team share out. Each has a queue of tasks that it empties first, the same
 * ones each time, so that its caches hold what they are about; then it takes from the others'. Who
 * needs what other tasks do waits for these alone.
 */

typedef struct ndft_tasks {
    int64_t count;
    int queues;
    int32_t *begin; /* [queues + 1] the first task of each queue */
    int32_t *next;  /* [queues] the task that is taken next: all in a line, or a few */
    uint32_t *done; /* [count] the round in which each was last done */
} ndft_tasks;

/* Before a team begins a round. */
static inline void ndft_begin_tasks(const ndft_tasks *t)
{
    for (int q = 0; q < t->queues; q++) t->next[q] = t->begin[q];
}

/* A task that nobody has taken, -1 where there is none. *at is 0 for the first. One thread alone
 * takes them in their order. */
static inline int64_t ndft_take_task(const ndft_tasks *t, int64_t *at)
{
    if (omp_get_num_threads() == 1) return *at < t->count ? (*at)++ : -1;
    for (; *at < t->queues; ++*at) {
        const int64_t q = (omp_get_thread_num() + *at) % t->queues;
        if (__atomic_load_n(&t->next[q], __ATOMIC_RELAXED) >= t->begin[q + 1]) continue;
        const int32_t task = __atomic_fetch_add(&t->next[q], 1, __ATOMIC_RELAXED);
        if (task < t->begin[q + 1]) return task;
    }
    return -1;
}

static inline void ndft_task_is_done(const ndft_tasks *t, int64_t task, uint32_t round)
{
    if (round) __atomic_store_n(&t->done[task], round, __ATOMIC_RELEASE);
}

/* Until those are done that have cells first..end - 1 of an axis, modulo its period; side: of each
 * row of tasks. */
static inline void ndft_wait_for_cells(const ndft_tasks *t, uint32_t round, int64_t first,
                                       int64_t end, int64_t side, int64_t cells)
{
    const int64_t line = t->count / ((cells + side - 1) / side);
    if (omp_get_num_threads() == 1) return;
    if (first < 0) ndft_wait_for_cells(t, round, first + cells, cells, side, cells);
    if (end > cells) ndft_wait_for_cells(t, round, 0, end - cells, side, cells);
    const int64_t begin = first < 0 ? 0 : first / side, last = end > cells ? cells : end;
    for (int64_t i = begin * line; i < (last + side - 1) / side * line; i++)
        ndft_wait_for(&t->done[i], round);
}

#endif
