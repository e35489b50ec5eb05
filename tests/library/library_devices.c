/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* Devices, their memory and how long they live. */

static int blocks;
static size_t asked;

static void *take(size_t bytes, void *user)
{
    assert_ptr_equal(user, &blocks);
    blocks++;
    asked += bytes;
    void *memory = NULL;
    return posix_memalign(&memory, 256, bytes) ? NULL : memory;
}

static void put(void *memory, void *user)
{
    assert_ptr_equal(user, &blocks);
    blocks--;
    free(memory);
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
    must(ndft_device_open("cpu", &o, &device));
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, NULL);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    must(ndft_device_memory(device, &held, &most));
    assert_true(blocks > 0 && asked >= held && held > 0 && most > held);
    assert_true(small_error_forward(&s, 0, samples) < 1e-9);
    ndft_device_close(device); /* the plan keeps it */
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    ndft_plan_destroy(plan);
    assert_int_equal(blocks, 0);
    o.release = NULL;
    assert_int_equal(ndft_device_open("cpu", &o, &device), NDFT_EINVAL);
    said("alloc without release");
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
    assert_int_equal(ndft_device_open("cpu:1", NULL, &d), NDFT_EINVAL);
    said("no cpu device 1");
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
    ndft_device_close(d);
    must(ndft_device_open("auto", NULL, &d));
    ndft_device_close(d);
    assert_string_equal(ndft_version(), "0.1.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_caller),
        cmocka_unit_test(devices),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
