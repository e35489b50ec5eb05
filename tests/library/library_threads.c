/* SPDX-License-Identifier: Apache-2.0 */
#include "small_problem.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Eight threads, each with plans of its own, made, executed and destroyed while the others do the
 * same, on one device or dealt over those that NDFT_TEST_DEVICE names with commas between; messages
 * are each thread's own. All results have the bits of a thread alone. */

enum { THREADS = 8, ROUNDS = 12, MOST_DEVICES = 8, SKIPPED = 77 };

typedef struct worker {
    pthread_t thread;
    int seed, faults;
    ndft_device *device;
    small s;
    double complex image[COILS * GRID], alone[COILS * SAMPLES], found[COILS * SAMPLES];
} worker;

static int forward(worker *w, double complex *samples)
{
    const ndft_plan_options o = {.struct_size = sizeof o, .deterministic = true};
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL, *clone = NULL;
    const int failed = ndft_problem_create(w->device, &w->s.desc, &problem) ||
                       ndft_plan_create(problem, NDFT_FORWARD, &o, &plan) ||
                       ndft_plan_clone(plan, &clone) ||
                       ndft_execute_host(clone, NDFT_FORWARD, w->image, samples);
    ndft_plan_destroy(clone);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return failed;
}

static pthread_barrier_t all_have_failed;

/* Of a fault that no other thread has, asked for once all have theirs. */
static int own_message(worker *w)
{
    char words[32];
    ndft_problem *problem;
    ndft_problem_desc desc = w->s.desc;
    desc.coils = 1000 + w->seed;
    snprintf(words, sizeof words, "coils=%d;", desc.coils);
    const ndft_status status = ndft_problem_create(w->device, &desc, &problem);
    pthread_barrier_wait(&all_have_failed);
    return status != NDFT_EINVAL || !strstr(ndft_message(), words);
}

static void *work(void *given)
{
    worker *w = given;
    for (int i = 0; i < ROUNDS; i++) {
        memset(w->found, 0, sizeof w->found);
        w->faults += own_message(w);
        w->faults += forward(w, w->found);
        w->faults += memcmp(w->found, w->alone, sizeof w->alone) != 0;
    }
    return NULL;
}

static int open_devices(const char *names, ndft_device *devices[])
{
    char copy[256], *rest = NULL;
    int n = 0;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, ",", &rest); name && n < MOST_DEVICES;
         name = strtok_r(NULL, ",", &rest))
        if (ndft_device_open(name, NULL, &devices[n++]) != NDFT_OK) return 0;
    return n;
}

int main(void)
{
    static worker workers[THREADS];
    const char *name = getenv("NDFT_TEST_DEVICE");
    ndft_device *devices[MOST_DEVICES] = {NULL};
    int faults = 0;
    const int n = open_devices(name ? name : "cpu", devices);
    if (!n) {
        printf("%s%s\n", name ? "skipped: " : "", ndft_message());
        return name ? SKIPPED : 1;
    }
    for (int i = 0; i < THREADS; i++) {
        worker *w = &workers[i];
        w->seed = i;
        w->device = devices[i % n];
        small_make(&w->s, i);
        small_image(&w->s, w->image);
        faults += forward(w, w->alone);
        for (int c = 0; c < COILS; c++)
            faults += !(small_error_forward(&w->s, c, w->alone + c * SAMPLES) < 1e-9);
    }
    pthread_barrier_init(&all_have_failed, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        faults += pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        faults += workers[i].faults;
    }
    for (int i = 0; i < n; i++) ndft_device_close(devices[i]);
    printf("%d threads on %d devices, %d rounds, %d faults\n", THREADS, n, ROUNDS, faults);
    return faults ? 1 : 0;
}
