/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include "public/points.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Devices of a group: opened, alike, and in reach of each other. */

/* Threads of processors compute, and those of GPUs launch and wait. */
static const double gpu_patience_s = 2e-4;

static const ndft_opened *opened(const ndft_group *group, int device)
{
    return (const ndft_opened *)group->device[device];
}

static ndft_status check_number(int n)
{
    if (n >= 1 && n <= NDFT_MOST_PARTS) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "a group has %d devices; 1 to %d, nearest: %d", n, NDFT_MOST_PARTS,
                     n < 1 ? 1 : NDFT_MOST_PARTS);
}

static int power_of_two_below(int n)
{
    int power = 1;
    while (2 * power <= n && 2 * power <= NDFT_MOST_PARTS) power *= 2;
    return power;
}

static ndft_status check_parts(int n, int parts)
{
    ndft_error *err = ndft_thread_error();
    if (parts < 0 || parts > NDFT_MOST_PARTS || (parts & (parts - 1)))
        return ndft_fail(err, NDFT_EINVAL, "parts=%d; 0, or a power of two up to %d, nearest: %d",
                         parts, NDFT_MOST_PARTS, parts < 1 ? 0 : power_of_two_below(parts));
    if (parts && parts % n)
        return ndft_fail(err, NDFT_EINVAL,
                         "%d parts are not as many on each of %d devices; nearest: %d devices",
                         parts, n, power_of_two_below(n < parts ? n : parts));
    return NDFT_OK;
}

static ndft_status check_each(const ndft_device_options *each)
{
    if (!each->stream && !each->alloc && !each->release) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "devices of a group: %s is of one device; NULL",
                     each->stream ? "stream" : "alloc or release");
}

/* Of a processor: what it was asked for, or its share for one part, or one device. */
static int threads_of(const ndft_group *group, const char *name, int asked)
{
    const int share = omp_get_max_threads() / (group->is_fixed ? group->parts : group->own);
    if (asked || strcmp(name, "cpu") != 0) return asked;
    return share ? share : 1;
}

static ndft_status open_devices(ndft_group *group, const char *const *names,
                                const ndft_device_options *each)
{
    ndft_device_options o = *each;
    o.struct_size = sizeof o;
    for (int i = 0; i < group->own; i++) {
        if (!names[i])
            return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "the name of device %d is NULL", i);
        o.threads = threads_of(group, names[i], each->threads);
        NDFT_TRY(ndft_device_open(names[i], &o, &group->device[i]));
    }
    return NDFT_OK;
}

static bool are_alike(const ndft_device *a, const ndft_device *b)
{
    return !strcmp(a->backend, b->backend) && !strcmp(a->slug, b->slug);
}

static ndft_status check_alike(const ndft_group *group, const char *const *names)
{
    const ndft_device *first = group->device[0];
    for (int i = 1; i < group->own; i++)
        if (!are_alike(first, group->device[i]))
            return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                             "devices of a group are alike: %.60s is %s and %.60s is %s; nearest: "
                             "%.60s alone",
                             names[0], first->name, names[i], group->device[i]->name, names[0]);
    return NDFT_OK;
}

/* Where one cannot reach another, what it reads of it is copied by way of the host. */
static void reach(ndft_group *group, int device)
{
    const ndft_opened *own = opened(group, device);
    const ndft_before before = ndft_enter(own, true);
    group->reaches[device] = true;
    for (int i = 0; i < group->own && own->backend->reach; i++)
        if (!own->backend->reach(own->exec, opened(group, i)->exec)) group->reaches[device] = false;
    ndft_leave(own, before);
}

static ndft_status set_up(ndft_group *group, const char *const *names,
                          const ndft_device_options *each)
{
    NDFT_TRY(open_devices(group, names, each));
    NDFT_TRY(check_alike(group, names));
    for (int i = 0; i < group->own; i++) reach(group, i);
    const bool has_memory = opened(group, 0)->backend->pin != NULL;
    return ndft_crew_create(group->own, has_memory ? gpu_patience_s : 0, &group->crew);
}

static ndft_status new_group(int n, int own, int first, int parts, ndft_group **out)
{
    ndft_group *group = calloc(1, sizeof *group);
    if (!group) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a group");
    group->users = 1;
    group->n = n;
    group->own = own;
    group->first = first;
    group->parts = parts ? parts : n;
    group->is_fixed = parts;
    *out = group;
    return NDFT_OK;
}

static ndft_status give(ndft_group *group, ndft_status status, ndft_group **out)
{
    if (status == NDFT_OK)
        *out = group;
    else
        ndft_group_destroy(group);
    return status;
}

ndft_status ndft_group_create(int n, const char *const *names, int parts,
                              const ndft_device_options *each, ndft_group **out)
{
    ndft_device_options o;
    ndft_group *group = NULL;
    if (!names || !out)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a group needs names and a place");
    *out = NULL;
    NDFT_TRY(check_number(n));
    NDFT_TRY(check_parts(n, parts));
    NDFT_TRY(ndft_take_options("device options", each, &o, sizeof o));
    NDFT_TRY(check_each(&o));
    NDFT_TRY(new_group(n, n, 0, parts, &group));
    return give(group, set_up(group, names, &o), out);
}

static void say_device(const ndft_group *group, char *words, size_t size)
{
    const ndft_device *device = group->device[0];
    if (device)
        snprintf(words, size, "%s, %s (%s), %d parts", device->backend, device->name, device->slug,
                 group->is_fixed ? group->parts : 0);
}

/* Whatever fails here fails on all ranks, as far as they are in reach yet. */
static ndft_status join(ndft_group *group, ndft_communicator *c, const char *name, int parts,
                        const ndft_device_options *options)
{
    char words[256] = "";
    ndft_status status = check_parts(c->size, parts);
    if (status == NDFT_OK) status = set_up(group, &name, options);
    say_device(group, words, sizeof words);
    if (c->meshed) status = ndft_agree(c, NULL, status, words, NULL);
    if (status != NDFT_OK || c->size == 1) return status;
    group->communicator = c;
    ndft_communicator_keep(c);
    const ndft_before before = ndft_enter(opened(group, 0), true);
    status = ndft_communicator_use(c, opened(group, 0));
    ndft_leave(opened(group, 0), before);
    return status == NDFT_OK ? ndft_agree(c, opened(group, 0), status, words, NULL) : status;
}

ndft_status ndft_group_join(ndft_communicator *c, const char *name, int parts,
                            const ndft_device_options *options, ndft_group **out)
{
    NDFT_POINTS;
    ndft_device_options o;
    ndft_group *group = NULL;
    if (!c || !name || !out)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a group of ranks needs a communicator, a name and a place");
    *out = NULL;
    NDFT_TRY(ndft_take_options("device options", options, &o, sizeof o));
    NDFT_TRY(new_group(c->size, 1, c->rank, parts, &group));
    return give(group, join(group, c, name, parts, &o), out);
}

void ndft_group_destroy(ndft_group *group)
{
    if (!group || __atomic_sub_fetch(&group->users, 1, __ATOMIC_ACQ_REL)) return;
    ndft_crew_destroy(group->crew);
    ndft_communicator_destroy(group->communicator); /* NCCL works on the device */
    for (int i = 0; i < group->own; i++) ndft_device_close(group->device[i]);
    free(group);
}
