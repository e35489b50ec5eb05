/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Devices, their memory and how long they live. */

#ifndef __has_feature
#define __has_feature(name) 0
#endif

/* A sanitizer looks by itself for what plans leave, and mallinfo2 knows nothing of its heap. */
enum { OFTEN = __has_feature(address_sanitizer) ? 1000 : 10000 };

static int blocks;
static size_t asked;

static void *take(size_t bytes, void *user)
{
    assert_ptr_equal(user, &blocks);
    blocks++;
    asked += bytes;
    return device_take(bytes);
}

static void put(void *memory, void *user)
{
    assert_ptr_equal(user, &blocks);
    blocks--;
    device_give(memory);
}

/* Of its copies, which count where the device's memory is the host's: one of the mask's maps on the
 * grid and one of its voxels, listed over the grid. */
static size_t problem_bytes(const small *s)
{
    const size_t real = sizeof(double);
    if (strcmp(device_name(), "cpu") != 0) return 0;
    return 3 * SAMPLES * real + GRID * (1 + real + sizeof(int)) + (size_t)s->voxels * real;
}

static void problems_count_where_memory_is_the_hosts(void **state)
{
    (void)state;
    static small s;
    size_t before, held, most;
    ndft_problem *problem;
    ndft_device_options o = {.struct_size = sizeof o};
    small_make(&s, 3);
    must(ndft_device_memory(device, &before, &most));
    must(ndft_problem_create(device, &s.desc, &problem));
    must(ndft_device_memory(device, &held, &most));
    assert_int_equal(held - before, problem_bytes(&s));
    ndft_problem_destroy(problem);
    must(ndft_device_memory(device, &held, &most));
    assert_int_equal(held, before);
    o.memory_limit = problem_bytes(&s) - 1;
    if (!problem_bytes(&s)) return;
    ndft_device *little;
    must(ndft_device_open(device_name(), &o, &little));
    assert_int_equal(ndft_problem_create(little, &s.desc, &problem), NDFT_ENOMEM);
    said("memory_limit=");
    must(ndft_device_memory(little, &held, &most));
    assert_int_equal(held, 0);
    ndft_device_close(little);
}

static void memory_of_the_caller(void **state)
{
    (void)state;
    static small s;
    static double complex image[COILS * GRID], samples[COILS * SAMPLES];
    ndft_device_options o = {
        .struct_size = sizeof o, .alloc = take, .release = put, .user = &blocks};
    ndft_device *kept = device;
    size_t held = 1, most = 0;
    small_make(&s, 7);
    small_image(&s, image);
    must(ndft_device_open(device_name(), &o, &device));
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, NULL);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    must(ndft_device_memory(device, &held, &most));
    assert_true(blocks > 0 && asked >= held - problem_bytes(&s) && held > 0 && most > held);
    assert_true(small_error_forward(&s, 0, samples) < 1e-9);
    ndft_device_close(device); /* the plan keeps it */
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    ndft_plan_destroy(plan);
    assert_int_equal(blocks, 0);
    o.release = NULL;
    assert_int_equal(ndft_device_open(device_name(), &o, &device), NDFT_EINVAL);
    said("alloc without release");
    device = kept;
}

/* A second plan like the first lacks one byte of what the device may give to both. */
static void a_limit_of_all_plans(void **state)
{
    (void)state;
    static small s;
    ndft_device *kept = device;
    ndft_device_options o = {.struct_size = sizeof o};
    const ndft_plan_options naive = {.struct_size = sizeof naive, .variant = on_device("naive")};
    ndft_problem *problem;
    ndft_plan *second;
    size_t held, most;
    small_make(&s, 10);
    must(ndft_device_open(device_name(), NULL, &device));
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, &naive);
    must(ndft_device_memory(device, &held, &most));
    ndft_plan_destroy(plan);
    ndft_device_close(device);
    o.memory_limit = 2 * held - 1;
    must(ndft_device_open(device_name(), &o, &device));
    plan = plan_of(&s, NDFT_FORWARD, &naive);
    must(ndft_problem_create(device, &s.desc, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &naive, &second), NDFT_ENOMEM);
    ndft_plan_destroy(plan);
    must(ndft_plan_create(problem, NDFT_FORWARD, &naive, &second));
    ndft_plan_destroy(second);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    device = kept;
}

static void devices(void **state)
{
    (void)state;
    ndft_device *d;
    ndft_device_options o = {.struct_size = sizeof o, .threads = -1};
    size_t held, most;
    assert_int_equal(ndft_device_open("cpuu", NULL, &d), NDFT_EINVAL);
    said("there is no device 'cpuu'; nearest: cpu");
    assert_int_equal(ndft_device_open("cpu:x", NULL, &d), NDFT_EINVAL);
    assert_int_equal(ndft_device_open("cpu:1", NULL, &d), NDFT_EDEVICE);
    said("no cpu device 1");
    assert_int_equal(ndft_device_open("cuda:99", NULL, &d), NDFT_EDEVICE);
    assert_int_equal(ndft_device_open("cpu", &o, &d), NDFT_EINVAL);
    said("threads=-1");
    o.threads = 0;
    o.stream = &o;
    assert_int_equal(ndft_device_open("cpu", &o, &d), NDFT_EINVAL);
    said("cpu has no streams");
    assert_null(d);
    o.stream = NULL;
    o.memory_limit = 4096;
    o.threads = 1;
    must(ndft_device_open("cpu", &o, &d));
    must(ndft_device_memory(d, &held, &most));
    assert_int_equal(held, 0);
    assert_int_equal(most, 4096);
    must(ndft_device_sync(d));
    assert_int_equal(ndft_device_sync(NULL), NDFT_EINVAL);
    assert_int_equal(ndft_device_memory(NULL, &held, &most), NDFT_EINVAL);
    assert_int_equal(ndft_device_memory(d, NULL, &most), NDFT_EINVAL);
    assert_int_equal(ndft_device_describe(NULL, NULL, 0), NDFT_EINVAL);
    assert_int_equal(ndft_device_describe(d, NULL, 5), NDFT_EINVAL);
    ndft_device_close(d);
    must(ndft_device_open("auto", NULL, &d));
    ndft_device_close(d);
    assert_string_equal(ndft_version(), "0.1.0");
}

/* In a process of its own, whose user may have one more thread at most. */
static int opens_with_few_threads(void)
{
    const struct rlimit few = {2, 2};
    const ndft_device_options one = {.struct_size = sizeof one, .threads = 1};
    const ndft_device_options many = {.struct_size = sizeof many, .threads = 16};
    enum { SOME_USER = 54321 };
    ndft_device *d;
    if (!getuid() && setuid(SOME_USER)) return 5;
    if (setrlimit(RLIMIT_NPROC, &few)) return 1;
    if (ndft_device_open("cpu", &many, &d) != NDFT_EINVAL || d) return 2;
    if (!strstr(ndft_message(), "OpenMP is to have 16 threads, and the process may have but"))
        return 3;
    return ndft_device_open("cpu", &one, &d) == NDFT_OK ? 0 : 4;
}

/* Memory that is free is none that the process may not have. */
static int tells_the_limit(void)
{
    const struct rlimit little = {1 << 30, 1 << 30};
    ndft_device *d;
    size_t held, most;
    if (ndft_device_open("cpu", NULL, &d) != NDFT_OK || setrlimit(RLIMIT_AS, &little)) return 1;
    return ndft_device_memory(d, &held, &most) == NDFT_OK && most < 1 << 30 ? 0 : 2;
}

static void limits_of_the_process(void **state)
{
    (void)state;
    int (*const within[])(void) = {opens_with_few_threads, tells_the_limit};
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        int status = -1;
        const pid_t child = fork();
        if (!child) _exit(within[i]());
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

/* Of the process, and of the device outside of what its plans hold. */
static void in_use(size_t *heap, size_t *on_device)
{
    const struct mallinfo2 info = mallinfo2();
    size_t held, most;
    must(ndft_device_memory(device, &held, &most));
    assert_int_equal(held, 0);
    *heap = info.uordblks + info.hblkhd;
    *on_device = most;
}

/* An exact engine, and now and then the one that is chosen, with its field map's terms; executed,
 * and some with new samples. What libraries keep for plans to come is there after the first
 * hundred.
 */
static void plan_often(const small *s, int times)
{
    const ndft_plan_options exact = {.struct_size = sizeof exact, .variant = on_device("tiled")};
    static double complex image[COILS * GRID], samples[COILS * SAMPLES];
    for (int i = 0; i < times; i++) {
        ndft_plan *plan = plan_of(s, NDFT_FORWARD | NDFT_ADJOINT, i % 10 ? &exact : NULL);
        must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
        if (i % 10 == 1) must(ndft_plan_set_samples(plan, SAMPLES, s->desc.k, s->t));
        ndft_plan_destroy(plan);
    }
}

static void ten_thousand_plans_leave_nothing(void **state)
{
    (void)state;
    const int plans = strcmp(device_name(), "cpu") ? 2000 : OFTEN; /* of a GPU take milliseconds */
    enum { SLACK = 1 << 16, DEVICE_SLACK = 16 << 20 };
    static small s;
    size_t heap[2], on_device[2];
    small_make(&s, 12);
    s.desc.tol = 1e-6;
    plan_often(&s, 100);
    in_use(&heap[0], &on_device[0]);
    plan_often(&s, plans);
    in_use(&heap[1], &on_device[1]);
    assert_true(heap[1] < heap[0] + SLACK);
    if (!is_of_the_host()) assert_true(on_device[1] + DEVICE_SLACK > on_device[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems_count_where_memory_is_the_hosts),
        cmocka_unit_test(memory_of_the_caller),
        cmocka_unit_test(a_limit_of_all_plans),
        cmocka_unit_test(devices),
        cmocka_unit_test(limits_of_the_process),
        cmocka_unit_test(ten_thousand_plans_leave_nothing),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
