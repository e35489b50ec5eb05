/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_SCAN_H
#define NDFT_TEST_SCAN_H

#include "device_memory.h"

/* Plans that get new values, on devices whose memory is counted. */

/* Memory of which the user counts how often it was taken. */
static inline void *counted(size_t bytes, void *user)
{
    ++*(int *)user;
    return device_take(bytes);
}

static inline void uncounted(void *memory, void *user)
{
    (void)user;
    device_give(memory);
}

/* Whose plans take memory that is counted. */
static inline ndft_device *counting_device(int *taken)
{
    ndft_device *counting;
    const ndft_device_options o = {
        .struct_size = sizeof o, .alloc = counted, .release = uncounted, .user = taken};
    must(ndft_device_open(device_name(), &o, &counting));
    return counting;
}

enum { SIDE = 32, MOST = 700 };

typedef struct scan {
    float k[2][8 * MOST], t[8 * MOST], field[SIDE * SIDE];
    ndft_problem_desc desc;
} scan;

/* A spiral that turns so often, off resonance by up to so many rad/s. */
static inline void acquire(scan *s, int samples, double turns, double off)
{
    for (int j = 0; j < samples; j++) {
        const double a = (j + 0.5) / samples;
        s->k[0][j] = (float)(15 * a * cos(2 * M_PI * turns * a));
        s->k[1][j] = (float)(15 * a * sin(2 * M_PI * turns * a));
        s->t[j] = (float)(0.01 * a);
    }
    for (int v = 0; v < SIDE * SIDE; v++) s->field[v] = (float)(off * sin(0.05 * v));
    s->desc = (ndft_problem_desc){.struct_size = sizeof s->desc,
                                  .dim = 2,
                                  .n = {SIDE, SIDE},
                                  .n_samples = samples,
                                  .k = {s->k[0], s->k[1]},
                                  .t = s->t,
                                  .field = s->field};
}

/* A nonuniform FFT where the device has them, else exact sums. */
static inline ndft_plan *plan_on(ndft_device *on, const scan *s, const scan *capacity)
{
    ndft_problem *problem, *most = NULL;
    ndft_plan *plan;
    must(ndft_problem_create(on, &s->desc, &problem));
    if (capacity) must(ndft_problem_create(on, &capacity->desc, &most));
    const ndft_plan_options o = {.struct_size = sizeof o,
                                 .variant = on_device(has_fft() ? "nufft_hybrid" : "tiled"),
                                 .capacity = most};
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
    ndft_problem_destroy(problem);
    ndft_problem_destroy(most);
    return plan;
}

/* Forward, and back. */
static inline void both_ways(ndft_device *on, ndft_plan *plan, float complex *samples,
                             float complex *back)
{
    static float complex m[SIDE * SIDE];
    float complex *image = device_take(sizeof m), *there = device_take(8 * MOST * sizeof *there);
    for (int v = 0; v < SIDE * SIDE; v++) m[v] = (float complex)mixed(v);
    device_copy(image, m, sizeof m);
    must(ndft_execute(plan, NDFT_FORWARD, image, there));
    must(ndft_execute(plan, NDFT_ADJOINT, there, image));
    must(ndft_device_sync(on));
    device_copy(samples, there, 8 * MOST * sizeof *there);
    device_copy(back, image, sizeof m);
    device_give(image);
    device_give(there);
}

/* What a plan gives is what one gives that was made of these values. */
static inline void as_if_new(ndft_device *of, ndft_device *on, ndft_plan *plan, const scan *s)
{
    static float complex samples[2][8 * MOST], back[2][SIDE * SIDE];
    ndft_plan *fresh = plan_on(on, s, NULL);
    both_ways(of, plan, samples[0], back[0]);
    both_ways(on, fresh, samples[1], back[1]);
    assert_memory_equal(samples[0], samples[1], (size_t)s->desc.n_samples * sizeof *samples[0]);
    assert_memory_equal(back[0], back[1], sizeof back[0]);
    ndft_plan_destroy(fresh);
}

static inline void set(ndft_plan *plan, const scan *s)
{
    must(ndft_plan_set_samples(plan, s->desc.n_samples, s->desc.k, s->t));
    must(ndft_plan_set_field(plan, s->field));
}

static inline size_t held_by(ndft_device *on)
{
    size_t held, most;
    must(ndft_device_memory(on, &held, &most));
    return held;
}

#endif
