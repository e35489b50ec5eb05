/* SPDX-License-Identifier: Apache-2.0 */
#include "base/retained.h"
#include "device/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

static ndft_status from_heap(ndft_exec *exec, size_t bytes, void **memory)
{
    (void)exec;
    *memory = malloc(bytes);
    return *memory ? NDFT_OK : NDFT_ENOMEM;
}

static void to_heap(ndft_exec *exec, void *memory)
{
    (void)exec;
    free(memory);
}

static ndft_status fill(ndft_exec *exec, void *memory, int byte, size_t bytes)
{
    (void)exec;
    memset(memory, byte, bytes);
    return NDFT_OK;
}

static ndft_status get(ndft_exec *exec, void *host, const void *from, size_t bytes)
{
    (void)exec;
    memcpy(host, from, bytes);
    return NDFT_OK;
}

/* Each of a sequence gets what it had, whatever order it was released in. */
static void what_is_kept_is_given_by_name_age_and_size(void **state)
{
    (void)state;
    static const char *const names[] = {"grid", "table", "grid", "grid"};
    static const size_t sizes[] = {100, 10, 50, 100};
    ndft_pool pool = {.raw_alloc = from_heap, .raw_free = to_heap, .fill = fill, .get = get};
    ndft_error err;
    ndft_exec exec = {.device.backend = "cpu", .error = &err, .free_bytes = nothing_free};
    void *first[4], *again[4], *more;
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_ALL);
    for (int i = 0; i < 4; i++)
        assert_int_equal(ndft_pool_alloc(&pool, &exec, names[i], sizes[i], &first[i]), NDFT_OK);
    for (int i = 0; i < 4; i++) ndft_pool_release(&pool, &exec, first[(3 * i + 1) % 4]);
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_ROOM);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ndft_pool_alloc(&pool, &exec, names[i], sizes[i] - 9, &again[i]), NDFT_OK);
        assert_ptr_equal(again[i], first[i]);
    }
    assert_int_equal(exec.live_bytes, 260);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "table", 1, &more), NDFT_ENOMEM);
    assert_string_equal(err.message, "table needs 1 bytes, more than the plan keeps for it");
    ((char *)again[2])[41] = 0; /* past what was asked for, within what is kept */
    assert_int_equal(ndft_pool_check(&pool, &exec), NDFT_EDEVICE);
    ndft_pool_release(&pool, &exec, again[1]);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "table", 11, &more), NDFT_ENOMEM);
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_NONE);
    assert_int_equal(exec.live_bytes, 250);
    ndft_pool_clear(&pool, &exec);
    assert_int_equal(exec.live_bytes, 0);
}

/* What was taken since what becomes of memory was said stays. */
static void what_is_kept_for_long_goes(void **state)
{
    (void)state;
    ndft_pool pool = {.raw_alloc = from_heap, .raw_free = to_heap, .fill = fill, .get = get};
    ndft_error err;
    ndft_exec exec = {.device.backend = "cpu", .error = &err, .free_bytes = nothing_free};
    void *memory, *meanwhile, *more;
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_ALL);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "grid", 300, &memory), NDFT_OK);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "sums", 50, &meanwhile), NDFT_OK);
    ndft_pool_release(&pool, &exec, memory);
    ndft_pool_release(&pool, &exec, meanwhile);
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_ALL);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "grid", 400, &more), NDFT_OK);
    assert_int_equal(ndft_pool_alloc(&pool, &exec, "sums", 40, &meanwhile), NDFT_OK);
    ndft_pool_release(&pool, &exec, meanwhile);
    assert_int_equal(exec.live_bytes, 750);
    ndft_pool_trim(&pool, &exec);
    assert_int_equal(exec.live_bytes, 450);
    ndft_pool_clear(&pool, &exec);
    assert_int_equal(exec.live_bytes, 0);
}

static void free_one(ndft_retained *of) { of->users = -1; }

static void free_other(ndft_retained *of) { of->users = -2; }

/* What nobody has is freed when memory is kept no longer, or when its kind is to go. */
static void what_is_retained_goes_without_its_users(void **state)
{
    (void)state;
    ndft_pool pool = {.raw_alloc = from_heap, .raw_free = to_heap, .fill = fill, .get = get};
    ndft_exec exec = {.device.backend = "cpu"};
    ndft_retained a, b, c, d;
    ndft_retain(&exec, &a, free_one);
    ndft_let_go(&exec, &a);
    assert_int_equal(a.users, -1);
    assert_null(exec.kept);
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_ALL);
    ndft_retain(&exec, &a, free_one);
    ndft_retain(&exec, &b, free_other);
    ndft_retain(&exec, &c, free_one);
    ndft_retain(&exec, &d, free_one);
    ndft_let_go(&exec, &a);
    ndft_let_go(&exec, &b);
    ndft_let_go(&exec, &c);
    assert_int_equal(a.users + b.users + c.users, 0);
    c.users++;
    ndft_forget(&exec, free_one);
    assert_int_equal(a.users, -1);
    assert_int_equal(b.users, 0);
    ndft_pool_keep(&pool, &exec, NDFT_KEEP_NONE);
    assert_int_equal(b.users, -2);
    assert_int_equal(c.users + d.users, 2);
    ndft_let_go(&exec, &c);
    ndft_let_go(&exec, &d);
    assert_int_equal(c.users + d.users, -2);
    assert_null(exec.kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_told_in_bytes),
        cmocka_unit_test(a_lost_device_is_no_want_of_memory),
        cmocka_unit_test(what_is_kept_is_given_by_name_age_and_size),
        cmocka_unit_test(what_is_kept_for_long_goes),
        cmocka_unit_test(what_is_retained_goes_without_its_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
