/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "group.h"
#include "log.h"
#include "show.h"

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

static void take(void *context, const ndft_result *result)
{
    int *passed = context;
    *passed = result->check.verdict == NDFT_PASS;
    ndft_show_header(true, 40);
    ndft_show_result(true, 40, result);
}

static const char *field(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text ? text : "";
}

static ndft_status again(const json_t *record, const ndft_cli *cli, int *passed, ndft_error *err)
{
    ndft_case problem;
    ndft_candidate candidate;
    char seconds[NDFT_SHOWN];
    NDFT_TRY(ndft_nonuniform.parse(field(record, "case"), &problem, err));
    NDFT_TRY(ndft_id_parse(field(record, "variant"), &candidate, err));
    const json_t *median = json_object_get(record, "median_s");
    printf("%s\nrecorded: %s %s\n", field(record, "case"), field(record, "verdict"),
           json_is_number(median) ? ndft_show_seconds(json_number_value(median), seconds)
                                  : field(record, "reason"));
    if (strcmp(field(record, "build_id"), candidate.entry->build_id))
        printf("the variant's sources or flags have changed since (%s, now %s)\n",
               field(record, "build_id"), candidate.entry->build_id);
    ndft_group_options options = {.timed = true, .timing = ndft_timing_defaults};
    options.timing.interrupted = cli->interrupted;
    return ndft_run_group(&ndft_nonuniform, &problem, ndft_backend_find(candidate.entry->backend),
                          &candidate, 1, &options, &(ndft_sink){take, passed}, err);
}

static int run(ndft_cli *cli)
{
    int code = ndft_cli_options(cli, &(ndft_option){0}, 2), passed = 0;
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    search s = {.key = cli->argv[0]};
    ndft_status status = ndft_log_read(cli->argv[1], look, &s, &err);
    if (status == NDFT_OK && !s.found)
        status =
            ndft_fail(&err, NDFT_EINVAL, "%s has no record with key '%s'", cli->argv[1], s.key);
    if (status == NDFT_OK && s.several)
        status = ndft_fail(&err, NDFT_EINVAL, "%s has several records whose keys begin with '%s'",
                           cli->argv[1], s.key);
    if (status == NDFT_OK) status = again(s.found, cli, &passed, &err);
    json_decref(s.found);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    return passed ? NDFT_EXIT_OK : NDFT_EXIT_FAILED;
}

const ndft_verb ndft_verb_repro = {
    .name = "repro",
    .arguments = "KEY FILE.jsonl",
    .summary = "run again what one record of a file says was run (KEY may be cut short)",
    .run = run,
    .stops = true,
};
