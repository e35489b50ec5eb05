/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/doctor.h"
#include "cli/show.h"
#include "records/libraries.h"

#include <stdio.h>

/* ndft doctor: what works on this machine, what does not, and what to do. */

static void say_build(ndft_doctor *d)
{
    const ndft_build_facts *b = &ndft_build_info;
    ndft_doctor_say(d, "build", NDFT_WORKS, NULL, "ndft %s, commit %s%s; %s, %s, %s %s", b->version,
                    b->commit, b->dirty ? ", modified" : "", b->cc, *b->nvcc ? b->nvcc : "no nvcc",
                    b->type, b->flags);
}

static void print(const json_t *findings)
{
    size_t i;
    const json_t *finding;
    json_array_foreach(findings, i, finding)
    {
        const char *advice = ndft_field_text(finding, "advice");
        printf("%-17s %-6s  %s\n", ndft_field_text(finding, "what"),
               ndft_field_text(finding, "state"), ndft_field_text(finding, "found"));
        if (*advice) printf("%-17s     ->  %s\n", "", advice);
    }
}

int ndft_verb_doctor(ndft_cli *cli)
{
    bool json = false;
    const ndft_option options[] = {{"json", 'j', NULL, "one object, for programs", .flag = &json},
                                   {0}};
    int code = ndft_cli_options(cli, options, 0);
    if (code != NDFT_PROCEED) return code;
    ndft_doctor d = {.findings = json_array()};
    say_build(&d);
    ndft_doctor_backends(&d);
    ndft_doctor_driver(&d);
    ndft_doctor_host(&d);
    ndft_doctor_folders(&d);
    ndft_doctor_tools(&d);
    if (json) {
        ndft_show_json(json_pack("{s:b, s:O}", "usable", !d.broken, "findings", d.findings),
                       JSON_INDENT(1));
    } else {
        print(d.findings);
    }
    json_decref(d.findings);
    return d.broken ? NDFT_EXIT_ENVIRONMENT : NDFT_EXIT_OK;
}
