/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GROUPED_H
#define NDFT_GROUPED_H

#include "device_memory.h"

/* The small problem by groups, on the device that NDFT_TEST_DEVICE names as many times as there are
 * to be, or on those that it names with commas between, in turn. */

enum { MOST = 8, NORMAL_TOO = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL };

/* Names of devices, in turn. */
static inline const char *name_of(int i)
{
    static char names[256];
    static const char *name[MOST];
    static int n;
    char *rest = NULL;
    if (!n) {
        const char *given = getenv("NDFT_TEST_DEVICE");
        snprintf(names, sizeof names, "%s", given ? given : "cpu");
        for (char *one = strtok_r(names, ",", &rest); one && n < MOST;
             one = strtok_r(NULL, ",", &rest))
            name[n++] = one;
    }
    return name[i % n];
}

static inline int open_first(void **state)
{
    (void)state;
    const ndft_status status = ndft_device_open(name_of(0), NULL, &device);
    if (status == NDFT_OK) return 0;
    printf("skipped: %s\n", ndft_message());
    exit(status == NDFT_EDEVICE ? 77 : 1);
}

static inline ndft_status try_group(int n, int parts, const ndft_device_options *each,
                                    ndft_group **group)
{
    const char *names[NDFT_MOST_PARTS + 1];
    for (int i = 0; i <= NDFT_MOST_PARTS; i++) names[i] = name_of(i);
    return ndft_group_create(n, names, parts, each, group);
}

static inline ndft_group_plan *group_plan(const small *s, int n, int parts, unsigned ops,
                                          ndft_group_split split, const ndft_plan_options *each)
{
    const ndft_group_plan_options o = {.struct_size = sizeof o, .split = split, .each = each};
    ndft_group *group;
    ndft_problem *problem;
    ndft_group_plan *plan;
    must(try_group(n, parts, NULL, &group));
    must(ndft_problem_create(device, &s->desc, &problem));
    must(ndft_group_plan_create(group, problem, ops, &o, &plan));
    ndft_problem_destroy(problem); /* the plan keeps both */
    ndft_group_destroy(group);
    return plan;
}

static inline int64_t length_of(const small *s, ndft_op op, bool in)
{
    const bool samples = op == (in ? NDFT_ADJOINT : NDFT_FORWARD);
    return samples ? COILS * SAMPLES : (s->desc.maps ? 1 : COILS) * s->voxels;
}

/* Of a whole vector what a part has, or back. */
static inline void move_part(const small *s, const ndft_group_part *part, int64_t length, int coils,
                             double complex *whole, double complex *own, bool back)
{
    const bool planar = s->desc.layout == NDFT_PLANAR;
    for (int c = 0; c < part->coils; c++)
        for (int64_t i = 0; i < part->length; i++) {
            const int64_t e = part->first + i, at = part->first_coil + c;
            double complex *there = whole + (planar ? at * length + e : e * coils + at);
            double complex *here = own + (planar ? c * part->length + i : i * part->coils + c);
            *(back ? there : here) = *(back ? here : there);
        }
}

/* Each device with what it has, in memory of the first, which all of the test reach. What is the
 * same part on all, as a sum, is the same in every bit. */
static inline void execute_parts(const small *s, ndft_group_plan *plan, int n, ndft_op op,
                                 double complex *in, double complex *out)
{
    static double complex own[COILS * GRID], first[COILS * GRID];
    const int images = s->desc.maps ? 1 : COILS;
    ndft_group_part of_in[MOST], of_out[MOST];
    void *from[MOST] = {NULL}, *to[MOST] = {NULL};
    const bool adjoint = op == NDFT_ADJOINT, forward = op == NDFT_FORWARD;
    for (int i = 0; i < n; i++) {
        must(ndft_group_part_of(plan, op, i, false, &of_in[i]));
        must(ndft_group_part_of(plan, op, i, true, &of_out[i]));
        from[i] = device_take(sizeof own);
        to[i] = device_take(sizeof own);
        move_part(s, &of_in[i], adjoint ? SAMPLES : s->voxels, adjoint ? COILS : images, in, own,
                  false);
        device_copy(from[i], own, sizeof own);
    }
    must(ndft_group_execute_parts(plan, op, (const void *const *)from, to));
    for (int i = 0; i < n; i++) {
        device_copy(own, to[i], sizeof own);
        if (i == 0) memcpy(first, own, sizeof own);
        if (!memcmp(&of_out[i], &of_out[0], sizeof of_out[i]))
            assert_memory_equal(own, first,
                                (size_t)of_out[i].coils * (size_t)of_out[i].length * sizeof *own);
        move_part(s, &of_out[i], forward ? SAMPLES : s->voxels, forward ? COILS : images, out, own,
                  true);
        device_give(from[i]);
        device_give(to[i]);
    }
}

static inline void fill(double complex *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) x[i] = mixed((int)i);
}

/* In host memory, and in memory of the first device. */
static inline void execute_both(const small *s, ndft_group_plan *plan, ndft_op op,
                                const double complex *in, double complex *out)
{
    static double complex other[COILS * GRID];
    const size_t bytes_in = (size_t)length_of(s, op, true) * sizeof *in;
    const size_t bytes_out = (size_t)length_of(s, op, false) * sizeof *out;
    void *from = device_take(bytes_in), *to = device_take(bytes_out);
    device_copy(from, in, bytes_in);
    must(ndft_group_execute_host(plan, op, in, out));
    must(ndft_group_execute(plan, op, from, to));
    device_copy(other, to, bytes_out);
    assert_memory_equal(out, other, bytes_out);
    device_give(from);
    device_give(to);
}

#endif
