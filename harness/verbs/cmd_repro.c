/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/show.h"
#include "isolate/isolate.h"
#include "naming/peer.h"
#include "records/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ndft repro: runs again what one record says was run. */

typedef struct search {
    const char *key;
    json_t *found; /* the newest record whose key begins with this one */
    bool several;  /* more than one key does */
} search;

static void look(void *context, const json_t *record)
{
    search *s = context;
    const char *key = json_string_value(json_object_get(record, "key"));
    if (!key || strncmp(key, s->key, strlen(s->key))) return;
    s->several |= s->found && strcmp(key, json_string_value(json_object_get(s->found, "key")));
    json_decref(s->found);
    s->found = json_deep_copy(record);
}

static bool take(void *context, json_t *record)
{
    bool *passed = context;
    *passed = !strcmp(ndft_field_text(record, "verdict"), "pass");
    const ndft_columns columns = {.id_width = 40, .timed = true};
    ndft_show_header(columns);
    ndft_show_record(columns, record);
    return true;
}

/* Of one that was only checked, the default. */
static ndft_mode mode_of(const json_t *record)
{
    const ndft_mode mode = ndft_mode_find(ndft_field_text(record, "mode"));
    return mode < NDFT_N_MODES ? mode : NDFT_BATCH;
}

static void tell(const json_t *record, const ndft_registered *entry)
{
    char seconds[NDFT_SHOWN];
    double median = ndft_field_number(record, "median_s");
    const char *build_id = ndft_field_text(record, "build_id");
    printf("%s\nrecorded: %s %s\n", ndft_field_text(record, "case"),
           ndft_field_text(record, "verdict"),
           median > 0 ? ndft_show_seconds(median, seconds) : ndft_field_text(record, "reason"));
    if (strcmp(build_id, entry->build_id))
        printf("the variant's sources or flags have changed since (%s, now %s)\n", build_id,
               entry->build_id);
}

/* How a peer's record is had without us. */
static ndft_status tell_alone(const json_t *record, const ndft_candidate *candidate,
                              const ndft_case *problem, ndft_error *err)
{
    const ndft_peer *peer = ndft_peer_entry(candidate->entry);
    if (!peer) return NDFT_OK;
    const ndft_kind *kind = ndft_kind_of(problem);
    const int threads = (int)json_integer_value(json_object_get(record, "threads"));
    char arguments[512], command[NDFT_ALONE_MAX];
    ndft_made made;
    NDFT_TRY(kind->make(problem, &made, err));
    peer->alone(&made.problem, candidate->knobs, threads, arguments, sizeof arguments);
    ndft_made_free(&made);
    if (ndft_record_alone(candidate, problem, arguments, ndft_field_text(record, "mode"), command))
        printf("without ndft: %s\n", command);
    return NDFT_OK;
}

static ndft_status again(const json_t *record, ndft_group_options *options,
                         const ndft_isolate_options *how, bool *passed, ndft_error *err)
{
    ndft_work work = {.mode = mode_of(record)};
    const ndft_run none = {.id = ""};
    ndft_candidate candidate;
    ndft_isolate *isolate;
    options->timing.min_time_s = fmax(ndft_field_number(record, "min_time_s"), 0); /* NaN: 0 */
    NDFT_TRY(ndft_case_parse(ndft_field_text(record, "case"), &work.problem, err));
    NDFT_TRY(ndft_case_runs_no_code(&work.problem, err));
    NDFT_TRY(ndft_id_parse(ndft_field_text(record, "variant"), &candidate, err));
    tell(record, candidate.entry);
    NDFT_TRY(tell_alone(record, &candidate, &work.problem, err));
    work.backend = ndft_backend_find(candidate.entry->backend);
    NDFT_TRY(ndft_isolate_open(how, &isolate, err));
    ndft_status status = ndft_isolate_run(isolate, &work, &candidate, 1, options, &none,
                                          &(ndft_record_sink){take, passed}, err);
    ndft_isolate_close(isolate);
    return status;
}

int ndft_verb_repro(ndft_cli *cli)
{
    ndft_isolate_options how = ndft_isolate_defaults;
    const ndft_option options_of[] = {
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &how.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &how.deadline_s},
        {0}};
    int code = ndft_cli_options(cli, options_of, 2);
    if (code != NDFT_PROCEED) return code;
    bool passed = false;
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.interrupted = cli->interrupted;
    ndft_error err = {0};
    search s = {.key = cli->argv[0]};
    ndft_status status = ndft_log_read(cli->argv[1], look, &s, &err);
    if (status == NDFT_OK && !s.found)
        status =
            ndft_fail(&err, NDFT_EINVAL, "%s has no record with key '%s'", cli->argv[1], s.key);
    if (status == NDFT_OK && s.several)
        status = ndft_fail(&err, NDFT_EINVAL, "%s has several records whose keys begin with '%s'",
                           cli->argv[1], s.key);
    if (status == NDFT_OK) status = again(s.found, &options, &how, &passed, &err);
    json_decref(s.found);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    return passed ? NDFT_EXIT_OK : NDFT_EXIT_FAILED;
}
