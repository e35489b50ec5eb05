/* SPDX-License-Identifier: Apache-2.0 */
#include "guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The pool over memory that is not to be had. */

static ndft_status answer;

static ndft_status refuse(ndft_exec *exec, size_t bytes, void **memory)
{
    (void)bytes;
    (void)memory;
    return answer == NDFT_ENOMEM ? answer : ndft_fail(exec->error, answer, "the device is lost");
}

static size_t nothing_free(ndft_exec *exec)
{
    (void)exec;
    return 7;
}

static ndft_status allocate(size_t bytes, ndft_error *err)
{
    ndft_pool pool = {.raw_alloc = refuse};
    ndft_exec exec = {.device.backend = "cpu", .error = err, .free_bytes = nothing_free};
    void *memory;
    ndft_status status = ndft_pool_alloc(&pool, &exec, "a table", bytes, &memory);
    assert_null(memory);
    assert_null(pool.blocks);
    assert_int_equal(exec.live_bytes, 0);
    return status;
}

static void too_little_memory_is_told_in_bytes(void **state)
{
    (void)state;
    ndft_error err;
    answer = NDFT_ENOMEM;
    assert_int_equal(allocate(1000, &err), NDFT_ENOMEM);
    assert_string_equal(err.message, "a table needs 1000 bytes of cpu memory, 7 are free");
    assert_int_equal(allocate(SIZE_MAX, &err), NDFT_ENOMEM);
}

/* Else a variant that lost the device would be called unsupported, and all after it, too. */
static void a_lost_device_is_no_want_of_memory(void **state)
{
    (void)state;
    ndft_error err;
    answer = NDFT_EDEVICE;
    assert_int_equal(allocate(1000, &err), NDFT_EDEVICE);
    assert_string_equal(err.message, "the device is lost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_told_in_bytes),
        cmocka_unit_test(a_lost_device_is_no_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
