/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"
#include "cli/cli.h"
#include "cli/shard.h"
#include "cli/sweep.h"
#include "cli/workers.h"
#include "scaling/jobs.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *suite, *text, *backend, *output; /* suite file or --case text */
    const char *modes;
    bool plan;
    ndft_continue with;
    const char *part;
    ndft_shard shard;
    ndft_timing_options timing;
    ndft_isolate_options isolate;
} arguments;

static void print_plan(ndft_workload *load, const ndft_shard *shard)
{
    ndft_shard_keep(shard, load);
    for (int i = 0; i < load->size; i++) {
        const ndft_work *w = &load->items[i];
        printf("%s\n", w->text);
        for (int c = 0; c < w->n; c++) {
            char id[NDFT_ID_MAX];
            ndft_id_print(&w->candidates[c], id, sizeof id);
            printf("    %s%s\n", id, w->candidates[c].entry->variant ? "" : " (not built)");
        }
    }
    for (int i = 0; i < load->divided.n; i++) {
        const ndft_divided *one = &load->divided.items[i];
        printf("%s\n    %s on", one->text, *one->variant ? one->variant : "best");
        if (*one->gpus) printf(" %s devices", one->gpus);
        if (*one->ranks) printf("%s %s ranks", *one->gpus ? "," : "", one->ranks);
        if (one->cg) printf(", %d iterations", one->cg);
        putchar('\n');
    }
    printf("%d results in %d groups", load->candidates, load->size);
    if (load->divided.n) printf(", %d cases for several devices", load->divided.n);
    if (shard->count) printf(", shard %d of %d", shard->index, shard->count);
    putchar('\n');
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
        if (s->session.run.verdicts[v])
            printf("%d %s, ", s->session.run.verdicts[v], ndft_verdict_name((ndft_verdict)v));
    fputs("records in ", stdout);
    ndft_print_plain(stdout, path);
    putchar('\n');
}

/* What failed before stands in the file, and so in the exit status. */
static bool judge(const ndft_sweep *s)
{
    bool before = ndft_verdicts_fail(s->kept);
    if (before)
        fprintf(stderr,
                "ndft: %s holds results that failed before; --retry runs again what "
                "crashed or hung\n",
                s->session.log.path);
    return before || ndft_verdicts_fail(s->session.run.verdicts);
}

/* failed: whether a result, of this run or in the file before, was wrong. */
static ndft_status sweep(const arguments *a, const ndft_cli *cli, ndft_workload *load, bool *failed,
                         ndft_error *err)
{
    char name[256], part[48] = "";
    suite_name(a, name, sizeof name);
    ndft_jobs jobs = {.timing = &a->timing};
    ndft_sweep s = {
        .session = {.options = {.timed = true, .timing = a->timing},
                    .run = {.suite = name, .argc = cli->all_argc, .argv = cli->all_argv}},
        .more = ndft_jobs_run,
        .context = &jobs};
    const char *path = s.session.log.path;
    ndft_status status = ndft_sweep_begin(&s, load, &a->isolate, err);
    ndft_shard_keep(&a->shard, load); /* devices are those of the whole, also for an empty part */
    if (a->shard.count)
        snprintf(part, sizeof part, "-shard-%d-of-%d", a->shard.index, a->shard.count);
    if (status == NDFT_OK) status = ndft_sweep_run(&s, a->output, part, &a->with, err);
    if (s.progress.done || status == NDFT_OK) print_end(&s, path);
    if (status == NDFT_EINTR)
        ndft_fail(err, status, "interrupted; go on with the same command, -o %s --resume", path);
    *failed = judge(&s) || jobs.wrong;
    ndft_sweep_end(&s);
    return status;
}

static ndft_status understand(arguments *a, const ndft_cli *cli, ndft_workload *load,
                              ndft_error *err)
{
    ndft_wanted wanted = {.backend = a->backend, .interrupted = cli->interrupted};
    a->suite = cli->argv[0];
    a->with.resume |= a->with.retry | a->with.anyway;
    if ((a->text != NULL) + cli->argc != 1)
        return ndft_fail(err, NDFT_EINVAL, "sweep needs one suite file, or --case LINE");
    if (a->with.resume && a->with.force)
        return ndft_fail(err, NDFT_EINVAL,
                         "--resume keeps the records that --force would replace; "
                         "give one of them");
    if (a->with.resume && !a->output)
        return ndft_fail(err, NDFT_EINVAL, "--resume needs -o FILE, the records to go on with");
    if (a->part && strncmp(a->part, "auto", 4) != 0)
        NDFT_TRY(ndft_shard_parse(a->part, &a->shard, err));
    if (a->modes) NDFT_TRY(ndft_modes_parse(a->modes, &wanted.modes, err));
    return ndft_work_read(a->suite, a->text, &wanted, load, err);
}

/* The one backend that all of it is on. */
static ndft_status find_backend(const ndft_workload *load, const ndft_backend **backend,
                                ndft_error *err)
{
    if (load->divided.n)
        return ndft_fail(err, NDFT_EINVAL,
                         "--shard auto gives each worker one device, and gpus= has several: sweep "
                         "those without it");
    *backend = load->items[0].backend;
    for (int i = 1; i < load->size; i++)
        if (load->items[i].backend != *backend)
            return ndft_fail(err, NDFT_EINVAL,
                             "--shard auto is of one backend, and this is of %s and %s; nearest: "
                             "--backend %s",
                             (*backend)->name, load->items[i].backend->name,
                             ndft_backend_find("cuda")->missing() ? "cpu" : "cuda");
    return NDFT_OK;
}

/* What the workers are told as well. */
static void tell(const arguments *a, char texts[5][32], const char *argument[20])
{
    int n = 0;
    const double reals[] = {a->timing.budget_s, a->timing.min_time_s, a->timing.limit_s,
                            a->isolate.deadline_s};
    static const char *const names[] = {"--budget", "--min-time", "--limit", "--deadline"};
    if (a->text) argument[n++] = "--case";
    argument[n++] = a->text ? a->text : a->suite;
    for (int i = 0; i < 4; i++) {
        snprintf(texts[i], sizeof texts[i], "%g", reals[i]);
        argument[n++] = names[i];
        argument[n++] = texts[i];
    }
    snprintf(texts[4], sizeof texts[4], "%d", a->timing.min_samples);
    argument[n++] = "--min-samples";
    argument[n++] = texts[4];
    if (a->backend) argument[n++] = "--backend";
    if (a->backend) argument[n++] = a->backend;
    if (a->modes) argument[n++] = "--modes";
    if (a->modes) argument[n++] = a->modes;
}

static ndft_status sweep_at_once(const arguments *a, const ndft_workload *load, bool *failed,
                                 ndft_error *err)
{
    char texts[5][32];
    const char *argument[20] = {NULL};
    ndft_workers workers = {.output = a->output, .force = a->with.force, .argument = argument};
    if (!a->output || a->with.resume || a->isolate.processes > 1 || a->isolate.in_process)
        return ndft_fail(err, NDFT_EINVAL,
                         "--shard auto needs -o FILE, and goes without --resume, --processes and "
                         "--in-process");
    NDFT_TRY(find_backend(load, &workers.backend, err));
    NDFT_TRY(ndft_workers_parse(a->part, workers.backend, &workers.n, err));
    tell(a, texts, argument);
    NDFT_TRY(ndft_workers_run(&workers, failed, err));
    printf("%d workers, records in %s\n", workers.n, a->output);
    return NDFT_OK;
}

int ndft_verb_sweep(ndft_cli *cli)
{
    arguments a = {.timing = ndft_timing_defaults, .isolate = ndft_isolate_defaults};
    const ndft_option options[] = {
        {"case", 'c', "LINE", "one suite line in place of a file", .text = &a.text},
        {"output", 'o', "FILE", "new record file (results/DEVICE/SUITE-UTC.jsonl)",
         .text = &a.output, .suffix = ".jsonl"},
        {"force", 0, NULL, "replace the records that FILE holds", .flag = &a.with.force},
        {"resume", 'r', NULL, "keep FILE and run only what it lacks", .flag = &a.with.resume},
        {"retry", 0, NULL, "resume, and run what crashed or hung again", .flag = &a.with.retry},
        {"resume-anyway", 0, NULL, "resume although build or device differ",
         .flag = &a.with.anyway},
        {"shard", 0, "I/N", "only the I-th of N parts; auto: all, one on each GPU at once",
         .text = &a.part},
        {"plan", 'p', NULL, "print what would be run", .flag = &a.plan},
        {"backend", 'b', "NAME", "only this backend", .text = &a.backend},
        {"modes", 'm', "MODE,...", "batch, cold, warm, graph, stages, end-to-end (batch)",
         .text = &a.modes},
        {"budget", 't', "S", "measured time for each variant (0.5)", .real = &a.timing.budget_s},
        {"min-samples", 's', "N", "samples taken whatever the budget (3)",
         .whole = &a.timing.min_samples},
        {"processes", 'P', "N", "run every group in N processes, one after the other (1)",
         .whole = &a.isolate.processes},
        {"min-time", 'M', "S", "batch and graph are steady, measured for so long; 0: bursts (0)",
         .real = &a.timing.min_time_s, .or_zero = true},
        {"limit", 'l', "S", "do not start executions estimated to be longer (60)",
         .real = &a.timing.limit_s},
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &a.isolate.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &a.isolate.deadline_s},
        {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY);
    if (code != NDFT_PROCEED) return code;
    a.timing.interrupted = cli->interrupted;
    ndft_workload load = {0};
    ndft_error err = {0};
    bool failed = false;
    ndft_status status = understand(&a, cli, &load, &err);
    if (status == NDFT_OK && a.plan)
        print_plan(&load, &a.shard);
    else if (status == NDFT_OK && a.part && !a.shard.count)
        status = sweep_at_once(&a, &load, &failed, &err);
    else if (status == NDFT_OK)
        status = sweep(&a, cli, &load, &failed, &err);
    ndft_work_free(&load);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    return failed ? NDFT_EXIT_FAILED : NDFT_EXIT_OK;
}
