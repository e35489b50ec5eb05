/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "absent.h"
#include "choose.h"
#include "own_data.h"
#include "rivals.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void count_result(ndft_table *table, const json_t *record)
{
    const char *id = ndft_field_text(record, "variant");
    ndft_verdict verdict = ndft_verdict_find(ndft_field_text(record, "verdict"));
    bool passed = verdict == NDFT_PASS;
    table->verdicts[verdict]++;
    if (table->expect &&
        ndft_filter_match(table->expect, ndft_registered_find(id, strcspn(id, ":")))) {
        table->expected++;
        table->unmet += !passed;
    }
    double median = ndft_field_number(record, "median_s");
    const bool doubtful = ndft_field_doubt(record);
    if (passed && doubtful) table->unclear = true;
    if (!passed || doubtful || !(median < table->fastest_s)) return;
    table->fastest_s = median;
    snprintf(table->fastest, sizeof table->fastest, "%s", id);
}

/* The cache of the device that a record is of. */
static double l2_bytes_of(const ndft_table *table, const json_t *record)
{
    const ndft_device *device =
        ndft_session_device(&table->session, ndft_field_text(record, "backend"));
    return device ? (double)device->l2_bytes : 0;
}

static bool take(void *context, json_t *record)
{
    ndft_table *table = context;
    if (table->session.options.timed) ndft_session_bound(&table->session, record);
    count_result(table, record);
    if (table->session.options.timed) ndft_rivals_take(table->kept, record);
    ndft_progress_hide(&table->progress);
    if (table->json) {
        ndft_show_json(json_incref(record), JSON_COMPACT);
    } else if (!ndft_absent_record(record)) {
        table->columns.l2_bytes = l2_bytes_of(table, record);
        ndft_show_record(table->columns, record);
    }
    if (table->progress.width && !ndft_absent_record(record))
        ndft_progress_step(&table->progress, ndft_field_text(record, "variant"));
    if (fflush(stdout)) table->lost = errno;
    return !table->lost;
}

static int present(const ndft_workload *load)
{
    int n = 0;
    for (int i = 0; i < load->size; i++)
        for (int c = 0; c < load->items[i].n; c++)
            n += !ndft_absent_why(load->items[i].candidates[c].entry);
    return n;
}

static ndft_status run_all(ndft_table *table, const ndft_workload *load, ndft_error *err)
{
    ndft_session *s = &table->session;
    ndft_status status = ndft_session_open(s, &table->isolate, err);
    if (status != NDFT_OK) {
        ndft_session_close(s);
        return status;
    }
    table->kept = json_array();
    for (int i = 0; s->options.timed && i < load->size && status == NDFT_OK; i++)
        status = ndft_session_describe(s, load->items[i].backend, err);
    table->progress = ndft_progress_begin(present(load));
    for (int i = 0; i < load->size && status == NDFT_OK; i++) {
        const ndft_work *work = &load->items[i];
        status = ndft_session_run(s, s->isolate, work, work->candidates, work->n,
                                  &(ndft_record_sink){take, table}, err);
    }
    ndft_progress_hide(&table->progress);
    if (!table->json) ndft_rivals_print(table->kept);
    ndft_session_note(s);
    ndft_session_close(s);
    json_decref(table->kept);
    return table->lost ? ndft_fail(err, NDFT_EIO, "standard output: %s", strerror(table->lost))
                       : status;
}

static ndft_status copy(char *to, size_t size, const char *option, const char *text,
                        ndft_error *err)
{
    if (snprintf(to, size, "%s", text) < (int)size) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "--%s '%.60s...' has more than %zu characters", option, text,
                     size - 1);
}

static ndft_item item_of(const ndft_case *problem, const ndft_candidate *candidate)
{
    char id[NDFT_ID_MAX];
    ndft_item item = {.problem = *problem};
    ndft_id_print(candidate, id, sizeof id);
    const size_t name = strcspn(id, ":");
    snprintf(item.variants, sizeof item.variants, "%.*s", (int)name, id);
    snprintf(item.knobs, sizeof item.knobs, "%s", id[name] ? id + name + 1 : "");
    return item;
}

/* The library's choices as items, said aloud; one for each backend. */
static ndft_status best_items(const ndft_table *table, const ndft_case *problem,
                              ndft_item items[NDFT_MAX_CHOSEN], int *n, ndft_error *err)
{
    ndft_chosen chosen[NDFT_MAX_CHOSEN];
    int found;
    if (*table->knobs)
        return ndft_fail(err, NDFT_EINVAL, "--variant best sets its knobs itself: no --knob");
    NDFT_TRY(
        ndft_choose(problem, &(ndft_choosing){.backend = table->backend}, chosen, &found, err));
    *n = 0;
    for (int i = 0; i < found; i++) {
        fprintf(table->json ? stderr : stdout, "best on %s: %s\n", chosen[i].device.slug,
                chosen[i].text);
        if (chosen[i].candidate.entry) items[(*n)++] = item_of(problem, &chosen[i].candidate);
    }
    ndft_chosen_free(chosen, found);
    return *n ? NDFT_OK : ndft_fail(err, NDFT_EUNSUPPORTED, "nothing serves this case");
}

static ndft_status plan_items(const ndft_table *table, const char *text,
                              ndft_item items[NDFT_MAX_CHOSEN], int *n, ndft_error *err)
{
    const char *variants = table->variants ? table->variants : ".*";
    *n = 1;
    NDFT_TRY(ndft_case_parse(text, &items->problem, err));
    NDFT_TRY(ndft_own_data_look(&items->problem, err));
    if (ndft_is_best(table->variants)) {
        ndft_case problem = items->problem;
        return best_items(table, &problem, items, n, err);
    }
    NDFT_TRY(copy(items->variants, sizeof items->variants, "variant", variants, err));
    return copy(items->knobs, sizeof items->knobs, "knob", table->knobs, err);
}

static bool has_several_modes(const ndft_workload *load)
{
    for (int i = 1; i < load->size; i++)
        if (load->items[i].mode != load->items[0].mode) return true;
    return false;
}

static ndft_status run(ndft_table *table, const char *text, ndft_error *err)
{
    ndft_item items[NDFT_MAX_CHOSEN] = {0};
    int n;
    NDFT_TRY(plan_items(table, text, items, &n, err));
    ndft_workload load;
    ndft_wanted wanted = {.backend = table->backend};
    if (table->modes) NDFT_TRY(ndft_modes_parse(table->modes, &wanted.modes, err));
    NDFT_TRY(ndft_work_plan(items, (size_t)n, &wanted, &load, err));
    table->columns =
        (ndft_columns){load.id_width, has_several_modes(&load), table->session.options.timed, 0};
    table->fastest_s = INFINITY;
    ndft_absent_say(&load);
    if (!table->json) {
        printf("%s\n", load.items[0].text);
        ndft_show_header(table->columns);
    }
    ndft_status status = run_all(table, &load, err);
    ndft_work_free(&load);
    return status;
}

static int judge(const ndft_table *table)
{
    if (ndft_verdicts_fail(table->verdicts)) return NDFT_EXIT_FAILED;
    if (!table->verdicts[NDFT_PASS]) {
        fprintf(stderr, "ndft: nothing passed\n");
        return NDFT_EXIT_USAGE;
    }
    if (table->expect && !table->expected) {
        fprintf(stderr, "ndft: none of the variants that ran is one that --expect names\n");
        return NDFT_EXIT_USAGE;
    }
    if (!table->unmet) return NDFT_EXIT_OK;
    fprintf(stderr, "ndft: %d of the %d variants that --expect names did not pass\n", table->unmet,
            table->expected);
    return NDFT_EXIT_FAILED;
}

int ndft_table_run(ndft_table *table, const char *text)
{
    ndft_error err = {0};
    if (run(table, text, &err) != NDFT_OK) return ndft_cli_fail(&err);
    if (!table->json && table->fastest[0])
        printf("fastest: %s\n", table->fastest);
    else if (!table->json && table->unclear)
        printf("in doubt: no winner\n");
    return judge(table);
}
