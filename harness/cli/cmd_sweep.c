/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "sweep.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *suite, *text, *backend, *output; /* suite file or --case text */
    const char *modes;
    bool plan, resume;
    ndft_timing_options timing;
    ndft_isolate_options isolate;
} arguments;

static void print_plan(const ndft_workload *load)
{
    for (int i = 0; i < load->size; i++) {
        const ndft_work *w = &load->items[i];
        printf("%s\n", w->text);
        for (int c = 0; c < w->n; c++) {
            char id[NDFT_ID_MAX];
            ndft_id_print(&w->candidates[c], id, sizeof id);
            printf("    %s%s\n", id, w->candidates[c].entry->variant ? "" : " (not built)");
        }
    }
    printf("%d results in %d groups\n", load->candidates, load->size);
}

/* The file's name without folder and extension. */
static void suite_name(const arguments *a, char *name, size_t size)
{
    const char *slash = a->suite ? strrchr(a->suite, '/') : NULL;
    const char *base = slash ? slash + 1 : a->suite ? a->suite : "case";
    snprintf(name, size, "%.*s", (int)strcspn(base, "."), base);
}

static void print_end(const ndft_sweep *s, const char *path)
{
    ndft_winners_print(&s->winners, stdout);
    for (int v = 0; v < NDFT_N_VERDICTS; v++)
        if (s->run.verdicts[v])
            printf("%d %s, ", s->run.verdicts[v], ndft_verdict_name((ndft_verdict)v));
    printf("records in %s\n", path);
}

/* failed: whether a result of this run was wrong. */
static ndft_status sweep(const arguments *a, const ndft_cli *cli, const ndft_workload *load,
                         bool *failed, ndft_error *err)
{
    char name[256], own[512];
    suite_name(a, name, sizeof name);
    ndft_sweep s = {.options = {.timed = true, .timing = a->timing},
                    .run = {.suite = name, .argc = cli->all_argc, .argv = cli->all_argv}};
    ndft_status status = ndft_sweep_begin(&s, load, &a->isolate, err);
    snprintf(own, sizeof own, "results/%s/%s-%s.jsonl", ndft_sweep_slug(&s), name, s.run.utc);
    const char *path = a->output ? a->output : own;
    if (status == NDFT_OK) status = ndft_sweep_run(&s, path, a->resume, err);
    if (s.progress.done || status == NDFT_OK) print_end(&s, path);
    if (status == NDFT_EINTR)
        ndft_fail(err, status, "interrupted; go on with the same command, -o %s --resume", path);
    *failed = ndft_verdicts_fail(s.run.verdicts);
    ndft_sweep_end(&s);
    return status;
}

static int run(ndft_cli *cli)
{
    arguments a = {.timing = ndft_timing_defaults, .isolate = ndft_isolate_defaults};
    const ndft_option options[] = {
        {"case", 'c', "LINE", "one suite line in place of a file", .text = &a.text},
        {"output", 'o', "FILE", "record file (results/DEVICE/SUITE-UTC.jsonl)", .text = &a.output},
        {"resume", 'r', NULL, "keep FILE and run only what it lacks", .flag = &a.resume},
        {"plan", 'p', NULL, "print what would be run", .flag = &a.plan},
        {"backend", 'b', "NAME", "only this backend", .text = &a.backend},
        {"modes", 'm', "MODE,...", "batch, cold, warm, graph, end-to-end (batch)",
         .text = &a.modes},
        {"budget", 't', "S", "measured time for each variant (0.5)", .real = &a.timing.budget_s},
        {"min-samples", 's', "N", "samples taken whatever the budget (3)",
         .whole = &a.timing.min_samples},
        {"limit", 'l', "S", "do not start executions estimated to be longer (60)",
         .real = &a.timing.limit_s},
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &a.isolate.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &a.isolate.deadline_s},
        {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    if ((a.text != NULL) + cli->argc != 1)
        ndft_fail(&err, NDFT_EINVAL, "sweep needs one suite file, or --case LINE");
    else if (a.resume && !a.output)
        ndft_fail(&err, NDFT_EINVAL, "--resume needs -o FILE, the records to go on with");
    if (err.status != NDFT_OK) return ndft_cli_fail(&err);
    a.suite = cli->argv[0];
    a.timing.interrupted = cli->interrupted;
    ndft_workload load;
    ndft_wanted wanted = {.backend = a.backend};
    if ((a.modes && ndft_modes_parse(a.modes, &wanted.modes, &err) != NDFT_OK) ||
        ndft_work_read(a.suite, a.text, &wanted, &load, &err) != NDFT_OK)
        return ndft_cli_fail(&err);
    ndft_status status = NDFT_OK;
    bool failed = false;
    if (a.plan)
        print_plan(&load);
    else
        status = sweep(&a, cli, &load, &failed, &err);
    ndft_work_free(&load);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    return failed ? NDFT_EXIT_FAILED : NDFT_EXIT_OK;
}

const ndft_verb ndft_verb_sweep = {
    .name = "sweep",
    .arguments = "SUITE",
    .summary = "check, time and record everything that a suite plans",
    .run = run,
    .stops = true,
};
