/* SPDX-License-Identifier: Apache-2.0 */
#include "base/threads.h"
#include "base/words.h"
#include "device/forks.h"
#include "device/processor.h"
#include "objects.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_opened *own(ndft_device *device) { return (ndft_opened *)device; }

static ndft_status no_such_name(const char *name)
{
    static const char *const names[] = {"cpu", "cuda", "cuda:0", "auto", NULL};
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "there is no device '%.60s'; nearest: %s",
                     name, ndft_nearest(name, names));
}

/* "cuda:1" is number 1 of its backend. */
static ndft_status find(const char *name, const ndft_backend **backend, int *index)
{
    char word[16];
    const size_t length = strcspn(name, ":");
    uint64_t number = 0;
    if (name[length] && (ndft_whole_parse(name + length + 1, &number) || number > INT_MAX))
        return no_such_name(name);
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (!strcmp(name, "auto"))
        snprintf(word, sizeof word, ndft_backend_find("cuda")->missing() ? "cpu" : "cuda");
    *index = (int)number;
    *backend = ndft_backend_find(word);
    return *backend ? NDFT_OK : no_such_name(name);
}

static ndft_status check(const ndft_device_options *o, const ndft_backend *backend)
{
    ndft_error *err = ndft_thread_error();
    if (o->stream && !backend->use_stream)
        return ndft_fail(err, NDFT_EINVAL, "device options: %s has no streams; stream is NULL",
                         backend->name);
    if (o->threads < 0 || o->threads > NDFT_MOST_THREADS)
        return ndft_fail(err, NDFT_EINVAL, "device options: threads=%d; 0 to %d", o->threads,
                         NDFT_MOST_THREADS);
    if (!o->alloc != !o->release)
        return ndft_fail(err, NDFT_EINVAL, "device options: alloc without release, or the reverse");
    return NDFT_OK;
}

static ndft_status set_up(ndft_opened *device, const ndft_device_options *o, int index)
{
    NDFT_TRY(device->backend->open(index, &device->exec, &device->error));
    ndft_exec *exec = device->exec;
    if (o->stream) NDFT_TRY(device->backend->use_stream(exec, o->stream));
    if (o->threads && !device->backend->use_stream) {
        exec->threads = o->threads;
        exec->device = ndft_device_cpu(o->threads);
    }
    if (!device->backend->use_stream)
        NDFT_TRY(ndft_threads_start(exec->threads, o->threads ? "threads" : "OMP_NUM_THREADS",
                                    &device->error));
    if (o->memory_limit && o->memory_limit < exec->device.memory_bytes)
        exec->device.memory_bytes = o->memory_limit;
    device->account = (ndft_account){
        .limit = o->memory_limit, .alloc = o->alloc, .release = o->release, .user = o->user};
    exec->account = &device->account;
    exec->stock = &device->stock;
    device->device = exec->device;
    return NDFT_OK;
}

ndft_status ndft_device_open(const char *name, const ndft_device_options *options,
                             ndft_device **device)
{
    ndft_device_options o;
    const ndft_backend *backend = NULL;
    int index = 0;
    if (!name || !device)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a device needs a name and a place");
    *device = NULL;
    NDFT_TRY(ndft_take_options("device options", options, &o, sizeof o));
    NDFT_TRY(find(name, &backend, &index));
    if (backend->missing())
        return ndft_fail(ndft_thread_error(), NDFT_EDEVICE, "%s", backend->missing());
    NDFT_TRY(check(&o, backend));
    ndft_opened *opened = calloc(1, sizeof *opened);
    if (!opened) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a device");
    opened->users = 1;
    opened->backend = backend;
    ndft_take_forks();
    const ndft_before before = backend->enter ? backend->enter(NULL, true) : (ndft_before){0};
    ndft_status status = set_up(opened, &o, index);
    if (backend->leave) backend->leave(before);
    if (status != NDFT_OK) {
        status = ndft_tell(&opened->error);
        ndft_device_close(&opened->device);
        return status;
    }
    *device = &opened->device;
    return NDFT_OK;
}

void ndft_keep_device(ndft_opened *device)
{
    __atomic_add_fetch(&device->users, 1, __ATOMIC_RELAXED);
}

void ndft_device_close(ndft_device *device)
{
    ndft_opened *opened = own(device);
    if (!opened || __atomic_sub_fetch(&opened->users, 1, __ATOMIC_ACQ_REL)) return;
    if (opened->exec && !opened->lent) {
        const ndft_before before = ndft_enter(opened, true);
        ndft_stock_clear(&opened->stock);
        ndft_stock_clear(&opened->pinned);
        opened->backend->close(opened->exec);
        ndft_leave(opened, before);
    }
    free(opened);
}

static ndft_status given(const ndft_device *device, bool place)
{
    if (device && place) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s is NULL",
                     device ? "the place for what is asked" : "device");
}

ndft_status ndft_device_sync(ndft_device *device)
{
    NDFT_TRY(given(device, true));
    ndft_opened *opened = own(device);
    ndft_error err = {.status = NDFT_OK};
    ndft_exec *exec;
    NDFT_TRY(opened->backend->fork(opened->exec, &exec, ndft_thread_error()));
    exec->error = &err;
    const ndft_before before = ndft_enter(opened, true);
    const ndft_status status = opened->backend->sync(exec);
    opened->backend->close(exec);
    ndft_leave(opened, before);
    return status == NDFT_OK ? status : ndft_tell(&err);
}

ndft_status ndft_device_describe(const ndft_device *device, char *text, size_t size)
{
    NDFT_TRY(given(device, text || !size));
    const ndft_opened *opened = (const ndft_opened *)device;
    const int used = snprintf(text, size,
                              "{\"backend\":\"%s\",\"name\":\"%s\",\"slug\":\"%s\",\"units\":%d,"
                              "\"memory_bytes\":%zu,\"threads\":%d}",
                              device->backend, device->name, device->slug, device->units,
                              device->memory_bytes, opened->exec->threads);
    if (used >= 0 && (size_t)used < size) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a device's line has %d bytes, not %zu",
                     used + 1, size);
}

ndft_status ndft_device_memory(ndft_device *device, size_t *held, size_t *most)
{
    NDFT_TRY(given(device, held && most));
    ndft_opened *opened = own(device);
    const ndft_before before = ndft_enter(opened, true);
    const size_t limit = opened->account.limit;
    *held = __atomic_load_n(&opened->account.held, __ATOMIC_RELAXED);
    *most = *held + opened->exec->free_bytes(opened->exec);
    if (limit && limit < *most) *most = limit;
    ndft_leave(opened, before);
    return NDFT_OK;
}
