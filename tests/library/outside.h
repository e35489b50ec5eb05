/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTSIDE_H
#define NDFT_OUTSIDE_H

#include "small_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* For programs that see the library from outside: linked to libndft.so and to nothing else of the
 * project. NDFT_TEST_DEVICE names another device than the processor. */

static ndft_device *device;

static inline void said(const char *words)
{
    if (!strstr(ndft_message(), words)) fail_msg("'%s' lacks '%s'", ndft_message(), words);
}

/* What is described so is no problem, for this reason. */
static inline void refused_problem(const small *s, const char *words)
{
    ndft_problem *problem;
    assert_int_equal(ndft_problem_create(device, &s->desc, &problem), NDFT_EINVAL);
    assert_null(problem);
    said(words);
}

static inline double complex_norm(const double complex *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += creal(x[i] * conj(x[i]));
    return sqrt(sum);
}

/* From double to the precision and back. */
static inline void to_prec(ndft_prec prec, const double complex *from, int64_t n, void *to)
{
    for (int64_t i = 0; i < n; i++) {
        ndft_put_real(to, prec, 2 * i, creal(from[i]));
        ndft_put_real(to, prec, 2 * i + 1, cimag(from[i]));
    }
}

static inline double complex complex_at(const void *values, ndft_prec prec, int64_t i)
{
    return ndft_real_at(values, prec, 2 * i) + I * ndft_real_at(values, prec, 2 * i + 1);
}

static inline void must(ndft_status status)
{
    if (status != NDFT_OK) fail_msg("%s", ndft_message());
}

static inline ndft_plan *plan_of(const small *s, unsigned ops, const ndft_plan_options *options)
{
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_problem_create(device, &s->desc, &problem));
    must(ndft_plan_create(problem, ops, options, &plan));
    ndft_problem_destroy(problem); /* the plan keeps it */
    return plan;
}

/* Both operations are those of s as it is now. */
static inline void expect_sums(const small *s, ndft_plan *plan)
{
    static double complex image[COILS * GRID], samples[COILS * SAMPLES], back[COILS * GRID];
    small_image(s, image);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    must(ndft_execute_host(plan, NDFT_ADJOINT, s->kspace, back));
    for (int c = 0; c < COILS; c++) {
        assert_true(small_error_forward(s, c, samples + c * SAMPLES) < 1e-9);
        assert_true(small_error_adjoint(s, c, back + c * s->voxels) < 1e-9);
    }
}

/* Voxels come back with the maps that were described there. The plan is destroyed. */
static inline void expect_new_masks(small *s, ndft_plan *plan)
{
    for (int step = 2; step < 5; step++) {
        small_mask_every(s, step);
        must(ndft_plan_set_mask(plan, s->mask));
        expect_sums(s, plan);
    }
    ndft_plan_destroy(plan);
}

static inline const char *device_name(void)
{
    const char *name = getenv("NDFT_TEST_DEVICE");
    return name ? name : "cpu";
}

/* Whether the device has fast transforms: not the stand-in, nor a processor without a host's FFT.
 */
static inline bool has_fft(void)
{
    const char *fft = getenv("NDFT_HOST_FFT");
    if (strcmp(device_name(), "cpu") != 0) return !getenv("NDFT_CUDA");
    return !fft || strcmp(fft, "none") != 0;
}

/* The id of a variant on the device. */
static inline const char *on_device(const char *name)
{
    static char id[64];
    snprintf(id, sizeof id, "%s.%.*s", name, (int)strcspn(device_name(), ":"), device_name());
    return id;
}

/* Another device than the processor may be missing: then nothing is tested. */
static inline int open_device(void **state)
{
    enum { SKIPPED = 77 };
    (void)state;
    const ndft_status status = ndft_device_open(device_name(), NULL, &device);
    if (status == NDFT_OK) return 0;
    const bool may_be_missing = status == NDFT_EDEVICE && getenv("NDFT_TEST_DEVICE");
    printf("%s%s\n", may_be_missing ? "skipped: " : "", ndft_message());
    if (may_be_missing) exit(SKIPPED);
    return -1;
}

static inline int close_device(void **state)
{
    (void)state;
    ndft_device_close(device);
    return 0;
}

#endif
