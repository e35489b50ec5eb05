/* SPDX-License-Identifier: Apache-2.0 */
#include "small_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processes that are forked execute the plans that they find, and make their own. */

enum { IN_TIME = 60 };

static bool is_right(ndft_plan *plan, const small *s)
{
    static double complex image[COILS * GRID], samples[COILS * SAMPLES];
    small_image(s, image);
    if (ndft_execute_host(plan, NDFT_FORWARD, image, samples) != NDFT_OK) return false;
    return small_error_forward(s, COILS - 1, samples + (COILS - 1) * SAMPLES) < 1e-9;
}

static ndft_plan *made(ndft_device *device, const small *s)
{
    ndft_problem *problem;
    ndft_plan *plan = NULL;
    if (ndft_problem_create(device, &s->desc, &problem) != NDFT_OK) return NULL;
    (void)ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan);
    ndft_problem_destroy(problem);
    return plan;
}

static void a_child_has_threads(void **state)
{
    (void)state;
    static small s;
    const ndft_device_options two = {.struct_size = sizeof two, .threads = 2};
    ndft_device *device;
    int status = -1;
    small_make(&s, 1);
    assert_int_equal(ndft_device_open("cpu", &two, &device), NDFT_OK);
    ndft_plan *plan = made(device, &s);
    assert_true(plan && is_right(plan, &s));
    const pid_t child = fork();
    if (!child) {
        alarm(IN_TIME); /* a thread that waits for others that there are not waits for ever */
        ndft_plan *own = is_right(plan, &s) ? made(device, &s) : NULL;
        _exit(own && is_right(own, &s) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(is_right(plan, &s));
    ndft_plan_destroy(plan);
    ndft_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_has_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
