/* SPDX-License-Identifier: Apache-2.0 */
#include "several.h"

#include "order.h"
#include "records/record_processes.h"

#include <stdlib.h>
#include <string.h>

typedef struct several {
    const ndft_candidate *candidates;
    int n;
    json_t *records; /* of each candidate, a list */
} several;

/* The list of the candidate that a record names; NULL: of none. */
static json_t *list_of(const several *s, const json_t *record)
{
    const char *id = json_string_value(json_object_get(record, "variant"));
    for (int i = 0; id && i < s->n; i++) {
        char text[NDFT_ID_MAX];
        ndft_id_print(&s->candidates[i], text, sizeof text);
        if (!strcmp(text, id)) return json_array_get(s->records, (size_t)i);
    }
    return NULL;
}

static bool keep(void *context, json_t *record)
{
    json_t *list = list_of(context, record);
    if (list) json_array_append(list, record);
    return true;
}

/* Those that every process before had a time of, in this one's order. */
static int still_running(const several *s, int process, uint64_t seed, int *order,
                         ndft_candidate *running)
{
    ndft_random random = {seed + (uint64_t)process};
    int count = 0;
    for (int i = 0; i < s->n; i++) order[i] = i;
    if (process) ndft_order_round(order, s->n, process, &random);
    for (int i = 0; i < s->n; i++) {
        const json_t *list = json_array_get(s->records, (size_t)order[i]);
        const size_t had = json_array_size(list);
        if (had < (size_t)process) continue;
        if (had && !ndft_record_is_timed(json_array_get(list, had - 1))) continue;
        running[count++] = s->candidates[order[i]];
    }
    return count;
}

static ndft_status run_all(several *s, const ndft_once *once, int processes, uint64_t seed,
                           ndft_error *err)
{
    int *order = malloc((size_t)s->n * sizeof *order);
    ndft_candidate *running = malloc((size_t)s->n * sizeof *running);
    const ndft_record_sink sink = {keep, s};
    ndft_status status =
        order && running ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    for (int p = 0; p < processes && status == NDFT_OK; p++) {
        const int n = still_running(s, p, seed, order, running);
        if (n) status = once->run(once->context, running, n, &sink, err);
    }
    free(running);
    free(order);
    return status;
}

/* False: the sink could not keep one. */
static bool hand_over(const several *s, int processes, const ndft_record_sink *sink)
{
    for (int i = 0; i < s->n; i++) {
        const json_t *list = json_array_get(s->records, (size_t)i);
        if (!json_array_size(list)) continue;
        json_t *joined = ndft_record_join(list, processes);
        const bool kept = sink->take(sink->context, joined);
        json_decref(joined);
        if (!kept) return false;
    }
    return true;
}

ndft_status ndft_several_run(const ndft_once *once, int processes, const ndft_candidate *candidates,
                             int n, uint64_t seed, const ndft_record_sink *sink, ndft_error *err)
{
    several s = {.candidates = candidates, .n = n, .records = json_array()};
    for (int i = 0; i < n; i++) json_array_append_new(s.records, json_array());
    ndft_status status = run_all(&s, once, processes, seed, err);
    if (!hand_over(&s, processes, sink))
        status = ndft_fail(err, NDFT_EIO, "a record could not be kept");
    json_decref(s.records);
    return status;
}
