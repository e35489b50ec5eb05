/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

#include <pthread.h>

/* What threads share: one problem, of which each plans by estimate and by measuring while wisdom is
 * made and forgotten; and a device, where plans that are refused leave living ones as they are. All
 * results have the bits of a thread alone. */

enum { THREADS = 8, ROUNDS = 6 };

typedef struct worker {
    pthread_t thread;
    int number, faults;
    const small *s;
    ndft_problem *problem;
    const double complex *image, *alone;
} worker;

static int execute(const worker *w, ndft_plan *plan)
{
    double complex found[COILS * SAMPLES];
    memset(found, 0, sizeof found);
    return ndft_execute_host(plan, NDFT_FORWARD, w->image, found) ||
           memcmp(found, w->alone, sizeof found) != 0;
}

static const char *engine; /* the id of one that has the same bits every time */

static int by_estimate(const worker *w)
{
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = engine};
    ndft_plan *plan = NULL;
    int faults = ndft_plan_create(w->problem, NDFT_FORWARD, &o, &plan) || execute(w, plan);
    ndft_plan_destroy(plan);
    return faults;
}

/* Which engine it takes may differ from time to time, and so do bits. */
static int by_measuring(const worker *w)
{
    const ndft_plan_options o = {
        .struct_size = sizeof o, .mode = NDFT_MEASURE, .time_limit_s = 0.02};
    double complex found[COILS * SAMPLES];
    ndft_plan *plan = NULL;
    int faults = ndft_plan_create(w->problem, NDFT_FORWARD, &o, &plan) ||
                 ndft_execute_host(plan, NDFT_FORWARD, w->image, found) ||
                 !(small_error_forward(w->s, 1, found + SAMPLES) < 1e-9);
    ndft_plan_destroy(plan);
    return faults;
}

static void *share_a_problem(void *given)
{
    worker *w = given;
    for (int i = 0; i < ROUNDS; i++) {
        w->faults += by_estimate(w);
        w->faults += by_measuring(w);
        if ((i + w->number) % 3 == 0) ndft_wisdom_forget();
    }
    return NULL;
}

/* Of every odd thread: no memory, no such engine, values that are none. */
static int refused(const worker *w, ndft_plan *living)
{
    const ndft_plan_options little = {
        .struct_size = sizeof little, .memory_limit = 1, .variant = engine};
    const ndft_plan_options unknown = {.struct_size = sizeof unknown, .variant = "tilde.cpu"};
    const double nothing[SAMPLES] = {NAN};
    ndft_plan *plan;
    return (ndft_plan_create(w->problem, NDFT_FORWARD, &little, &plan) != NDFT_ENOMEM) +
           (ndft_plan_create(w->problem, NDFT_FORWARD, &unknown, &plan) != NDFT_EINVAL) +
           (ndft_plan_set_samples(living, SAMPLES, (const void *[]){nothing, nothing}, w->s->t) !=
            NDFT_EINVAL);
}

/* New values, and those before. */
static int changed(const worker *w, ndft_plan *plan)
{
    double other[SAMPLES];
    for (int j = 0; j < SAMPLES; j++) other[j] = 0.5 * w->s->kx[j] + 0.1 * w->number;
    return ndft_plan_set_samples(plan, SAMPLES, (const void *[]){other, w->s->ky}, w->s->t) ||
           ndft_plan_set_samples(plan, SAMPLES, w->s->desc.k, w->s->t);
}

static void *live_beside_faults(void *given)
{
    worker *w = given;
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = engine};
    ndft_plan *plan = NULL;
    if (ndft_plan_create(w->problem, NDFT_FORWARD, &o, &plan) != NDFT_OK) w->faults++;
    for (int i = 0; i < ROUNDS && plan; i++) {
        w->faults += w->number % 2 ? refused(w, plan) : changed(w, plan);
        w->faults += execute(w, plan);
    }
    ndft_plan_destroy(plan);
    return NULL;
}

static void in_threads(void *(*work)(void *))
{
    static small s;
    static worker workers[THREADS];
    static double complex image[COILS * GRID], alone[COILS * SAMPLES];
    engine = on_device("tiled");
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = engine};
    small_make(&s, 31);
    small_image(&s, image);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, &o);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, alone));
    ndft_plan_destroy(plan);
    ndft_problem *problem;
    must(ndft_problem_create(device, &s.desc, &problem));
    for (int i = 0; i < THREADS; i++) {
        workers[i] =
            (worker){.number = i, .s = &s, .problem = problem, .image = image, .alone = alone};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].faults, 0);
    }
    ndft_problem_destroy(problem);
}

static void a_problem(void **state)
{
    (void)state;
    in_threads(share_a_problem);
}

static void a_device_with_faults_of_others(void **state)
{
    (void)state;
    in_threads(live_beside_faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_problem),
                                       cmocka_unit_test(a_device_with_faults_of_others)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
