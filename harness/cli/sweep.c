/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"

#include "absent.h"
#include "base/words.h"
#include "records/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether groups of its devices have a case. */
static bool is_divided_on(const ndft_workload *load, const ndft_backend *backend)
{
    const char *usual = ndft_backend_find("cuda")->missing() ? "cpu" : "cuda";
    for (int i = 0; i < load->divided.n; i++) {
        const char *name = load->divided.items[i].backend;
        if (!strcmp(backend->name, *name ? name : usual)) return !backend->missing();
    }
    return false;
}

static bool is_used(const ndft_workload *load, const ndft_backend *backend)
{
    for (int i = 0; i < load->size; i++)
        for (int c = 0; load->items[i].backend == backend && c < load->items[i].n; c++)
            if (load->items[i].candidates[c].entry->variant) return !backend->missing();
    return is_divided_on(load, backend);
}

ndft_status ndft_sweep_begin(ndft_sweep *s, const ndft_workload *load,
                             const ndft_isolate_options *isolate, ndft_error *err)
{
    s->load = load;
    s->session.run.seed = ndft_workload_seed(load);
    s->session.options.processes = isolate->processes;
    ndft_run_begin(&s->session.run);
    NDFT_TRY(ndft_session_open(&s->session, isolate, err));
    for (const ndft_backend *const *b = ndft_backends; *b; b++)
        if (is_used(load, *b)) NDFT_TRY(ndft_session_describe(&s->session, *b, err));
    return NDFT_OK;
}

void ndft_sweep_end(ndft_sweep *s)
{
    ndft_session_close(&s->session);
    ndft_resume_free(&s->known);
    ndft_winners_free(&s->winners);
}

/* The record that the file held of a candidate; NULL: none. */
static const json_t *record_of(const ndft_sweep *s, const ndft_work *work, int candidate)
{
    char key[NDFT_KEY_TEXT];
    const ndft_sampling how = ndft_sampling_of(&s->session.options, work->mode);
    ndft_record_key(work->text, &work->candidates[candidate],
                    ndft_session_device(&s->session, work->backend->name), &how, key);
    return ndft_resume_find(&s->known, key);
}

/* The candidates of a group without a record; all has room for them. */
static int unfinished(const ndft_sweep *s, const ndft_work *work, ndft_candidate *all)
{
    int n = 0;
    for (int i = 0; i < work->n; i++)
        if (!record_of(s, work, i)) all[n++] = work->candidates[i];
    return n;
}

/* Counts what the file held of the workload; returns how much is left to do. */
static int count_kept(ndft_sweep *s)
{
    int left = 0;
    for (int i = 0; i < s->load->size; i++)
        for (int c = 0; c < s->load->items[i].n; c++) {
            const json_t *record = record_of(s, &s->load->items[i], c);
            ndft_verdict verdict = ndft_verdict_find(ndft_field_text(record, "verdict"));
            if (!record && !ndft_absent_why(s->load->items[i].candidates[c].entry)) left++;
            if (record && verdict < NDFT_N_VERDICTS) s->kept[verdict]++;
        }
    return left;
}

static bool take(void *context, json_t *record)
{
    ndft_sweep *s = context;
    char what[NDFT_ID_MAX + 16];
    snprintf(what, sizeof what, "%s %s", ndft_field_text(record, "verdict"),
             ndft_field_text(record, "variant"));
    if (!ndft_session_keep(&s->session, record)) return false;
    ndft_winners_take(&s->winners, record);
    if (!ndft_absent_record(record)) ndft_progress_step(&s->progress, what);
    return true;
}

static ndft_status run_group(ndft_sweep *s, const ndft_work *work, ndft_candidate *room,
                             ndft_error *err)
{
    int n = unfinished(s, work, room);
    if (!n) return NDFT_OK;
    return ndft_session_run(&s->session, s->session.isolate, work, room, n,
                            &(ndft_record_sink){take, s}, err);
}

/* A file that a case names and that cannot be read costs its groups alone. */
static bool ends_the_sweep(const ndft_sweep *s, ndft_status status)
{
    return status == NDFT_EINTR || status == NDFT_EDEVICE || s->session.lost.status != NDFT_OK;
}

static ndft_status run_groups(ndft_sweep *s, ndft_error *err)
{
    ndft_candidate *room = malloc((size_t)s->load->candidates * sizeof *room);
    ndft_status result = NDFT_OK;
    int failed = 0;
    if (!room) return ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    for (int i = 0; i < s->load->size && !ends_the_sweep(s, result); i++) {
        const ndft_work *work = &s->load->items[i];
        ndft_status status = run_group(s, work, room, err);
        if (status != NDFT_OK) result = status;
        if (status == NDFT_OK || ends_the_sweep(s, status)) continue;
        ndft_progress_hide(&s->progress);
        fprintf(stderr, "ndft: %s: ", work->text);
        ndft_print_plain(stderr, err->message);
        fputc('\n', stderr);
        failed++;
    }
    free(room);
    if (failed && !ends_the_sweep(s, result))
        ndft_fail(err, result, "%d of %d groups could not be run", failed, s->load->size);
    return result;
}

static ndft_status run_logged(ndft_sweep *s, ndft_error *err)
{
    ndft_absent_say(s->load);
    s->progress = ndft_progress_begin(count_kept(s));
    s->session.run.plan_cases = s->load->candidates + s->load->divided.n;
    NDFT_TRY(ndft_session_head(&s->session, err));
    ndft_status status = run_groups(s, err);
    ndft_progress_end(&s->progress);
    if (status == NDFT_OK && s->more) status = s->more(s, s->context, err);
    ndft_session_note(&s->session);
    return ndft_session_end(&s->session, status, ends_the_sweep(s, status), err);
}

/* Takes up what the file holds, in which the winners may be. */
static ndft_status take_up(ndft_sweep *s, const char *path, const ndft_continue *how,
                           ndft_error *err)
{
    const char *key;
    json_t *record;
    NDFT_TRY(ndft_resume_read(path, how->retry, &s->known, err));
    json_object_foreach(s->known.finished, key, record) ndft_winners_take(&s->winners, record);
    return how->anyway ? NDFT_OK : ndft_resume_fits(&s->known, s->load, &s->session.run, err);
}

ndft_status ndft_sweep_run(ndft_sweep *s, const char *path, const char *end,
                           const ndft_continue *how, ndft_error *err)
{
    const ndft_log_mode mode = how->resume  ? NDFT_LOG_APPEND
                               : how->force ? NDFT_LOG_REPLACE
                                            : NDFT_LOG_NEW;
    NDFT_TRY(ndft_session_log(&s->session, path, mode, end, err));
    ndft_status status = how->resume ? take_up(s, path, how, err) : NDFT_OK;
    if (status == NDFT_OK) status = run_logged(s, err);
    ndft_log_close(&s->session.log);
    return status;
}
