/* SPDX-License-Identifier: Apache-2.0 */
#include "best.h"

#include "naming/peer.h"
#include "predict.h"
#include "problem/kinds.h"

#include <stdio.h>
#include <string.h>

const char *ndft_match_name(ndft_match match)
{
    static const char *const names[] = {"exact", "near", "default"};
    return names[match];
}

static ndft_op first_of(unsigned ops)
{
    return ops & NDFT_FORWARD ? NDFT_FORWARD : ops & NDFT_ADJOINT ? NDFT_ADJOINT : NDFT_NORMAL;
}

static ndft_status open_decision(ndft_best *best, ndft_error *err)
{
    char path[sizeof best->select.path];
    ndft_select_path(best->device->slug, path, sizeof path);
    NDFT_TRY(ndft_select_open(path, &best->select, err));
    NDFT_TRY(ndft_select_current(&best->select, best->device, best->kind->problems, err));
    const ndft_op op = first_of(best->ops);
    ndft_question question = best->kind->question(best->problem, op, best->device->slug);
    best->found = ndft_select_find(&best->select, &question);
    if (best->found.match == NDFT_MATCH_DEFAULT)
        return ndft_fail(err, NDFT_EINVAL, "%s: nothing like this problem was measured", path);
    ndft_predict(&best->select, &best->found.pick, &question, best->kind, best->problem, op,
                 best->device);
    return NDFT_OK;
}

void ndft_best_begin(ndft_best *best, const ndft_kind *kind, const ndft_problem *problem,
                     unsigned ops, const ndft_device *device, ndft_choice *choice)
{
    *best = (ndft_best){
        .kind = kind, .problem = problem, .ops = ops, .device = device, .choice = choice};
    ndft_error err = {0};
    if (open_decision(best, &err) == NDFT_OK) return;
    best->found.match = NDFT_MATCH_DEFAULT;
    snprintf(best->trouble, sizeof best->trouble, "; %.900s", err.message);
}

void ndft_best_end(ndft_best *best) { ndft_select_close(&best->select); }

/* Adds to the troubles; those that find no room are left out. */
static void pass_over(ndft_best *best, const char *id, const char *why)
{
    size_t used = strlen(best->trouble);
    snprintf(best->trouble + used, sizeof best->trouble - used, "; passed over %s: %s", id, why);
}

void ndft_best_refuse(ndft_best *best, const char *why)
{
    pass_over(best, best->choice->variant, why);
}

static bool fits(const ndft_best *best, const ndft_candidate *candidate, ndft_check *check)
{
    if (candidate->entry->ablates)
        return ndft_set_verdict(check, NDFT_UNTRUSTED, "it is an ablation");
    if (ndft_peer_entry(candidate->entry))
        return ndft_set_verdict(check, NDFT_UNTRUSTED, "it is a peer");
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if ((best->ops & op) &&
            !ndft_fits(best->kind, candidate, best->problem, (ndft_op)op, best->device, check))
            return false;
    return true;
}

/* Whether the entry may serve here; else why not, in check. */
static bool usable(const ndft_best *best, const ndft_entry *entry, ndft_candidate *candidate,
                   ndft_check *check)
{
    ndft_error err = {0};
    if (ndft_id_parse(entry->variant, candidate, &err) != NDFT_OK)
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", err.message);
    if (strcmp(candidate->entry->backend, best->device->backend))
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "it is of another backend");
    if (entry->error > best->problem->tol)
        return ndft_set_verdict(check, NDFT_UNSUPPORTED,
                                "it was checked to %.3g only, above tol=%g", entry->error,
                                best->problem->tol);
    return fits(best, candidate, check);
}

static void describe(ndft_best *best, const ndft_candidate *candidate, ndft_match match,
                     const char *record, const char *source)
{
    ndft_choice *choice = best->choice;
    choice->match = match;
    choice->distance = match == NDFT_MATCH_NEAR ? best->found.distance : 0;
    ndft_id_print(candidate, choice->variant, sizeof choice->variant);
    snprintf(choice->record, sizeof choice->record, "%s", record);
    snprintf(choice->text, sizeof choice->text, "%s %s%.700s", choice->variant, source,
             best->trouble);
}

static void describe_measured(ndft_best *best, const ndft_candidate *candidate,
                              const ndft_entry *entry)
{
    char source[1024], how[256] = "exact";
    const ndft_found *found = &best->found;
    if (found->match == NDFT_MATCH_NEAR)
        snprintf(how, sizeof how, "near, %.1f from '%.200s'", found->distance, found->near_case);
    snprintf(source, sizeof source, "by record %s of %s (%s)", entry->record, best->select.path,
             how);
    describe(best, candidate, found->match, entry->record, source);
}

static bool next_measured(ndft_best *best, ndft_candidate *candidate)
{
    if (best->found.match == NDFT_MATCH_DEFAULT) return false;
    while (best->entry < json_array_size(best->found.pick.order)) {
        ndft_entry entry = ndft_select_entry(&best->found.pick, best->entry++);
        ndft_check check = ndft_check_blank();
        if (usable(best, &entry, candidate, &check)) {
            describe_measured(best, candidate, &entry);
            return true;
        }
        pass_over(best, entry.variant, check.reason);
    }
    return false;
}

ndft_status ndft_best_next(ndft_best *best, ndft_candidate *candidate, ndft_error *err)
{
    if (next_measured(best, candidate)) return NDFT_OK;
    while (best->registered < ndft_registry_size) {
        const ndft_registered *entry = &ndft_registry[best->registered++];
        ndft_check check = ndft_check_blank();
        if (strcmp(entry->backend, best->device->backend)) continue;
        if (entry->kind != best->kind->problems) continue;
        *candidate = ndft_candidate_of(entry);
        if (!fits(best, candidate, &check)) continue;
        describe(best, candidate, NDFT_MATCH_DEFAULT, "", "by the order of variants.def");
        return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EUNSUPPORTED, "no variant on %s fits this problem%.800s",
                     best->device->backend, best->trouble);
}

static ndft_status plan_next(ndft_best *best, ndft_exec *exec, ndft_prepared *plan)
{
    ndft_candidate candidate;
    for (;;) {
        NDFT_TRY(ndft_best_next(best, &candidate, exec->error));
        ndft_status status = ndft_prepare(candidate.entry->variant, candidate.knobs, best->problem,
                                          best->ops, exec, plan);
        if (status != NDFT_EUNSUPPORTED && status != NDFT_ENOMEM) return status;
        ndft_best_refuse(best, exec->error ? exec->error->message : "its plan failed");
        if (exec->error) *exec->error = (ndft_error){0};
    }
}

static ndft_status plan_best(const ndft_kind *kind, const ndft_problem *problem, unsigned ops,
                             ndft_exec *exec, ndft_prepared *plan, ndft_choice *choice)
{
    ndft_best best;
    ndft_best_begin(&best, kind, problem, ops, &exec->device, choice);
    ndft_status status = plan_next(&best, exec, plan);
    ndft_best_end(&best);
    return status;
}

ndft_status ndft_plan_best(const ndft_problem *problem, unsigned ops, ndft_exec *exec,
                           ndft_prepared *plan, ndft_choice *choice)
{
    return plan_best(&ndft_nonuniform, problem, ops, exec, plan, choice);
}

ndft_status ndft_plan_best_uniform(const ndft_uniform_problem *problem, ndft_exec *exec,
                                   ndft_prepared *plan, ndft_choice *choice)
{
    return plan_best(&ndft_uniform_kind, &problem->problem, NDFT_FORWARD, exec, plan, choice);
}
