/* SPDX-License-Identifier: Apache-2.0 */
#include "links.h"

#include "base/now.h"
#include "measure/stats.h"
#include "peak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 15, COPIES = 8, MESSAGES = 50, MOST_DEVICES = 64 };
static const size_t large = 64 << 20, small = 8;
static const double faster = 0.25; /* of the samples are left out as luck, as of other ceilings */

/* One end: a device, and memory that the other reads and that this one writes. */
typedef struct end {
    ndft_exec *exec;
    void *from, *to;
    bool reaches;
} end;

typedef struct pair {
    const ndft_backend *backend;
    int first, second;
    end a, b;
} pair;

/* A sample: what it moved. */
typedef ndft_status sampling(const pair *, double *units);

bool ndft_is_link(const char *resource) { return !strncmp(resource, "link", 4); }

static bool is_cpu(const ndft_backend *backend) { return !backend->pin; }

/* To open a device makes it the thread's own, and the one before is wanted again. */
int ndft_devices_count(const ndft_backend *backend)
{
    ndft_error ignored;
    ndft_exec *exec;
    int n = 0;
    if (is_cpu(backend)) return 1;
    const ndft_before before = backend->enter(NULL, false);
    for (; n < MOST_DEVICES && backend->open(n, &exec, &ignored) == NDFT_OK; n++)
        backend->close(exec);
    backend->leave(before);
    return n;
}

bool ndft_links_known(const ndft_backend *backend, const json_t *ceilings)
{
    char last[48];
    size_t i;
    const json_t *one;
    const int n = ndft_devices_count(backend);
    snprintf(last, sizeof last, n > 1 ? "link_messages_%d_%d" : "link", n - 2, n - 1);
    json_array_foreach(ceilings, i, one)
    {
        if (!strcmp(json_string_value(json_object_get(one, "resource")), last)) return true;
    }
    return false;
}

static ndft_status open_end(const pair *p, int index, end *e, ndft_error *err)
{
    NDFT_TRY(p->backend->open(index, &e->exec, err));
    const ndft_before before = p->backend->enter(e->exec, true);
    ndft_status status = e->exec->alloc(e->exec, "what another reads", large, &e->from);
    if (status == NDFT_OK) status = e->exec->alloc(e->exec, "what another wrote", large, &e->to);
    if (status == NDFT_OK) status = p->backend->fill(e->exec, e->from, 0x3c, large);
    if (status == NDFT_OK) status = p->backend->sync(e->exec);
    p->backend->leave(before);
    return status;
}

static void close_end(const pair *p, end *e)
{
    if (!e->exec) return;
    const ndft_before before = p->backend->enter(e->exec, true);
    if (e->from) e->exec->release(e->exec, e->from);
    if (e->to) e->exec->release(e->exec, e->to);
    p->backend->close(e->exec);
    p->backend->leave(before);
}

static void reach(const pair *p, end *e, const end *other)
{
    const ndft_before before = p->backend->enter(e->exec, true);
    e->reaches = p->backend->reach(e->exec, other->exec);
    p->backend->leave(before);
}

static ndft_status copies(const pair *p, const end *to, const end *from, size_t bytes, int n)
{
    for (int i = 0; i < n; i++) NDFT_TRY(p->backend->copy(to->exec, to->to, from->from, bytes));
    return NDFT_OK;
}

static ndft_status one_way(const pair *p, double *units)
{
    *units = (double)large * COPIES;
    NDFT_TRY(copies(p, &p->b, &p->a, large, COPIES));
    return p->backend->sync(p->b.exec);
}

static ndft_status both_ways(const pair *p, double *units)
{
    *units = 2 * (double)large * COPIES;
    for (int i = 0; i < COPIES; i++) {
        NDFT_TRY(copies(p, &p->b, &p->a, large, 1));
        NDFT_TRY(copies(p, &p->a, &p->b, large, 1));
    }
    NDFT_TRY(p->backend->sync(p->a.exec));
    return p->backend->sync(p->b.exec);
}

static ndft_status messages(const pair *p, double *units)
{
    *units = MESSAGES;
    for (int i = 0; i < MESSAGES; i++) {
        NDFT_TRY(copies(p, &p->b, &p->a, small, 1));
        NDFT_TRY(p->backend->sync(p->b.exec));
    }
    return NDFT_OK;
}

static const char *note_of(const pair *p)
{
    if (p->a.reaches && p->b.reaches) return "in reach of each other";
    return p->a.reaches || p->b.reaches ? "one reaches the other" : "by way of the host";
}

static ndft_status measure(const pair *p, const char *what, const char *unit, sampling *take,
                           json_t *ceilings)
{
    char resource[48];
    double per_unit[SAMPLES], units;
    NDFT_TRY(take(p, &units));
    for (int i = 0; i < SAMPLES; i++) {
        const double before = ndft_now_s();
        NDFT_TRY(take(p, &units));
        per_unit[i] = (ndft_now_s() - before) / units;
    }
    const ndft_stats stats = ndft_stats_of(per_unit, SAMPLES);
    ndft_sort_ascending(per_unit, SAMPLES);
    snprintf(resource, sizeof resource, "link_%s_%d_%d", what, p->first, p->second);
    json_array_append_new(ceilings, json_pack("{s:s, s:s, s:f, s:s, s:f, s:n, s:s}", "backend",
                                              p->backend->name, "resource", resource, "value",
                                              1 / per_unit[(int)(faster * SAMPLES)], "unit", unit,
                                              "spread", (stats.q3 - stats.q1) / stats.median,
                                              "clock_mhz", "note", note_of(p)));
    return NDFT_OK;
}

static ndft_status measure_open(pair *p, json_t *ceilings, ndft_error *err)
{
    NDFT_TRY(open_end(p, p->first, &p->a, err));
    NDFT_TRY(open_end(p, p->second, &p->b, err));
    reach(p, &p->a, &p->b);
    reach(p, &p->b, &p->a);
    NDFT_TRY(measure(p, "bytes", "bytes", one_way, ceilings));
    NDFT_TRY(measure(p, "both", "bytes", both_ways, ceilings));
    return measure(p, "messages", "messages", messages, ceilings);
}

static ndft_status measure_pair(const ndft_backend *backend, int first, int second,
                                json_t *ceilings, ndft_error *err)
{
    pair p = {.backend = backend, .first = first, .second = second};
    const ndft_before before = backend->enter(NULL, false);
    const ndft_status status = measure_open(&p, ceilings, err);
    close_end(&p, &p.a);
    close_end(&p, &p.b);
    backend->leave(before);
    return status;
}

static void forget(json_t *ceilings)
{
    for (size_t i = json_array_size(ceilings); i-- > 0;)
        if (ndft_is_link(
                json_string_value(json_object_get(json_array_get(ceilings, i), "resource"))))
            json_array_remove(ceilings, i);
}

/* Of no two devices. */
static void add_why_not(const ndft_backend *backend, json_t *ceilings)
{
    const char *why = is_cpu(backend)
                          ? "devices of a processor share its memory: what moves is dram_bytes"
                          : "there is one device, and a link has two ends";
    json_array_append_new(ceilings, json_pack("{s:s, s:s, s:n, s:s, s:n, s:n, s:s}", "backend",
                                              backend->name, "resource", "link", "value", "unit",
                                              "bytes", "spread", "clock_mhz", "note", why));
}

ndft_status ndft_links_measure(const ndft_backend *backend, json_t *ceilings, ndft_error *err)
{
    const int n = ndft_devices_count(backend);
    forget(ceilings);
    if (n < 2) add_why_not(backend, ceilings);
    for (int first = 0; first < n; first++)
        for (int second = first + 1; second < n; second++)
            NDFT_TRY(measure_pair(backend, first, second, ceilings, err));
    return NDFT_OK;
}
