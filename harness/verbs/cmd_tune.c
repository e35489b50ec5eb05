/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/show.h"
#include "cli/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ndft tune: the fastest knobs of the variants that fit, case by case. */

typedef struct arguments {
    const char *suite, *variants, *backend, *modes, *output;
    bool force;
    int processes; /* 0: as many as a published time rests on */
    double time_s;
    ndft_timing_options timing;
    ndft_isolate_options isolate;
} arguments;

static int by_seconds(const void *a, const void *b)
{
    const ndft_search *x = *(ndft_search *const *)a, *y = *(ndft_search *const *)b;
    return (x->best.seconds > y->best.seconds) - (x->best.seconds < y->best.seconds);
}

/* The best setting of each variant, fastest first, and what its search gained. */
static void print_best(ndft_tune *t)
{
    int n = 0;
    printf("%s, %s\n", t->works[0]->text, ndft_mode_name(t->works[0]->mode));
    ndft_search **passed = calloc((size_t)t->n, sizeof(ndft_search *));
    for (int i = 0; passed && i < t->n; i++)
        if (!isnan(t->searches[i].best.seconds)) passed[n++] = &t->searches[i];
    if (n) qsort(passed, (size_t)n, sizeof *passed, by_seconds);
    for (int i = 0; i < n; i++) {
        char id[NDFT_ID_MAX], text[NDFT_SHOWN];
        const ndft_setting *preset = &passed[i]->tried[0], *best = &passed[i]->best;
        ndft_id_print(&best->candidate, id, sizeof id);
        printf("%10s  %-48s %3d tried", ndft_show_seconds(best->seconds, text), id, passed[i]->n);
        if (preset->seconds > best->seconds)
            printf(", %.2fx the preset's speed", preset->seconds / best->seconds);
        putchar('\n');
    }
    free(passed);
    if (t->ended < t->n)
        printf("time was up: %d of %d searches came to their end\n", t->ended, t->n);
    t->passed += n;
}

/* Knobs are searched, whatever a suite's line says of them. */
static ndft_status choose_variants(const char *variants, ndft_suite *suite, ndft_error *err)
{
    for (size_t i = 0; i < suite->size; i++) {
        ndft_item *item = &suite->items[i];
        item->knobs[0] = 0;
        if (variants && snprintf(item->variants, sizeof item->variants, "%s", variants) >=
                            (int)sizeof item->variants)
            return ndft_fail(err, NDFT_EINVAL, "--variant '%.60s...' is too long", variants);
    }
    return NDFT_OK;
}

static ndft_status plan(const arguments *a, const ndft_cli *cli, ndft_workload *load,
                        ndft_error *err)
{
    ndft_suite suite = {0};
    ndft_wanted wanted = {.backend = a->backend, .interrupted = cli->interrupted};
    ndft_status status = NDFT_OK;
    if (!a->suite == !cli->argc)
        return ndft_fail(err, NDFT_EINVAL, "tune needs cases, or --suite FILE");
    if (a->modes) NDFT_TRY(ndft_modes_parse(a->modes, &wanted.modes, err));
    if (a->suite) status = ndft_suite_read(a->suite, &suite, err);
    for (int i = 0; i < cli->argc && status == NDFT_OK; i++)
        status = ndft_suite_add(&suite, cli->argv[i], "case", err);
    if (status == NDFT_OK && !suite.size)
        status = ndft_fail(err, NDFT_EINVAL, "%s holds no case", a->suite);
    if (status == NDFT_OK) status = choose_variants(a->variants, &suite, err);
    if (status == NDFT_OK) status = ndft_work_plan(suite.items, suite.size, &wanted, load, err);
    ndft_suite_free(&suite);
    return status;
}

static ndft_status tune(const arguments *a, const ndft_cli *cli, const ndft_workload *load,
                        int *passed, ndft_error *err)
{
    ndft_tune t = {.session = {.options = {.timed = true, .timing = a->timing},
                               .run = {.suite = "tune",
                                       .plan_cases = load->candidates,
                                       .argc = cli->all_argc,
                                       .argv = cli->all_argv}},
                   .time_s = a->time_s,
                   .tell = print_best,
                   .processes = a->processes            ? a->processes
                                : a->isolate.in_process ? 1
                                                        : 3};
    const char *path = t.session.log.path;
    const ndft_log_mode mode = a->force ? NDFT_LOG_REPLACE : NDFT_LOG_NEW;
    ndft_status status = ndft_tune_begin(&t, load, &a->isolate, err);
    if (status == NDFT_OK) status = ndft_session_log(&t.session, a->output, mode, "", err);
    if (status == NDFT_OK) {
        status = ndft_tune_run(&t, err);
        printf("records in %s; ./ndft report %s shows them\n", path, path);
    }
    *passed = t.passed;
    ndft_tune_end(&t);
    return status;
}

int ndft_verb_tune(ndft_cli *cli)
{
    arguments a = {.time_s = 60, .timing = ndft_timing_defaults, .isolate = ndft_isolate_defaults};
    a.timing.budget_s = 0.2;
    const ndft_option options[] = {
        {"variant", 'v', "ERE", "only variants whose NAME.BACKEND matches", .text = &a.variants},
        {"backend", 'b', "NAME", "only this backend", .text = &a.backend},
        {"suite", 0, "FILE", "the cases of a suite, each with the variants that its lines name",
         .text = &a.suite},
        {"modes", 'm', "MODE,...", "batch, cold, warm, graph, stages, end-to-end (batch)",
         .text = &a.modes},
        {"time", 'T', "S", "for the search on a case in a mode (60)", .real = &a.time_s},
        {"budget", 't', "S", "measured time for each setting (0.2)", .real = &a.timing.budget_s},
        {"min-time", 'M', "S", "batch and graph are steady, measured for so long; 0: bursts (0)",
         .real = &a.timing.min_time_s, .or_zero = true},
        {"limit", 'l', "S", "do not start executions estimated to be longer (60)",
         .real = &a.timing.limit_s},
        {"output", 'o', "FILE", "new record file (results/DEVICE/tune-UTC.jsonl)",
         .text = &a.output, .suffix = ".jsonl"},
        {"force", 0, NULL, "replace the records that FILE holds", .flag = &a.force},
        {"processes", 'P', "N", "confirm the best settings in N further processes; 1: do not (3)",
         .whole = &a.processes},
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &a.isolate.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &a.isolate.deadline_s},
        {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY), passed = 0;
    if (code != NDFT_PROCEED) return code;
    a.timing.interrupted = cli->interrupted;
    ndft_error err = {0};
    ndft_workload load = {0};
    ndft_status status = plan(&a, cli, &load, &err);
    if (status == NDFT_OK) status = tune(&a, cli, &load, &passed, &err);
    ndft_work_free(&load);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    if (passed) return NDFT_EXIT_OK;
    fprintf(stderr, "ndft: nothing passed\n");
    return NDFT_EXIT_USAGE;
}
