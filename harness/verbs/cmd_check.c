/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

int ndft_verb_check(ndft_cli *cli)
{
    const char *expect = NULL;
    ndft_table table = {.knobs = "",
                        .session.options.timing = ndft_timing_defaults,
                        .isolate = ndft_isolate_defaults};
    const ndft_option options[] = {
        {"variant", 'v', "ERE", "only variants whose NAME.BACKEND matches; best: the chosen one",
         .text = &table.variants},
        {"expect", 'e', "ERE", "fail unless all variants that match pass", .text = &expect},
        {"backend", 'b', "NAME", "only this backend", .text = &table.backend},
        {"knob", 'k', "K=V,...", "knob values; only variants with these knobs",
         .text = &table.knobs},
        {"limit", 'l', "S", "do not start executions estimated to be longer (60)",
         .real = &table.session.options.timing.limit_s},
        {"in-process", 0, NULL, "no worker processes: for debuggers and profilers",
         .flag = &table.isolate.in_process},
        {"deadline", 0, "S", "kill workers silent for so long, at least (30)",
         .real = &table.isolate.deadline_s},
        {"json", 'j', NULL, "print records", .flag = &table.json},
        {0}};
    int code = ndft_cli_options(cli, options, 1);
    if (code != NDFT_PROCEED) return code;
    table.session.options.timing.interrupted = cli->interrupted;
    ndft_filter filter;
    ndft_error err = {0};
    if (!expect) return ndft_table_run(&table, cli->argv[0]);
    if (ndft_filter_open(expect, &filter, &err) != NDFT_OK) return ndft_cli_fail(&err);
    table.expect = &filter;
    code = ndft_table_run(&table, cli->argv[0]);
    ndft_filter_close(&filter);
    return code;
}
