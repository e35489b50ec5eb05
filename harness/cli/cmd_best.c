/* SPDX-License-Identifier: Apache-2.0 */
#include "best.h"

#include "backend.h"
#include "cli.h"
#include "kinds.h"

#include <stdio.h>
#include <string.h>

/* ndft best: which variant would serve a case, and which record says so. */

static void print(json_t *answer)
{
    json_dumpf(answer, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(answer);
}

/* choice is NULL where nothing fits, for the reason why. */
static void report(const char *text, const char *slug, const char *backend,
                   const ndft_choice *choice, const char *why, bool json)
{
    if (!json) {
        printf("%s: %s\n", slug, choice ? choice->text : why);
        return;
    }
    print(json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:f, s:s?, s:s}", "case", text, "device", slug,
                    "backend", backend, "variant", choice ? choice->variant : NULL, "match",
                    choice ? ndft_match_name(choice->match) : NULL, "distance",
                    choice ? choice->distance : 0, "record", choice ? choice->record : NULL, "text",
                    choice ? choice->text : why));
}

static ndft_status answer_backend(const char *text, const ndft_case *c, const ndft_made *made,
                                  const ndft_backend *backend, bool json, ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    ndft_choice choice = {.match = NDFT_MATCH_DEFAULT};
    ndft_candidate candidate;
    ndft_best best;
    ndft_best_begin(&best, &made->problem, c->op, &exec->device, &choice);
    ndft_status status = ndft_best_next(&best, &candidate, err);
    ndft_best_end(&best);
    if (status == NDFT_OK || status == NDFT_EUNFIT)
        report(text, exec->device.slug, backend->name, status == NDFT_OK ? &choice : NULL,
               err->message, json);
    backend->close(exec);
    if (status != NDFT_EUNFIT) return status;
    *err = (ndft_error){0}; /* another backend may serve it */
    return NDFT_OK;
}

/* On every device that is here. */
static ndft_status answer(const char *text, const ndft_case *c, const char *only, bool json,
                          ndft_error *err)
{
    ndft_made made;
    NDFT_TRY(ndft_nonuniform.make(c, &made, err));
    ndft_status status = NDFT_OK;
    for (const ndft_backend *const *b = ndft_backends; *b && status == NDFT_OK; b++)
        if (!(*b)->missing() && (!only || !strcmp(only, (*b)->name)))
            status = answer_backend(text, c, &made, *b, json, err);
    ndft_nonuniform.release(&made);
    return status;
}

static json_t *order_of(const ndft_found *found)
{
    json_t *order = json_array();
    for (size_t i = 0; found->match != NDFT_MATCH_DEFAULT && i < json_array_size(found->pick.order);
         i++)
        json_array_append_new(order, json_string(ndft_select_entry(&found->pick, i).variant));
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_candidate candidate = ndft_candidate_of(&ndft_registry[i]);
        char id[NDFT_ID_MAX];
        ndft_id_print(&candidate, id, sizeof id);
        json_array_append_new(order, json_string(id));
    }
    return order;
}

/* What the file says, with nothing tried: neither the device nor its variants need be here. */
static ndft_status answer_elsewhere(const char *text, const ndft_case *c, const char *slug,
                                    ndft_error *err)
{
    ndft_select select;
    char path[sizeof select.path];
    ndft_select_path(slug, path, sizeof path);
    NDFT_TRY(ndft_select_open(path, &select, err));
    ndft_question question = ndft_question_of_case(c, slug);
    ndft_found found = ndft_select_find(&select, &question);
    print(json_pack("{s:s, s:s, s:s, s:s, s:f, s:s?, s:o}", "case", text, "device", slug, "select",
                    path, "match", ndft_match_name(found.match), "distance", found.distance,
                    "nearest", found.near_case, "order", order_of(&found)));
    ndft_select_close(&select);
    return NDFT_OK;
}

static int run(ndft_cli *cli)
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
        if (ndft_nonuniform.parse(cli->argv[i], &c, &err) != NDFT_OK) break;
        ndft_nonuniform.print(&c, text, sizeof text);
        if (slug)
            answer_elsewhere(text, &c, slug, &err);
        else
            answer(text, &c, backend, json, &err);
    }
    return err.status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}

const ndft_verb ndft_verb_best = {
    .name = "best",
    .arguments = "CASE...",
    .summary = "which variant measurements chose for a case, and which record says so",
    .run = run,
};
