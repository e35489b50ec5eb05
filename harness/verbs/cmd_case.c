/* SPDX-License-Identifier: Apache-2.0 */
#include "case/texts.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "records/fields.h"
#include "records/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ndft case: what a line of text says, as every other verb reads it. */

static json_t *answer_json(const char *text, const ndft_case *c, const ndft_error *err)
{
    if (err->status != NDFT_OK)
        return json_pack("{s:o?, s:o?}", "case", ndft_field_of_text(text), "error",
                         ndft_field_of_text(err->message));
    return json_pack("{s:s, s:o}", "case", text, "problem", ndft_record_problem(c));
}

/* The worse of the code so far and this answer's. */
static int answer(const char *text, bool json, int code)
{
    ndft_case c;
    ndft_error err = {0};
    char line[NDFT_CASE_MAX];
    if (ndft_case_parse(text, &c, &err) == NDFT_OK) ndft_case_print(&c, line, sizeof line);
    if (json)
        ndft_show_json(answer_json(err.status == NDFT_OK ? line : text, &c, &err), JSON_COMPACT);
    else if (err.status == NDFT_OK)
        puts(line);
    if (err.status == NDFT_OK) return code;
    return json ? NDFT_EXIT_USAGE : ndft_cli_fail(&err);
}

static int answer_lines(FILE *in, bool json)
{
    char *line = NULL;
    size_t size = 0;
    int code = NDFT_EXIT_OK;
    while (ndft_line_read(&line, &size, in)) {
        line[strcspn(line, "\n")] = 0;
        code = answer(line, json, code);
    }
    free(line);
    return code;
}

int ndft_verb_case(ndft_cli *cli)
{
    bool json = false;
    const ndft_option options[] = {{"json", 'j', NULL,
                                    "print the line and its values as JSON, or why it is no case",
                                    .flag = &json},
                                   {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    if (!cli->argc) {
        ndft_fail(&err, NDFT_EINVAL, "case needs a CASE, or - to read lines; see ndft case --help");
        return ndft_cli_fail(&err);
    }
    code = NDFT_EXIT_OK;
    for (int i = 0; i < cli->argc; i++)
        code = strcmp(cli->argv[i], "-") ? answer(cli->argv[i], json, code)
                                         : answer_lines(stdin, json);
    return code;
}
