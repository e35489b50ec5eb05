/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stddef.h>
#include <stdlib.h>

/* Arrays of problems: what a change leaves as it is, the problem before and after it have together.
 * Each counts them as its own. */

typedef struct counted {
    size_t bytes;
    int users;
    _Alignas(max_align_t) char elements[];
} counted;

static counted *counted_of(const void *array)
{
    return (counted *)((char *)array - offsetof(counted, elements));
}

static ndft_status hold(ndft_owned *owned, const char *what, size_t bytes, ndft_error *err)
{
    ndft_opened *device = owned->device;
    const bool counts = !device->backend->pin; /* memory of the device is the host's */
    if (counts && !ndft_account_hold(&device->account, bytes))
        return ndft_fail(err, NDFT_ENOMEM, "%s takes %zu bytes, more than memory_limit=%zu leaves",
                         what, bytes, device->account.limit);
    owned->held += counts ? bytes : 0;
    return NDFT_OK;
}

ndft_status ndft_take_memory(ndft_owned *owned, const char *what, int64_t count, size_t size,
                             void **memory, ndft_error *err)
{
    const size_t bytes = (size_t)count * size;
    *memory = NULL;
    NDFT_TRY(hold(owned, what, bytes, err));
    counted *array = malloc(offsetof(counted, elements) + bytes);
    if (!array) return ndft_fail(err, NDFT_ENOMEM, "no %zu bytes for %s", bytes, what);
    array->bytes = bytes;
    array->users = 1;
    *memory = array->elements;
    return NDFT_OK;
}

ndft_status ndft_share_memory(ndft_owned *owned, const char *what, const void *of, void **memory,
                              ndft_error *err)
{
    counted *array = counted_of(of);
    *memory = NULL;
    NDFT_TRY(hold(owned, what, array->bytes, err));
    __atomic_add_fetch(&array->users, 1, __ATOMIC_RELAXED);
    *memory = array->elements;
    return NDFT_OK;
}

void ndft_free_memory(const void *array)
{
    if (array && !__atomic_sub_fetch(&counted_of(array)->users, 1, __ATOMIC_ACQ_REL))
        free(counted_of(array));
}
