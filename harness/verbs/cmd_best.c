/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "naming/peer.h"
#include "problem/kinds.h"
#include "select/predict.h"

#include <jansson.h>

#include <stdio.h>
#include <string.h>

/* ndft best: which variant would serve a case, and which record says so. */

static void report(const char *text, const ndft_chosen *chosen, bool json)
{
    const ndft_choice *choice = chosen->candidate.entry ? &chosen->choice : NULL;
    const ndft_device *device = &chosen->device;
    if (json)
        ndft_show_json(json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:f, s:s?, s:s}", "case", text,
                                 "device", device->slug, "backend", device->backend, "variant",
                                 choice ? choice->variant : NULL, "match",
                                 choice ? ndft_match_name(choice->match) : NULL, "distance",
                                 chosen->choice.distance, "record", choice ? choice->record : NULL,
                                 "text", chosen->choice.text),
                       JSON_COMPACT);
    else
        printf("%s: %s\n", device->slug, chosen->choice.text);
}

static ndft_status answer(const char *text, const ndft_case *c, const char *backend, bool json,
                          ndft_error *err)
{
    ndft_chosen chosen[NDFT_MAX_CHOSEN];
    int n;
    NDFT_TRY(ndft_choose(c, backend, chosen, &n, err));
    for (int i = 0; i < n; i++) report(text, &chosen[i], json);
    return NDFT_OK;
}

/* Without what was checked to less accuracy than is asked for, as ndft_plan_best passes it over. */
static json_t *order_of(const ndft_found *found, const ndft_kind *kind, double tol)
{
    json_t *order = json_array();
    for (size_t i = 0; found->match != NDFT_MATCH_DEFAULT && i < json_array_size(found->pick.order);
         i++) {
        const ndft_entry entry = ndft_select_entry(&found->pick, i);
        if (entry.error <= tol) json_array_append_new(order, json_string(entry.variant));
    }
    for (int i = 0; i < ndft_registry_size; i++) {
        if (ndft_by_name_only(&ndft_registry[i]) || ndft_registry[i].kind != kind->problems)
            continue;
        ndft_candidate candidate = ndft_candidate_of(&ndft_registry[i]);
        char id[NDFT_ID_MAX];
        ndft_id_print(&candidate, id, sizeof id);
        json_array_append_new(order, json_string(id));
    }
    return order;
}

/* A device that no variant is too large for. */
static const ndft_device anywhere = {.units = 1,
                                     .memory_bytes = (size_t)1 << 40,
                                     .shared_bytes = 227 << 10,
                                     .capability = 90,
                                     .code = 90,
                                     .isa = NDFT_X86_64_V4};

/* What the file says, with nothing tried: neither the device nor its variants need be here. */
static ndft_status answer_elsewhere(const char *text, const ndft_case *c, const char *slug,
                                    ndft_error *err)
{
    const ndft_kind *kind = ndft_kind_of(c);
    ndft_select select;
    char path[sizeof select.path];
    ndft_select_path(slug, path, sizeof path);
    NDFT_TRY(ndft_select_open(path, &select, err));
    ndft_made made;
    ndft_status status = kind->make(c, &made, err);
    if (status != NDFT_OK) {
        ndft_select_close(&select);
        return status;
    }
    ndft_question question = kind->question(&made.problem, c->op, slug);
    ndft_found found = ndft_select_find(&select, &question);
    if (found.match != NDFT_MATCH_DEFAULT)
        ndft_predict(&select, &found.pick, &question, kind, &made.problem, c->op, &anywhere);
    ndft_made_free(&made);
    ndft_show_json(json_pack("{s:s, s:s, s:s, s:s, s:f, s:s?, s:o}", "case", text, "device", slug,
                             "select", path, "match", ndft_match_name(found.match), "distance",
                             found.distance, "nearest", found.near_case, "order",
                             order_of(&found, kind, c->tol)),
                   JSON_COMPACT);
    ndft_select_close(&select);
    return NDFT_OK;
}

int ndft_verb_best(ndft_cli *cli)
{
    const char *slug = NULL, *backend = NULL;
    bool json = false;
    const ndft_option options[] = {
        {"backend", 'b', "NAME", "only this backend", .text = &backend},
        {"device", 'd', "SLUG", "the order of preference on a device elsewhere, as JSON",
         .text = &slug},
        {"json", 'j', NULL, "print JSON, a line for each answer", .flag = &json},
        {0}};
    int code = ndft_cli_options(cli, options, NDFT_ANY);
    if (code != NDFT_PROCEED) return code;
    ndft_error err = {0};
    if (!cli->argc) ndft_fail(&err, NDFT_EINVAL, "best needs a CASE; see ndft best --help");
    for (int i = 0; i < cli->argc && err.status == NDFT_OK; i++) {
        ndft_case c;
        char text[NDFT_CASE_MAX];
        if (ndft_case_parse(cli->argv[i], &c, &err) != NDFT_OK) break;
        ndft_case_print(&c, text, sizeof text);
        if (slug)
            answer_elsewhere(text, &c, slug, &err);
        else
            answer(text, &c, backend, json, &err);
    }
    return err.status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}
