/* SPDX-License-Identifier: Apache-2.0 */
#include "threads.h"

#include "memory/memory.h"

#include <dirent.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

ndft_status ndft_openmp_threads(int *threads, ndft_error *err)
{
    *threads = omp_get_max_threads();
    if (*threads <= NDFT_MOST_THREADS) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "OpenMP is to have %d threads (OMP_NUM_THREADS); nearest: %d", *threads,
                     NDFT_MOST_THREADS);
}

/* Threads of the process. */
static int running(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = -2; /* the folder itself, and what it is in */
    while (tasks && readdir(tasks)) n++;
    if (tasks) closedir(tasks);
    return n > 0 ? n : 1;
}

static void *pass(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many of the threads wanted can be at once beside so many bytes of addresses, tried out; where
 * there is no limit, bytes are more than can be, and none are kept. Where OpenMP's have stacks of a
 * size of their own, these have the least. */
static int started(int wanted, size_t bytes)
{
    void *kept = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = malloc(sizeof *threads * (size_t)wanted);
    int n = 0;
    pthread_attr_init(&attributes);
    if (getenv("OMP_STACKSIZE")) pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_mutex_lock(&gate);
    while (threads && n < wanted && !pthread_create(&threads[n], &attributes, pass, &gate)) n++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    if (kept != MAP_FAILED) munmap(kept, bytes);
    return n;
}

ndft_status ndft_threads_start(int threads, const char *name, ndft_error *err)
{
    const int there = running(), wanted = threads - there;
    const size_t left = ndft_addresses_left();
    /* Data need an eighth of it; the number that is named leaves a quarter. */
    if (wanted <= 0 || started(wanted, left / 8) == wanted) return NDFT_OK;
    const int most = there + started(wanted, left / 4);
    return ndft_fail(
        err, NDFT_EINVAL,
        "OpenMP is to have %d threads, and the process may have but %d (ulimit -u, -v, "
        "or its container's limit); nearest: %s=%d",
        threads, most, name, most);
}
