/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/elsewhere.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

/* ndft best: which engine the library takes for a case, why, and what else there is. */

typedef struct request {
    const char *on; /* a device that need not be here */
    bool all, json;
    ndft_choosing how;
} request;

static void list_all(const json_t *facts)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(facts, "serve"), i, one)
    {
        char time[NDFT_SHOWN];
        printf("%10s  %s\n", ndft_show_seconds(ndft_field_number(one, "estimated_s"), time),
               ndft_field_text(one, "variant"));
    }
    json_array_foreach(json_object_get(facts, "passed_over"), i, one)
        printf("%10s  %s: %s\n", "-", ndft_field_text(one, "variant"), ndft_field_text(one, "why"));
}

static void report(const char *text, const request *r, ndft_chosen *c)
{
    if (r->json) {
        json_object_set_new(c->facts, "case", json_string(text));
        ndft_show_json(json_incref(c->facts), JSON_COMPACT);
        return;
    }
    printf("%s: %s\n", c->device.slug, c->text);
    if (r->all) list_all(c->facts);
}

/* No vectors are drawn, which nobody transforms. */
static ndft_status choose_elsewhere(ndft_case c, const request *r, ndft_chosen *chosen,
                                    ndft_error *err)
{
    ndft_made made;
    ndft_device device;
    const ndft_kind *kind = ndft_kind_of(&c);
    NDFT_TRY(ndft_elsewhere_parse(r->on, &device, err));
    if (c.data.kind == NDFT_SOURCE_RANDOM) c.data.kind = NDFT_SOURCE_NONE;
    NDFT_TRY(kind->make(&c, &made, err));
    ndft_choose_on(&device, kind, &made, c.op, r->how.deterministic, chosen);
    ndft_made_free(&made);
    return NDFT_OK;
}

static ndft_status answer(const char *operand, const request *r, ndft_error *err)
{
    ndft_case c;
    ndft_chosen chosen[NDFT_MAX_CHOSEN];
    char text[NDFT_CASE_MAX];
    int n = 1;
    NDFT_TRY(ndft_case_parse(operand, &c, err));
    ndft_case_print(&c, text, sizeof text);
    if (r->on)
        NDFT_TRY(choose_elsewhere(c, r, chosen, err));
    else
        NDFT_TRY(ndft_choose(&c, &r->how, chosen, &n, err));
    for (int i = 0; i < n; i++) report(text, r, &chosen[i]);
    ndft_chosen_free(chosen, n);
    return NDFT_OK;
}

static ndft_status check(const ndft_cli *cli, request *r, ndft_error *err)
{
    if (!cli->argc) return ndft_fail(err, NDFT_EINVAL, "best needs a CASE; see ndft best --help");
    if (r->how.mode && !strcmp(r->how.mode, "estimate")) r->how.mode = NULL;
    if (r->on && (r->how.mode || r->how.backend))
        return ndft_fail(err, NDFT_EINVAL, "--on is a device that need not be here: no --%s",
                         r->how.mode ? "mode" : "backend");
    return NDFT_OK;
}

int ndft_verb_best(ndft_cli *cli)
{
    request r = {0};
    const ndft_option options[] = {
        {"backend", 'b', "NAME", "only this backend", .text = &r.how.backend},
        {"mode", 'm', "MODE",
         "estimate (default); measure or exhaustive: time them here, and "
         "remember",
         .text = &r.how.mode},
        {"time", 't', "S", "of measuring, at most (measure: 2)", .real = &r.how.time_limit_s},
        {"deterministic", 0, NULL, "the same bits every time", .flag = &r.how.deterministic},
        {"on", 0, "DEVICE",
         "one that need not be here: cuda:capability=89,units=128,mhz=2520,gb=24,gbs=1008",
         .text = &r.on},
        {"all", 'a', NULL, "all that serve with their times, and why others do not",
         .flag = &r.all},
        {"json", 'j', NULL, "print JSON, a line for each answer, with all of that",
         .flag = &r.json},
        {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    check(cli, &r, &err);
    for (int i = 0; i < cli->argc && err.status == NDFT_OK; i++) answer(cli->argv[i], &r, &err);
    return err.status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}
