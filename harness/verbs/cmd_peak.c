/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/show.h"
#include "peak/ceilings.h"
#include "peak/links.h"
#include "peak/peak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ndft peak: measures the ceilings of each device, or says what is known of them. */

typedef struct arguments {
    const char *backend, *output;
    bool fresh, check, json;
} arguments;

/* One call of the verb. */
typedef struct measuring {
    arguments a;
    const ndft_cli *cli;
    ndft_session session; /* no groups are run */
    int differ;           /* ceilings that two measurements do not agree on */
} measuring;

static void step(void *context, const char *resource) { ndft_progress_step(context, resource); }

static ndft_status measure(const measuring *s, const ndft_backend *backend, ndft_exec *exec,
                           json_t **ceilings, ndft_error *err)
{
    ndft_progress progress =
        ndft_progress_begin(ndft_probes_count(ndft_probes_find(backend->name)));
    const ndft_peak_watch watch = {step, &progress, s->cli->interrupted};
    ndft_status status = ndft_peak_measure(backend, exec, &watch, ceilings, err);
    ndft_progress_end(&progress);
    return status == NDFT_OK ? ndft_links_measure(backend, *ceilings, err) : status;
}

/* Counts and names the ceilings of which the second measurement is further off than it may be;
 * links are other traffic's, too. */
static int compare(const json_t *first, const json_t *second, double agree)
{
    int differ = 0;
    size_t i;
    const json_t *ceiling;
    json_array_foreach(first, i, ceiling)
    {
        const char *resource = json_string_value(json_object_get(ceiling, "resource"));
        const double a = ndft_peak_value(first, resource), b = ndft_peak_value(second, resource);
        if (!isfinite(a) || ndft_is_link(resource) || fabs(b - a) <= agree * a) continue;
        fprintf(stderr, "ndft: %s: two measurements differ by %.1f %%: %.4g and %.4g\n", resource,
                100 * fabs(b - a) / a, a, b);
        differ++;
    }
    return differ;
}

static ndft_status measure_twice(measuring *s, const ndft_backend *backend, ndft_exec *exec,
                                 json_t **ceilings, ndft_error *err)
{
    json_t *again;
    NDFT_TRY(measure(s, backend, exec, ceilings, err));
    ndft_ceilings_write(&exec->device, *ceilings);
    if (!s->a.check) return NDFT_OK;
    NDFT_TRY(measure(s, backend, exec, &again, err));
    s->differ += compare(*ceilings, again, ndft_probes_find(backend->name)->agree);
    json_decref(again);
    return NDFT_OK;
}

/* Of devices that were not there when the others were measured. */
static ndft_status add_links(const ndft_backend *backend, const ndft_exec *exec, json_t *ceilings,
                             ndft_error *err)
{
    NDFT_TRY(ndft_links_measure(backend, ceilings, err));
    ndft_ceilings_write(&exec->device, ceilings);
    return NDFT_OK;
}

static ndft_status take_backend(measuring *s, const ndft_backend *backend, ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    const bool fresh = s->a.fresh || s->a.check;
    ndft_status status = NDFT_OK;
    json_t *ceilings = fresh ? NULL : ndft_ceilings_read(&exec->device);
    if (!ceilings)
        status = measure_twice(s, backend, exec, &ceilings, err);
    else if (!ndft_links_known(backend, ceilings))
        status = add_links(backend, exec, ceilings, err);
    ndft_session_add(&s->session, &exec->device, ceilings);
    backend->close(exec);
    return status;
}

/* All backends that there are, or the one that was named. */
static ndft_status take_backends(measuring *s, ndft_error *err)
{
    for (const ndft_backend *const *b = ndft_backends; *b; b++) {
        const char *missing = (*b)->missing();
        if (s->a.backend && strcmp(s->a.backend, (*b)->name)) continue;
        if (!missing)
            NDFT_TRY(take_backend(s, *b, err));
        else if (s->a.backend)
            return ndft_fail(err, NDFT_EDEVICE, "%s: %s", (*b)->name, missing);
    }
    return NDFT_OK;
}

static void print_ceiling(const json_t *ceiling)
{
    const char *resource, *unit, *note;
    char rate[NDFT_SHOWN], spread[NDFT_SHOWN] = "-";
    json_unpack((json_t *)ceiling, "{s:s, s:s, s:s}", "resource", &resource, "unit", &unit, "note",
                &note);
    const json_t *value = json_object_get(ceiling, "value");
    const bool known = json_is_number(value);
    if (known)
        snprintf(spread, sizeof spread, "%.2f %%",
                 100 * json_number_value(json_object_get(ceiling, "spread")));
    printf("%-17s  %9s  %-17s  %7s  %s\n", resource,
           ndft_show_rate(known ? json_number_value(value) : NAN, rate), unit, spread, note);
}

static void print_tables(const measuring *s)
{
    const ndft_device *const *devices = s->session.run.devices;
    for (int i = 0; devices[i]; i++) {
        size_t at;
        const json_t *ceiling;
        printf("%s%s (%s)\n", i ? "\n" : "", devices[i]->name, devices[i]->slug);
        printf("%-17s  %9s  %-17s  %7s  %s\n", "resource", "a second", "unit", "spread", "note");
        json_array_foreach(json_object_get(s->session.roofs, devices[i]->backend), at, ceiling)
            print_ceiling(ceiling);
    }
}

static void print_lines(const measuring *s)
{
    const char *backend;
    json_t *ceilings;
    json_object_foreach(s->session.roofs, backend, ceilings)
    {
        size_t at;
        const json_t *line;
        json_t *lines = ndft_ceilings_lines(ceilings, s->session.run.id);
        json_array_foreach(lines, at, line)
        {
            ndft_show_json(json_incref((json_t *)line), JSON_COMPACT);
        }
        json_decref(lines);
    }
}

/* Appends a run of its own to the record file. */
static ndft_status write_file(measuring *s, ndft_error *err)
{
    const ndft_status status = ndft_session_head(&s->session, err);
    return status == NDFT_OK ? ndft_session_end(&s->session, status, false, err) : status;
}

static ndft_status show(measuring *s, ndft_error *err)
{
    NDFT_TRY(take_backends(s, err));
    if (s->a.json)
        print_lines(s);
    else
        print_tables(s);
    return s->a.output ? write_file(s, err) : NDFT_OK;
}

/* The file is opened before anything is measured, which would be lost. */
static ndft_status peak(measuring *s, ndft_error *err)
{
    if (s->a.backend && !ndft_backend_find(s->a.backend)) {
        const char *const names[] = {"cpu", "cuda", NULL};
        return ndft_fail(err, NDFT_EINVAL, "unknown backend '%s'; nearest: %s", s->a.backend,
                         ndft_nearest(s->a.backend, names));
    }
    s->session.roofs = json_object();
    ndft_run_begin(&s->session.run);
    if (!s->a.output) return show(s, err);
    NDFT_TRY(ndft_log_open(s->a.output, NDFT_LOG_APPEND, &s->session.log, err));
    const ndft_status status = show(s, err);
    ndft_log_close(&s->session.log);
    return status;
}

int ndft_verb_peak(ndft_cli *cli)
{
    measuring s = {.cli = cli,
                   .session.run = {.suite = "peak", .argc = cli->all_argc, .argv = cli->all_argv}};
    const ndft_option options[] = {
        {"backend", 'b', "NAME", "only this backend", .text = &s.a.backend},
        {"fresh", 'f', NULL, "measure, whatever is known already", .flag = &s.a.fresh},
        {"check", 'c', NULL, "measure twice; exit status 1 when the two disagree",
         .flag = &s.a.check},
        {"json", 'j', NULL, "one record of type peak a line", .flag = &s.a.json},
        {"output", 'o', "FILE", "append the records to this file", .text = &s.a.output,
         .suffix = ".jsonl"},
        {0}};
    int code = ndft_cli_options(cli, options, 0);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    ndft_status status = peak(&s, &err);
    ndft_session_close(&s.session);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    return s.differ ? NDFT_EXIT_FAILED : NDFT_EXIT_OK;
}
