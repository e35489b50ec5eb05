/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"
#include "scaling/gpus.h"

/* Other ways of timing are of one device. */
static int scale(const ndft_cli *cli, const ndft_table *table, ndft_gpus *gpus)
{
    const ndft_timing_options *timing = &table->session.options.timing;
    ndft_error err = {0};
    gpus->backend = table->backend;
    gpus->variant = table->variants;
    gpus->budget_s = timing->budget_s;
    gpus->min_samples = timing->min_samples;
    gpus->json = table->json;
    gpus->argc = cli->all_argc;
    gpus->argv = cli->all_argv;
    gpus->interrupted = cli->interrupted;
    if (!*table->knobs && !table->modes && table->isolate.processes < 2)
        return ndft_gpus_run(gpus, cli->argv[0]);
    ndft_fail(&err, NDFT_EINVAL, "--gpus goes without --knob, --modes and --processes");
    return ndft_cli_fail(&err);
}

/* Without them. */
static int refuse(const ndft_gpus *gpus)
{
    ndft_error err = {0};
    if (gpus->iterations)
        ndft_fail(&err, NDFT_EINVAL, "--cg is of groups; nearest: --gpus 1 --cg %d",
                  gpus->iterations);
    else
        ndft_fail(&err, NDFT_EINVAL, "bench writes files of --gpus alone; nearest: sweep --case");
    return ndft_cli_fail(&err);
}

int ndft_verb_bench(ndft_cli *cli)
{
    ndft_table table = {.knobs = "",
                        .session.options = {.timed = true, .timing = ndft_timing_defaults},
                        .isolate = ndft_isolate_defaults};
    ndft_timing_options *timing = &table.session.options.timing;
    ndft_gpus gpus = {.numbers = NULL};
    const ndft_option options[] = {
        {"variant", 'v', "ERE", "only variants whose NAME.BACKEND matches; best: the chosen one",
         .text = &table.variants},
        {"backend", 'b', "NAME", "only this backend", .text = &table.backend},
        {"knob", 'k', "K=V,...", "knob values; only variants with these knobs",
         .text = &table.knobs},
        {"modes", 'm', "MODE,...", "batch, cold, warm, graph, stages, end-to-end (batch)",
         .text = &table.modes},
        {"budget", 't', "S", "measured time for each variant (0.5)", .real = &timing->budget_s},
        {"min-samples", 's', "N", "samples taken whatever the budget (3)",
         .whole = &timing->min_samples},
        {"processes", 'P', "N", "run all of it in N processes, one after the other (1)",
         .whole = &table.isolate.processes},
        {"min-time", 'M', "S", "batch and graph are steady, measured for so long; 0: bursts (0)",
         .real = &timing->min_time_s, .or_zero = true},
        {"limit", 'l', "S", "do not start executions estimated to be longer (60)",
         .real = &timing->limit_s},
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &table.isolate.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &table.isolate.deadline_s},
        {"gpus", 'g', "N,...",
         "scaling: groups of so many devices beside the best of one; --variant ID",
         .text = &gpus.numbers},
        {"ranks", 0, "N,...", "likewise of so many processes with a device each",
         .text = &gpus.ranks},
        {"cg", 0, "N", "of both: time N iterations of conjugate gradients, not the operator alone",
         .whole = &gpus.iterations},
        {"json", 'j', NULL, "print records", .flag = &table.json},
        {"output", 'o', "FILE", "of --gpus: append the records to this file", .text = &gpus.output,
         .suffix = ".jsonl"},
        {0}};
    int code = ndft_cli_options(cli, options, 1);
    if (code != NDFT_PROCEED) return code;
    timing->interrupted = cli->interrupted;
    if (gpus.numbers || gpus.ranks) return scale(cli, &table, &gpus);
    if (gpus.output || gpus.iterations) return refuse(&gpus);
    return ndft_table_run(&table, cli->argv[0]);
}
