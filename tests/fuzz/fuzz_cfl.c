/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "files/cfl.h"
#include "files/role.h"

#include <string.h>

/* The input is a .hdr file up to its first zero and the .cfl file behind it. What is read is
 * written and read again as the same, and a case's trajectory or data only of its own shape. */

static void write_and_read(const ndft_array *a, ndft_arena *arena)
{
    ndft_array again;
    ndft_error err = {0};
    const char *path = fuzz_path("again.hdr");
    fuzz_path("again.cfl");
    fuzz_holds(ndft_cfl_write(path, a, &err) == NDFT_OK, "not written: %s", err.message);
    fuzz_holds(ndft_cfl_read(path, arena, &again, &err) == NDFT_OK, "unread: %s", err.message);
    fuzz_holds(!memcmp(again.shape, a->shape, sizeof a->shape) &&
                   !memcmp(again.data, a->data, 8 * (size_t)ndft_array_count(a)),
               "another array after writing");
}

static void read_as(const ndft_role *role, const char *path, int64_t m, int columns,
                    ndft_arena *arena)
{
    ndft_array taken;
    ndft_error err = {0};
    const ndft_status status =
        ndft_array_read(path, role, (int64_t[]){m, columns}, 2, arena, &taken, &err);
    if (status != NDFT_OK) fuzz_refused(status, NDFT_EINVAL, &err);
    if (status != NDFT_OK) return;
    fuzz_holds(ndft_array_count(&taken) == m * columns, "taken though of another size");
    fuzz_holds(taken.shot_length >= 1 && taken.shot_length <= m * columns, "a shot of %lld",
               (long long)taken.shot_length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = memchr(data, 0, size);
    const size_t header = zero ? (size_t)(zero - data) : size, rest = zero ? header + 1 : size;
    const char *path = fuzz_file("array.cfl", data + rest, size - rest);
    fuzz_file("array.hdr", data, header);
    ndft_arena arena = {0};
    ndft_array a;
    ndft_error err = {0};
    const ndft_status status = ndft_cfl_read(path, &arena, &a, &err);
    if (status == NDFT_OK) {
        write_and_read(&a, &arena);
        read_as(&ndft_role_traj, path, ndft_array_count(&a) / 3, 3, &arena);
        read_as(&ndft_role_data, path, ndft_array_count(&a), 1, &arena);
    } else {
        fuzz_refused(status, NDFT_EINVAL, &err);
    }
    ndft_arena_free(&arena);
    return 0;
}
