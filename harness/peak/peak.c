/* SPDX-License-Identifier: Apache-2.0 */
#include "peak.h"

#include "measure/stats.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MAX_SAMPLES = 100, MAX_ROUNDS = INT_MAX / 8 };

/* One probe at work. */
typedef struct session {
    const ndft_probes *probes;
    const ndft_probe *probe;
    const ndft_backend *backend;
    const ndft_instruments *with;
    ndft_exec *exec;
    void *memory;
    int rounds; /* that last as long as a sample is to */
} session;

/* What one sample found. */
typedef struct sample {
    double seconds, units, clock_mhz;
} sample;

const ndft_probes *ndft_probes_find(const char *backend)
{
    static const ndft_probes *const all[] = {&ndft_probes_cpu, &ndft_probes_cuda};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->backend, backend)) return all[i];
    return NULL;
}

int ndft_probes_count(const ndft_probes *probes)
{
    int n = 0;
    for (const ndft_probe *const *list = probes->lists; *list; list++)
        for (const ndft_probe *p = *list; p->resource; p++) n++;
    return n;
}

static ndft_status take(session *s, sample *one)
{
    double own = NAN;
    NDFT_TRY(s->with->timer_start(s->exec, 0));
    NDFT_TRY(s->probe->run(s->exec, s->memory, s->rounds, &one->units, &own));
    NDFT_TRY(s->with->timer_stop(s->exec, 0));
    NDFT_TRY(s->with->timer_read(s->exec, 0, &one->seconds, &one->clock_mhz));
    if (isfinite(own)) one->seconds = own;
    return NDFT_OK;
}

/* Warms the device up and finds the rounds of a sample, growing at most eightfold at a time. Only
 * the best rate seen counts, since whatever disturbs a sample makes it look long enough. The first
 * round is not looked at: it loads code. */
static ndft_status calibrate(session *s)
{
    double warm = 0, best = 0, wanted = 1;
    sample last;
    s->rounds = 1;
    NDFT_TRY(take(s, &last));
    while (warm < s->probes->warm_s || s->rounds < 0.8 * wanted) {
        s->rounds = (int)fmin(wanted, 8.0 * s->rounds);
        NDFT_TRY(take(s, &last));
        warm += last.seconds;
        best = fmax(best, s->rounds / fmax(last.seconds, 1e-9));
        wanted = fmin(ceil(best * s->probes->sample_s), MAX_ROUNDS);
    }
    return NDFT_OK;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *ceiling_json(const session *s, double value, double spread, double clock_mhz,
                            const char *note)
{
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:s}", "backend", s->probes->backend,
                     "resource", s->probe->resource, "value", number(value), "unit", s->probe->unit,
                     "spread", number(spread), "clock_mhz", number(clock_mhz), "note", note);
}

static ndft_status measure_fit(session *s, json_t *ceilings)
{
    double per_unit[MAX_SAMPLES], clocks[MAX_SAMPLES];
    const int n = s->probes->samples < MAX_SAMPLES ? s->probes->samples : MAX_SAMPLES;
    NDFT_TRY(calibrate(s));
    for (int i = 0; i < n; i++) {
        sample one;
        NDFT_TRY(take(s, &one));
        per_unit[i] = one.seconds / one.units;
        clocks[i] = one.clock_mhz;
    }
    NDFT_TRY(s->backend->sync(s->exec));
    const ndft_stats stats = ndft_stats_of(per_unit, n);
    ndft_sort_ascending(per_unit, n);
    const double typical = per_unit[(int)(s->probes->faster * n)];
    json_array_append_new(ceilings,
                          ceiling_json(s, 1 / typical, (stats.q3 - stats.q1) / stats.median,
                                       ndft_stats_of(clocks, n).median, s->probe->note));
    return NDFT_OK;
}

static ndft_status measure(session *s, json_t *ceilings)
{
    const ndft_device *device = &s->exec->device;
    const char *why = s->probe->unsupported ? s->probe->unsupported(device) : NULL;
    if (why) {
        json_array_append_new(ceilings, ceiling_json(s, NAN, NAN, NAN, why));
        return NDFT_OK;
    }
    const size_t bytes = s->probe->bytes(device);
    NDFT_TRY(s->exec->alloc(s->exec, "the memory of a probe", bytes, &s->memory));
    ndft_status status = s->probes->prepare(s->exec, s->memory, bytes);
    if (status == NDFT_OK) status = measure_fit(s, ceilings);
    s->exec->release(s->exec, s->memory);
    return status;
}

static const json_t *find(const json_t *ceilings, const char *resource)
{
    size_t i;
    json_t *at;
    json_array_foreach(ceilings, i, at)
    {
        const char *name = json_string_value(json_object_get(at, "resource"));
        if (name && !strcmp(name, resource)) return at;
    }
    return NULL;
}

double ndft_peak_value(const json_t *ceilings, const char *resource)
{
    const json_t *value = json_object_get(find(ceilings, resource), "value");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Some of what costs count is the best of several probes: tensor is what tensor cores did best in
 * that precision, and no loop has issued more than the one that issued most. */
static void add_best(json_t *ceilings, const char *name, const char *const *candidates)
{
    const json_t *best = NULL;
    double value = 0;
    for (; *candidates; candidates++)
        if (ndft_peak_value(ceilings, *candidates) > value) {
            best = find(ceilings, *candidates);
            value = ndft_peak_value(ceilings, *candidates);
        }
    if (!best) return;
    json_t *named = json_copy((json_t *)best);
    json_object_set(named, "note", json_object_get(best, "resource"));
    json_object_set_new(named, "resource", json_string(name));
    json_array_append_new(ceilings, named);
}

static ndft_status measure_all(session *s, const ndft_peak_watch *watch, json_t *ceilings)
{
    for (const ndft_probe *const *list = s->probes->lists; *list; list++)
        for (s->probe = *list; s->probe->resource; s->probe++) {
            NDFT_TRY(measure(s, ceilings));
            watch->done(watch->context, s->probe->resource);
            if (*watch->interrupted) return ndft_fail(s->exec->error, NDFT_EINTR, "interrupted");
        }
    static const char *const single[] = {"tensor_f16_mma", "tensor_f16_wgmma", NULL};
    static const char *const doubled[] = {"tensor_f64_mma", NULL};
    static const char *const slots[] = {"fma", "add", "fma_integer_mix", "fma_add_mix", NULL};
    static const char *const slots_f64[] = {"fma_f64", "add_f64", "fma_add_mix_f64", NULL};
    add_best(ceilings, "tensor", single);
    add_best(ceilings, "tensor_f64", doubled);
    add_best(ceilings, "issue_slots", slots);
    if (!strcmp(s->backend->name, "cpu")) add_best(ceilings, "issue_slots_f64", slots_f64);
    return NDFT_OK;
}

ndft_status ndft_peak_measure(const ndft_backend *backend, ndft_exec *exec,
                              const ndft_peak_watch *watch, json_t **ceilings, ndft_error *err)
{
    session s = {.probes = ndft_probes_find(backend->name),
                 .backend = backend,
                 .with = ndft_instruments_of(backend->name),
                 .exec = exec};
    *ceilings = json_array();
    exec->error = err;
    ndft_status status = measure_all(&s, watch, *ceilings);
    if (status == NDFT_OK) return NDFT_OK;
    json_decref(*ceilings);
    *ceilings = NULL;
    return status;
}
