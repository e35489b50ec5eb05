/* SPDX-License-Identifier: Apache-2.0 */
#include "forks.h"

#include <omp.h>
#include <pthread.h>

/* A forked process has but the thread that forked it, and OpenMP would wait there for its others
 * for ever. So they end before, and whoever needs some starts them anew. */
static void end_threads(void) { (void)omp_pause_resource_all(omp_pause_soft); }

static void end_threads_before_forks(void) { (void)pthread_atfork(end_threads, NULL, NULL); }

void ndft_take_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, end_threads_before_forks);
}
