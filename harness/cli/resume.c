/* SPDX-License-Identifier: Apache-2.0 */
#include "resume.h"

#include "measure/timing_version.h"
#include "records/fields.h"
#include "records/libraries.h"
#include "records/log.h"

#include <stdlib.h>
#include <string.h>

static bool is(const json_t *record, const char *name, const char *value)
{
    return !strcmp(ndft_field_text(record, name), value);
}

static void remember_case(ndft_resume *r, json_t *record)
{
    char variant[NDFT_ID_MAX];
    const char *id = ndft_field_text(record, "variant");
    snprintf(variant, sizeof variant, "%.*s", (int)strcspn(id, ":"), id);
    json_object_set(r->builds, variant, json_object_get(record, "build_id"));
    bool lost = is(record, "verdict", "crashed") || is(record, "verdict", "timeout");
    if (is(record, "stop", "interrupted") || (r->retry && lost)) return;
    json_object_set(r->finished, ndft_field_text(record, "key"), record);
}

static void remember(void *context, const json_t *record)
{
    ndft_resume *r = context;
    if (is(record, "type", "case")) remember_case(r, (json_t *)record);
    if (!is(record, "type", "run")) return;
    json_object_update(r->devices, json_object_get(record, "devices"));
    json_object_update(r->run, (json_t *)record);
}

ndft_status ndft_resume_read(const char *path, bool retry, ndft_resume *r, ndft_error *err)
{
    *r = (ndft_resume){.retry = retry,
                       .finished = json_object(),
                       .builds = json_object(),
                       .devices = json_object(),
                       .run = json_object(),
                       .path = path};
    return ndft_log_read(path, remember, r, err);
}

void ndft_resume_free(ndft_resume *r)
{
    json_decref(r->finished);
    json_decref(r->builds);
    json_decref(r->devices);
    json_decref(r->run);
}

const json_t *ndft_resume_find(const ndft_resume *r, const char *key)
{
    return json_object_get(r->finished, key);
}

static ndft_status refuse(const ndft_resume *r, ndft_error *err, const char *what, const char *was,
                          const char *now)
{
    return ndft_fail(err, NDFT_EINVAL,
                     "%s holds records of another %s ('%s', now '%s'); begin a new file, or add to "
                     "this one all the same with --resume-anyway",
                     r->path, what, was, now);
}

static ndft_status check_build(const ndft_resume *r, const ndft_registered *entry, ndft_error *err)
{
    char name[NDFT_ID_MAX], what[NDFT_ID_MAX + 16];
    snprintf(name, sizeof name, "%s.%s", entry->name, entry->backend);
    snprintf(what, sizeof what, "build of %s", name);
    const char *was = ndft_field_text(r->builds, name);
    if (!*was || !strcmp(was, entry->build_id)) return NDFT_OK;
    return refuse(r, err, what, was, entry->build_id);
}

static ndft_status check_device(const ndft_resume *r, const ndft_device *device, ndft_error *err)
{
    const json_t *was = json_object_get(r->devices, device->backend);
    if (!was) return NDFT_OK;
    if (!is(was, "slug", device->slug))
        return refuse(r, err, "device", ndft_field_text(was, "slug"), device->slug);
    if (!is(was, "driver", device->driver))
        return refuse(r, err, "driver", ndft_field_text(was, "driver"), device->driver);
    const char *policy = getenv("OMP_WAIT_POLICY");
    if (!policy) policy = "";
    if (!strcmp(device->backend, "cpu") && !is(was, "wait_policy", policy))
        return refuse(r, err, "OMP_WAIT_POLICY", ndft_field_text(was, "wait_policy"), policy);
    return NDFT_OK;
}

/* A file without a run is of none yet; one of ndft-results/1 is of the first clock. */
static ndft_status check_clock(const ndft_resume *r, ndft_error *err)
{
    char was[24], now[24];
    const json_t *version = json_object_get(r->run, "timing_version");
    const long long of_file = version ? json_integer_value(version) : 1;
    if (!json_object_size(r->run) || of_file == NDFT_TIMING_VERSION) return NDFT_OK;
    snprintf(was, sizeof was, "%lld", of_file);
    snprintf(now, sizeof now, "%d", NDFT_TIMING_VERSION);
    return refuse(r, err, "timing version", was, now);
}

/* Versions that the file does not tell, or that are not there now, are no obstacle. */
static ndft_status check_version(const ndft_resume *r, const char *what, const char *was,
                                 const char *now, ndft_error *err)
{
    return *was && now && *now && strcmp(was, now) ? refuse(r, err, what, was, now) : NDFT_OK;
}

static ndft_status check_toolchain(const ndft_resume *r, ndft_error *err)
{
    const json_t *build = json_object_get(r->run, "build"),
                 *was = json_object_get(r->run, "libraries");
    const ndft_build_facts *b = &ndft_build_info;
    NDFT_TRY(check_version(r, "compiler", ndft_field_text(build, "cc"), b->cc, err));
    NDFT_TRY(check_version(r, "CUDA compiler", ndft_field_text(build, "nvcc"), b->nvcc, err));
    json_t *now = ndft_libraries(), *version;
    const char *name;
    ndft_status status = NDFT_OK;
    json_object_foreach(now, name, version)
    {
        if (status == NDFT_OK && strcmp(name, "jansson")) /* which no time depends on */
            status =
                check_version(r, name, ndft_field_text(was, name), json_string_value(version), err);
    }
    json_decref(now);
    return status;
}

ndft_status ndft_resume_fits(const ndft_resume *r, const ndft_workload *load, const ndft_run *run,
                             ndft_error *err)
{
    NDFT_TRY(check_clock(r, err));
    NDFT_TRY(check_toolchain(r, err));
    for (int i = 0; run->devices[i]; i++) NDFT_TRY(check_device(r, run->devices[i], err));
    for (int i = 0; i < load->size; i++)
        for (int c = 0; c < load->items[i].n; c++)
            NDFT_TRY(check_build(r, load->items[i].candidates[c].entry, err));
    return NDFT_OK;
}
