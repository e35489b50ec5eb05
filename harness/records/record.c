/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"
#include "fields.h"
#include "harness.h"
#include "libraries.h"
#include "measure/timing_version.h"
#include "naming/peer.h"

#include "base/host_fft.h"

#include <math.h>
#include <string.h>

json_t *ndft_record_knob(const ndft_knob *knob, int value)
{
    return knob->words ? json_string(knob->words[value]) : json_integer(value);
}

static json_t *knobs_json(const ndft_candidate *candidate)
{
    const ndft_variant *v = candidate->entry->variant;
    json_t *knobs = json_object();
    for (int i = 0; v && i < v->n_knobs; i++) {
        const ndft_knob *knob = &v->knobs[i];
        if (!ndft_knob_shown(candidate->entry, candidate->knobs, i)) continue;
        json_object_set_new(knobs, knob->name, ndft_record_knob(knob, candidate->knobs[i]));
    }
    return knobs;
}

json_t *ndft_record_cost(const ndft_cost *c)
{
    json_t *cost = json_object();
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        json_object_set_new(cost, ndft_cost_name(i), ndft_field_of_number(ndft_cost_amount(c, i)));
    return cost;
}

json_t *ndft_record_ablates(const ndft_registered *entry)
{
    if (!entry->ablates) return json_null();
    return json_pack("{s:o, s:s}", "variant", json_sprintf("%s.%s", entry->ablates, entry->backend),
                     "without", entry->without);
}

/* Both libraries choose their code by the processor that they find. */
static json_t *vendor_json(const ndft_registered *entry, const char *library)
{
    const bool fftw = !strcmp(library, "fftw");
    const ndft_cuda_versions cuda = ndft_cuda_versions_find();
    const char *version = fftw ? ndft_host_fft_version() : cuda.cufft;
    return json_pack("{s:s, s:s?, s:s?, s:b}", "who",
                     fftw ? "FFTW, M. Frigo and S. G. Johnson" : "cuFFT, NVIDIA", "version",
                     entry->variant && *version ? version : NULL, "built",
                     entry->variant ? "native: code by processor" : NULL, "chosen", 1);
}

json_t *ndft_record_peer(const ndft_registered *entry)
{
    const ndft_peer *peer = ndft_peer_entry(entry);
    const char *library = ndft_vendor_of(entry);
    if (library) return vendor_json(entry, library);
    if (!peer) return json_null();
    const bool there = !peer->missing();
    return json_pack("{s:s, s:s?, s:s?}", "who", peer->who, "version",
                     there ? peer->version() : NULL, "built", there ? peer->built() : NULL);
}

/* Of a timing of a peer's, how it is had again without us, too. */
static json_t *peer_json(const ndft_result *result)
{
    char command[NDFT_ALONE_MAX];
    json_t *peer = ndft_record_peer(result->candidate->entry);
    if (result->timing && ndft_record_alone(result->candidate, result->problem, result->check.alone,
                                            result->how.mode, command))
        json_object_set_new(peer, "alone", json_string(command));
    return peer;
}

static json_t *check_json(const ndft_check *c)
{
    return json_pack(
        "{s:s, s:o?, s:n, s:o, s:o, s:o, s:o, s:o, s:o?, s:o, s:o?}", "verdict",
        ndft_verdict_name(c->verdict), "reason", ndft_field_of_text(c->reason), "phase", "rel_l2",
        ndft_field_of_number(c->rel_l2), "max_err", ndft_field_of_number(c->max_err), "claim",
        ndft_field_of_number(c->claim), "claim_any", ndft_field_of_number(c->claim_any),
        "adjoint_err", ndft_field_of_number(c->adjoint_err), "reference",
        ndft_field_of_text(c->reference), "reference_outputs", ndft_field_of_count(c->outputs),
        "reference_note", ndft_field_of_text(c->reference_note));
}

/* What it cost to plan and to run, beside its times. */
static json_t *cost_json(const ndft_result *result)
{
    const ndft_check *c = &result->check;
    const bool costed = result->cost.issue_slots > 0;
    return json_pack("{s:o?, s:n, s:n, s:o, s:o*, s:o, s:o?, s:s}", "cost",
                     costed ? ndft_record_cost(&result->cost) : NULL, "bound", "bound_fraction",
                     "plan_s", ndft_field_of_number(c->plan_s), "setpts_s",
                     isnan(c->setpts_s) ? NULL : json_real(c->setpts_s), "plan_bytes",
                     ndft_field_of_count(c->plan_bytes), "chosen", ndft_field_of_text(c->chosen),
                     "build_id", result->candidate->entry->build_id);
}

/* The field that is left out where there is nothing to say. */
static json_t *or_none(json_t *value) { return json_is_null(value) ? NULL : value; }

json_t *ndft_record_case(const ndft_run *run, const ndft_result *result)
{
    char text[NDFT_CASE_MAX], id[NDFT_ID_MAX], key[NDFT_KEY_TEXT];
    const ndft_registered *entry = result->candidate->entry;
    ndft_case_print(result->problem, text, sizeof text);
    ndft_id_print(result->candidate, id, sizeof id);
    ndft_record_key(text, result->candidate, result->device, &result->how, key);
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o?, s:o*, s:o*}", "type", "case", "run",
        run->id, "key", key, "case", text, "problem", ndft_record_problem(result->problem),
        "variant", id, "knobs", knobs_json(result->candidate), "backend", entry->backend, "threads",
        result->device ? json_integer(result->threads) : NULL, "ablates",
        or_none(ndft_record_ablates(entry)), "peer", or_none(peer_json(result)));
    json_object_update_new(record, check_json(&result->check));
    json_object_update_new(
        record, json_pack("{s:o?, s:i}", "mode", ndft_field_of_text(result->how.mode), "processes",
                          result->how.processes > 1 ? result->how.processes : 1));
    json_object_update_new(record, ndft_record_timing(result->timing, result->coil_pairs));
    json_object_update_new(record, cost_json(result));
    return record;
}

/* FNV-1a (Fowler, Noll, Vo), 64 bits; a zero byte ends every part. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    } while (*text++);
    return hash;
}

static uint64_t hash_texts(const char *const *parts, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) hash = hash_text(hash, parts[i]);
    return hash;
}

uint64_t ndft_case_hash(const char *text) { return hash_texts(&text, 1); }

/* What made it; of a peer its library too, whose other builds have other results. */
static void build_text(const ndft_registered *entry, char *text, size_t size)
{
    const ndft_peer *peer = ndft_peer_entry(entry);
    const bool loaded = peer && !peer->missing();
    snprintf(text, size, "%s%s%s%s", entry->build_id, loaded ? " " : "",
             loaded ? peer->version() : "", loaded ? peer->built() : "");
}

void ndft_record_key(const char *text, const ndft_candidate *candidate, const ndft_device *device,
                     const ndft_sampling *how, char key[NDFT_KEY_TEXT])
{
    char id[NDFT_ID_MAX], build[512], toolchain[512], numbers[64];
    ndft_id_print(candidate, id, sizeof id);
    build_text(candidate->entry, build, sizeof build);
    ndft_toolchain(candidate->entry->backend, toolchain, sizeof toolchain);
    snprintf(numbers, sizeof numbers, "%d %d %g", NDFT_TIMING_VERSION,
             how->processes > 1 ? how->processes : 1, how->min_time_s);
    const char *parts[] = {
        text,      id,     build, device ? device->slug : "none", how->mode ? how->mode : "none",
        toolchain, numbers};
    unsigned long long hash = hash_texts(parts, sizeof parts / sizeof *parts);
    snprintf(key, NDFT_KEY_TEXT, "%016llx", hash);
}
