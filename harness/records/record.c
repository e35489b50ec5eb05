/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"
#include "cost.h"
#include "fft/fft_fftw.h"
#include "libraries.h"
#include "measure/timing_version.h"
#include "naming/peer.h"
#include "problem/question.h"
#include "record_timing.h"
#include "traits.h"

#include <math.h>
#include <string.h>

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *count(double value)
{
    return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

static json_t *knobs_json(const ndft_candidate *candidate)
{
    const ndft_variant *v = candidate->entry->variant;
    json_t *knobs = json_object();
    for (int i = 0; v && i < v->n_knobs; i++) {
        const ndft_knob *knob = &v->knobs[i];
        int value = candidate->knobs[i];
        if (!ndft_knob_shown(candidate->entry, candidate->knobs, i)) continue;
        json_object_set_new(knobs, knob->name,
                            knob->words ? json_string(knob->words[value]) : json_integer(value));
    }
    return knobs;
}

json_t *ndft_record_cost(const ndft_cost *c)
{
    json_t *cost = json_object();
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        json_object_set_new(cost, ndft_cost_name(i), number(ndft_cost_amount(c, i)));
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
    const char *version = fftw ? ndft_fft_version() : cuda.cufft;
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

/* What its samples have in common, by which decisions are made. */
static json_t *structure_json(const ndft_case *problem)
{
    const ndft_question q = ndft_question_of_case(problem, "");
    return json_pack("{s:b, s:f, s:o}", "lines", q.lines, "per_time", q.per_time, "turns",
                     isnan(q.turns) ? json_null() : json_real(q.turns));
}

/* What the output was held against. */
static void add_reference(json_t *record, const ndft_check *check)
{
    json_object_set_new(record, "reference",
                        check->reference ? json_string(check->reference) : json_null());
    json_object_set_new(record, "reference_outputs", count(check->outputs));
    json_object_set_new(record, "reference_note",
                        check->reference_note[0] ? json_string(check->reference_note)
                                                 : json_null());
}

static void add_check(json_t *record, const ndft_check *check)
{
    json_object_set_new(record, "verdict", json_string(ndft_verdict_name(check->verdict)));
    json_object_set_new(record, "reason",
                        check->reason[0] ? json_string(check->reason) : json_null());
    json_object_set_new(record, "phase", json_null());
    json_object_set_new(record, "rel_l2", number(check->rel_l2));
    json_object_set_new(record, "max_err", number(check->max_err));
    json_object_set_new(record, "claim", number(check->claim));
    json_object_set_new(record, "claim_any", number(check->claim_any));
    json_object_set_new(record, "adjoint_err", number(check->adjoint_err));
    add_reference(record, check);
}

json_t *ndft_record_case(const ndft_run *run, const ndft_result *result)
{
    char text[NDFT_CASE_MAX], id[NDFT_ID_MAX], key[NDFT_KEY_TEXT];
    const ndft_registered *entry = result->candidate->entry;
    ndft_case_print(result->problem, text, sizeof text);
    ndft_id_print(result->candidate, id, sizeof id);
    ndft_record_key(text, result->candidate, result->device,
                    &(ndft_sampling){result->mode, result->processes, result->min_time_s}, key);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:o}", "type", "case", "run",
                               run->id, "key", key, "case", text, "variant", id, "knobs",
                               knobs_json(result->candidate), "backend", entry->backend, "threads",
                               result->device ? json_integer(result->threads) : json_null());
    if (result->problem->kind == NDFT_NONUNIFORM)
        json_object_set_new(record, "structure", structure_json(result->problem));
    if (entry->ablates) json_object_set_new(record, "ablates", ndft_record_ablates(entry));
    json_t *peer = ndft_record_peer(entry);
    if (!json_is_null(peer)) json_object_set_new(record, "peer", peer);
    bool costed = result->cost.issue_slots > 0;
    add_check(record, &result->check);
    json_object_set_new(record, "mode", result->mode ? json_string(result->mode) : json_null());
    json_object_set_new(record, "processes",
                        json_integer(result->processes > 1 ? result->processes : 1));
    ndft_record_add_timing(record, result->timing, result->coil_pairs);
    json_object_set_new(record, "cost", costed ? ndft_record_cost(&result->cost) : json_null());
    json_object_set_new(record, "bound", json_null());
    json_object_set_new(record, "bound_fraction", json_null());
    json_object_set_new(record, "plan_s", number(result->check.plan_s));
    if (!isnan(result->check.setpts_s))
        json_object_set_new(record, "setpts_s", number(result->check.setpts_s));
    json_object_set_new(record, "plan_bytes", count(result->check.plan_bytes));
    json_object_set_new(record, "chosen",
                        result->check.chosen[0] ? json_string(result->check.chosen) : json_null());
    json_object_set_new(record, "build_id", json_string(entry->build_id));
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

uint64_t ndft_record_hash(const char *text, const ndft_candidate *candidate, const char *mode)
{
    char id[NDFT_ID_MAX];
    ndft_id_print(candidate, id, sizeof id);
    return hash_texts((const char *[]){text, id, mode}, 3);
}

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
