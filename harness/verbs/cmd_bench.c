/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"
#include "scaling/gpus.h"

/* Other ways of timing are of one device. */
static int scale(const ndft_cli *cli, const ndft_table *table, const char *numbers,
                 const char *output)
{
    const ndft_timing_options *timing = &table->session.options.timing;
    const ndft_gpus gpus = {.numbers = numbers,
                            .backend = table->backend,
                            .variant = table->variants,
                            .budget_s = timing->budget_s,
                            .min_samples = timing->min_samples,
                            .json = table->json,
                            .output = output,
                            .argc = cli->all_argc,
                            .argv = cli->all_argv,
                            .interrupted = cli->interrupted};
    ndft_error err = {0};
    if (!*table->knobs && !table->modes && table->isolate.processes < 2)
        return ndft_gpus_run(&gpus, cli->argv[0]);
    ndft_fail(&err, NDFT_EINVAL, "--gpus goes without --knob, --modes and --processes");
    return ndft_cli_fail(&err);
}

static int refuse_output(void)
{
    ndft_error err = {0};
    ndft_fail(&err, NDFT_EINVAL, "bench writes files of --gpus alone; nearest: sweep --case");
    return ndft_cli_fail(&err);
}

int ndft_verb_bench(ndft_cli *cli)
{
    ndft_table table = {.knobs = "",
                        .session.options = {.timed = true, .timing = ndft_timing_defaults},
                        .isolate = ndft_isolate_defaults};
    ndft_timing_options *timing = &table.session.options.timing;
    const char *gpus = NULL, *output = NULL;
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
         "scaling: groups of so many devices beside the best of one; --variant ID", .text = &gpus},
        {"json", 'j', NULL, "print records", .flag = &table.json},
        {"output", 'o', "FILE", "of --gpus: append the records to this file", .text = &output,
         .suffix = ".jsonl"},
        {0}};
    int code = ndft_cli_options(cli, options, 1);
    if (code != NDFT_PROCEED) return code;
    timing->interrupted = cli->interrupted;
    if (gpus) return scale(cli, &table, gpus, output);
    if (output) return refuse_output();
    return ndft_table_run(&table, cli->argv[0]);
}
