/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "harness.h"
#include "naming/filter.h"
#include "naming/peer.h"
#include "problem/kinds.h"
#include "records/record.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ndft list: every registered variant, built or not. */

static const ndft_op all_ops[] = {NDFT_FORWARD, NDFT_ADJOINT, NDFT_NORMAL};

static json_t *knob_json(const ndft_knob *knob)
{
    json_t *candidates = json_array();
    for (int i = 0; i < knob->n_candidates; i++)
        json_array_append_new(candidates, ndft_record_knob(knob, knob->candidates[i]));
    return json_pack("{s:s, s:s?, s:s?, s:o, s:o}", "name", knob->name, "unit", knob->unit,
                     "summary", knob->summary, "default", ndft_record_knob(knob, knob->preset),
                     "candidates", candidates);
}

static json_t *claim_json(const ndft_claim *claim)
{
    return json_pack("{s:f, s:f, s:f, s:b, s:b, s:b}", "a", claim->a, "b", claim->b, "c", claim->c,
                     "truncation", claim->truncation != NULL, "deterministic", claim->deterministic,
                     "preserves_input", !claim->overwrites_input);
}

/* An engine's own is not that of the stages that it has by default. */
static const char *summary_of(const ndft_candidate *candidate)
{
    const ndft_variant *v = candidate->entry->variant;
    if (!v || ndft_is_engine(candidate->entry)) return v ? v->summary : NULL;
    return ndft_traits_of(v, candidate->knobs).summary;
}

static json_t *entry_json(const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    const ndft_variant *v = entry->variant;
    char id[NDFT_ID_MAX];
    ndft_id_print(&candidate, id, sizeof id);
    json_t *ops = json_array(), *knobs = json_array();
    const ndft_traits traits = v ? ndft_traits_of(v, candidate.knobs) : (ndft_traits){0};
    for (int i = 0; v && i < 3; i++)
        if (ndft_served_ops(v, candidate.knobs) & all_ops[i])
            json_array_append_new(ops, json_string(ndft_op_name(all_ops[i])));
    for (int i = 0; v && i < v->n_knobs; i++)
        if (ndft_knob_open(entry, i)) json_array_append_new(knobs, knob_json(&v->knobs[i]));
    json_t *claim = v && !entry->ablates ? claim_json(&traits.claim) : json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:b}", "name",
                     entry->name, "backend", entry->backend, "kind",
                     ndft_kind_serving(entry->kind)->name, "id", id, "summary",
                     summary_of(&candidate), "built", !ndft_not_built(entry), "build_id",
                     entry->build_id, "ops", ops, "knobs", knobs, "claim", claim, "ablates",
                     ndft_record_ablates(entry), "peer", ndft_record_peer(entry), "by_name_only",
                     ndft_by_name_only(entry));
}

static void print_json(const ndft_filter *filter)
{
    json_t *variants = json_array();
    for (int i = 0; i < ndft_registry_size; i++)
        if (ndft_filter_match(filter, &ndft_registry[i]))
            json_array_append_new(variants, entry_json(&ndft_registry[i]));
    ndft_show_json(json_pack("{s:o}", "variants", variants), JSON_INDENT(2));
}

static void print_knob(const ndft_knob *knob)
{
    char value[NDFT_KNOB_TEXT], values[256];
    ndft_text line = ndft_text_in(values, sizeof values);
    for (int i = 0; i < knob->n_candidates; i++) {
        ndft_knob_print(knob, knob->candidates[i], value);
        ndft_text_add(&line, "%s%s", i ? "," : "", value);
    }
    ndft_knob_print(knob, knob->preset, value);
    printf("    %s={%s}, default %s: %s\n", knob->name, values, value,
           knob->summary ? knob->summary : "");
}

typedef enum list_class { OURS, ABLATIONS, PEERS } list_class;

static list_class class_of(const ndft_registered *entry)
{
    return entry->ablates ? ABLATIONS : ndft_peer_entry(entry) ? PEERS : OURS;
}

static void print_peer(const ndft_peer *peer)
{
    const char *missing = peer->missing();
    printf(" [peer: %s", peer->who);
    if (missing)
        printf("] (not built) %s", missing);
    else
        printf(" %s; %s]", peer->version(), peer->built());
}

/* A vendor's library, which stands among ours. */
static void print_vendor(const ndft_registered *entry)
{
    json_t *peer = ndft_record_peer(entry);
    const char *version = ndft_field_text(peer, "version");
    printf(" [peer: %s%s%s; may be chosen]", ndft_field_text(peer, "who"), *version ? " " : "",
           version);
    json_decref(peer);
}

static void print_table(const ndft_filter *filter, list_class wanted)
{
    static const char *const headings[] = {
        [OURS] = "",
        [ABLATIONS] = "\nAblations: incomplete on purpose, timed by name only, never right, never "
                      "ranked.\n",
        [PEERS] =
            "\nPeers: other people's libraries, checked and timed as ours by name only, never "
            "chosen.\n",
    };
    const char *heading = headings[wanted];
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (class_of(entry) != wanted || !ndft_filter_match(filter, entry)) continue;
        fputs(heading, stdout);
        heading = "";
        char full[NDFT_ID_MAX];
        snprintf(full, sizeof full, "%s.%s", entry->name, entry->backend);
        const ndft_candidate candidate = ndft_candidate_of(entry);
        const char *summary = summary_of(&candidate);
        printf("%-22s %s", full, summary ? summary : "(not built)");
        if (wanted == ABLATIONS) printf("; explains %s", entry->ablates);
        if (wanted == PEERS) print_peer(ndft_peer_entry(entry));
        if (ndft_vendor_of(entry)) print_vendor(entry);
        putchar('\n');
        for (int k = 0; entry->variant && k < entry->variant->n_knobs; k++)
            if (ndft_knob_open(entry, k)) print_knob(&entry->variant->knobs[k]);
    }
}

static void say_fit(ndft_check *check, const ndft_registered *entry)
{
    if (entry->ablates)
        ndft_set_verdict(check, NDFT_PASS, "fits, claims nothing: an ablation of %s",
                         entry->ablates);
    else
        ndft_set_verdict(check, NDFT_PASS, "fits, claims %.2g typically, %.2g for any data",
                         check->claim, check->claim_any);
}

/* Says of every variant of one backend whether it fits the made problem. */
static ndft_status explain_backend(const ndft_backend *backend, const ndft_case *c,
                                   const ndft_problem *p, const ndft_filter *filter,
                                   ndft_error *err)
{
    const char *missing = backend->missing();
    ndft_exec *exec = NULL;
    if (!missing) NDFT_TRY(backend->open(0, &exec, err));
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_candidate candidate = ndft_candidate_of(&ndft_registry[i]);
        const ndft_registered *entry = candidate.entry;
        ndft_check check = ndft_check_blank();
        if (strcmp(entry->backend, backend->name)) continue;
        if (!ndft_filter_match(filter, entry)) continue;
        if (!missing && ndft_fits(ndft_kind_of(c), &candidate, p, c->op, &exec->device, &check))
            say_fit(&check, entry);
        char id[NDFT_ID_MAX];
        ndft_id_print(&candidate, id, sizeof id);
        printf("%-40s %s\n", id, missing ? missing : check.reason);
    }
    backend->close(exec);
    return NDFT_OK;
}

static ndft_status explain(const char *text, const ndft_filter *filter, ndft_error *err)
{
    ndft_case problem;
    ndft_made made;
    NDFT_TRY(ndft_case_parse(text, &problem, err));
    NDFT_TRY(ndft_kind_of(&problem)->make(&problem, &made, err));
    ndft_status status = NDFT_OK;
    for (const ndft_backend *const *b = ndft_backends; *b && status == NDFT_OK; b++)
        status = explain_backend(*b, &problem, &made.problem, filter, err);
    ndft_made_free(&made);
    return status;
}

int ndft_verb_list(ndft_cli *cli)
{
    const char *variants = ".*", *text = NULL;
    bool json = false;
    const ndft_option options[] = {
        {"variant", 'v', "ERE", "only variants whose NAME.BACKEND matches", .text = &variants},
        {"explain", 'e', "CASE", "say of each whether it fits this case, and why not",
         .text = &text},
        {"json", 'j', NULL, "print JSON", .flag = &json},
        {0}};
    int code = ndft_cli_options(cli, options, 0);
    if (code != NDFT_PROCEED) return code;
    ndft_filter filter;
    ndft_error err = {0};
    ndft_status status = ndft_filter_open_all(variants, &filter, &err);
    if (status != NDFT_OK) return ndft_cli_fail(&err);
    if (text)
        status = explain(text, &filter, &err);
    else if (json)
        print_json(&filter);
    else {
        print_table(&filter, OURS);
        print_table(&filter, ABLATIONS);
        print_table(&filter, PEERS);
    }
    ndft_filter_close(&filter);
    return status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&err);
}
