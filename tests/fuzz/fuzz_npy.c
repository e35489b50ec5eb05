/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "files/npy.h"
#include "files/role.h"

#include <string.h>

/* An array that is read is written and read again as the same; what takes it by its role refuses
 * numbers that are not finite and types that the role does not have. */

static void write_and_read(const ndft_array *a, ndft_arena *arena)
{
    const char *path = fuzz_path("again.npy");
    ndft_array again;
    ndft_error err = {0};
    fuzz_holds(ndft_npy_write(path, a, &err) == NDFT_OK, "not written: %s", err.message);
    fuzz_holds(ndft_npy_read(path, arena, &again, &err) == NDFT_OK, "unread: %s", err.message);
    const size_t bytes = (size_t)ndft_array_count(a) * ndft_element_size(a->element);
    fuzz_holds(again.element == a->element && again.rank == a->rank &&
                   !memcmp(again.shape, a->shape, (size_t)a->rank * sizeof *a->shape) &&
                   !memcmp(again.data, a->data, bytes),
               "another array after writing");
}

static void read_as(const ndft_role *role, const char *path, const ndft_array *a, ndft_arena *arena)
{
    ndft_array taken;
    ndft_error err = {0};
    const ndft_status status = ndft_array_read(path, role, a->shape, a->rank, arena, &taken, &err);
    if (status != NDFT_OK) fuzz_refused(status, NDFT_EINVAL, &err);
    double z[2], sum = 0;
    for (int64_t i = 0; status == NDFT_OK && i < ndft_array_count(&taken); i++) {
        ndft_array_at(&taken, i, z);
        sum += 0 * (z[0] + z[1]);
    }
    fuzz_holds(sum == 0, "taken though not finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("array.npy", data, size);
    ndft_arena arena = {0};
    ndft_array a;
    ndft_error err = {0};
    const ndft_status status = ndft_npy_read(path, &arena, &a, &err);
    if (status == NDFT_OK) {
        write_and_read(&a, &arena);
        read_as(&ndft_role_mask, path, &a, &arena);
        read_as(&ndft_role_field, path, &a, &arena);
        read_as(&ndft_role_image, path, &a, &arena);
    } else {
        fuzz_refused(status, NDFT_EINVAL, &err);
    }
    ndft_arena_free(&arena);
    return 0;
}
