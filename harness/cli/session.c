/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "peak/ceilings.h"
#include "records/fields.h"

#include <stdio.h>
#include <string.h>

ndft_status ndft_session_open(ndft_session *s, const ndft_isolate_options *how, ndft_error *err)
{
    s->roofs = json_object();
    return ndft_isolate_open(how, &s->isolate, err);
}

void ndft_session_close(ndft_session *s)
{
    ndft_isolate_close(s->isolate);
    json_decref(s->roofs);
}

void ndft_session_add(ndft_session *s, const ndft_device *device, json_t *ceilings)
{
    int n = 0;
    while (s->run.devices[n]) n++;
    s->devices[n] = *device;
    s->run.devices[n] = &s->devices[n];
    json_object_set_new(s->roofs, device->backend, ceilings ? ceilings : json_null());
}

ndft_status ndft_session_describe(ndft_session *s, const ndft_backend *backend, ndft_error *err)
{
    ndft_device device;
    if (backend->missing() || json_object_get(s->roofs, backend->name)) return NDFT_OK;
    NDFT_TRY(ndft_isolate_describe(s->isolate, backend, &device, err));
    ndft_session_add(s, &device, ndft_ceilings_read(&device));
    return NDFT_OK;
}

const ndft_device *ndft_session_device(const ndft_session *s, const char *backend)
{
    const ndft_device *const *d = s->run.devices;
    while (*d && strcmp((*d)->backend, backend)) d++;
    return *d;
}

ndft_status ndft_session_log(ndft_session *s, const char *path, ndft_log_mode mode, const char *end,
                             ndft_error *err)
{
    char stem[512];
    const char *slug = "none";
    if (path) return ndft_log_open(path, mode, &s->log, err);
    for (int i = 0; s->run.devices[i]; i++) slug = s->run.devices[i]->slug;
    snprintf(stem, sizeof stem, "results/%s/%s-%s%s", slug, s->run.suite, s->run.utc, end);
    return ndft_log_create(stem, &s->log, err);
}

ndft_status ndft_session_run(ndft_session *s, ndft_isolate *isolate, const ndft_work *work,
                             const ndft_candidate *candidates, int n, const ndft_record_sink *sink,
                             ndft_error *err)
{
    const ndft_status status =
        ndft_isolate_run(isolate, work, candidates, n, &s->options, &s->run, sink, err);
    if (s->lost.status == NDFT_OK) return status;
    *err = s->lost;
    return err->status;
}

void ndft_session_bound(const ndft_session *s, json_t *record)
{
    ndft_roofline_add(record, json_object_get(s->roofs, ndft_field_text(record, "backend")));
}

bool ndft_session_keep(ndft_session *s, json_t *record)
{
    ndft_session_bound(s, record);
    if (s->lost.status != NDFT_OK) return false;
    if (ndft_log_write(&s->log, json_incref(record), &s->lost) != NDFT_OK) return false;
    s->run.verdicts[ndft_verdict_find(ndft_field_text(record, "verdict"))]++;
    return true;
}

ndft_status ndft_session_head(ndft_session *s, ndft_error *err)
{
    const char *backend;
    json_t *ceilings;
    NDFT_TRY(ndft_log_write(&s->log, ndft_record_run(&s->run), err));
    json_object_foreach(s->roofs, backend, ceilings)
    {
        NDFT_TRY(ndft_log_write_all(&s->log, ndft_ceilings_lines(ceilings, s->run.id), err));
    }
    return NDFT_OK;
}

ndft_status ndft_session_end(ndft_session *s, ndft_status status, bool interrupted, ndft_error *err)
{
    ndft_error ignored;
    const ndft_status ended = ndft_log_write(&s->log, ndft_record_end(&s->run, interrupted),
                                             status == NDFT_OK ? err : &ignored);
    return status == NDFT_OK ? ended : status;
}

void ndft_session_note(const ndft_session *s)
{
    const char *backend;
    json_t *ceilings;
    json_object_foreach(s->roofs, backend, ceilings)
    {
        if (json_is_null(ceilings))
            fprintf(stderr,
                    "ndft: no ceilings are known for this %s device; ndft peak measures them\n",
                    backend);
    }
}
