/* SPDX-License-Identifier: Apache-2.0 */
#include "making.h"

#include <stddef.h>
#include <stdlib.h>

/* Arrays of problems: what a change leaves as it is, the problem before and after it have together.
 * Each counts them as its own. */

typedef struct counted {
    ndft_retained retained; /* first: while nobody has what is pinned */
    ndft_opened *pins;      /* the device that keeps it then; NULL: it is not pinned */
    size_t bytes, room;
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

static void *given(counted *array, size_t bytes)
{
    array->bytes = bytes;
    array->users = 1;
    return array->elements;
}

ndft_status ndft_take_memory(ndft_owned *owned, const char *what, int64_t count, size_t size,
                             void **memory, ndft_error *err)
{
    const size_t bytes = (size_t)count * size;
    *memory = NULL;
    NDFT_TRY(hold(owned, what, bytes, err));
    counted *array = malloc(offsetof(counted, elements) + bytes);
    if (!array) return ndft_fail(err, NDFT_ENOMEM, "no %zu bytes for %s", bytes, what);
    array->pins = NULL;
    *memory = given(array, bytes);
    return NDFT_OK;
}

static void unpin(ndft_retained *retained)
{
    counted *array = (counted *)retained;
    const ndft_opened *device = array->pins;
    const ndft_before before = ndft_enter(device, true);
    device->backend->unpin(device->exec, array);
    ndft_leave(device, before);
}

/* What the device keeps and is large enough, but not much larger; NULL: nothing. */
static counted *find_pinned(ndft_opened *device, size_t bytes)
{
    for (int i = 0; i < NDFT_STOCK_PLACES; i++) {
        counted *array = (counted *)ndft_stock_take(&device->pinned, i);
        if (array && array->room >= bytes && array->room / 2 <= bytes) return array;
        if (array) ndft_stock_put(&device->pinned, &array->retained, unpin);
    }
    return NULL;
}

static counted *pin(ndft_opened *device, ndft_exec *exec, size_t bytes)
{
    void *memory = NULL;
    if (device->backend->pin(exec, offsetof(counted, elements) + bytes, &memory) != NDFT_OK) {
        *exec->error = (ndft_error){.status = NDFT_OK};
        return NULL;
    }
    counted *array = memory;
    array->pins = device;
    array->room = bytes;
    return array;
}

ndft_status ndft_take_pinned(ndft_owned *owned, ndft_exec *exec, const char *what, int64_t count,
                             size_t size, void **memory)
{
    ndft_opened *device = owned->device;
    const size_t bytes = (size_t)count * size;
    counted *array = NULL;
    if (device->backend->pin) array = find_pinned(device, bytes);
    if (device->backend->pin && !array) array = pin(device, exec, bytes);
    if (!array) return ndft_take_memory(owned, what, count, size, memory, exec->error);
    *memory = given(array, bytes);
    return NDFT_OK;
}

void ndft_drop_memory(ndft_owned *owned, const void *array)
{
    ndft_opened *device = owned->device;
    if (!device->backend->pin) {
        ndft_account_give_back(&device->account, counted_of(array)->bytes);
        owned->held -= counted_of(array)->bytes;
    }
    ndft_free_memory(array);
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

bool ndft_is_pinned(const void *array) { return counted_of(array)->pins; }

void ndft_free_memory(const void *array)
{
    if (!array || __atomic_sub_fetch(&counted_of(array)->users, 1, __ATOMIC_ACQ_REL)) return;
    counted *last = counted_of(array);
    if (last->pins)
        ndft_stock_put(&last->pins->pinned, &last->retained, unpin);
    else
        free(last);
}

bool ndft_has_array(const ndft_owned *owned, const void *array)
{
    const ndft_problem *p = &owned->problem;
    bool found = array == p->t || array == p->dw || array == p->decay || array == p->maps ||
                 array == p->higher.c[0] || array == p->higher.b[0] || array == owned->mask ||
                 array == owned->field || array == owned->decay || array == owned->phase_b ||
                 array == owned->maps;
    for (int axis = 0; axis < 3; axis++)
        found = found || array == p->k[axis] || array == p->g[axis] ||
                array == owned->gradient[axis] || array == owned->position[axis];
    return found;
}

ndft_status ndft_fetch_array(ndft_making *m, const char *what, const void *from, int64_t count,
                             size_t size, void **array)
{
    if (m->from && ndft_has_array(m->from, from))
        return ndft_share_memory(m->owned, what, from, array, m->exec->error);
    NDFT_TRY(ndft_take_memory(m->owned, what, count, size, array, m->exec->error));
    return m->backend->fetch(m->exec, *array, from, (size_t)count * size);
}
