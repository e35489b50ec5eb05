/* SPDX-License-Identifier: Apache-2.0 */
#include "cost.h"
#include "problem/kinds.h"
#include "support/two_devices.h"
#include "traits.h"

#include "prepared.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What every built variant declares of problems of a few voxels and samples, whose tiles, waves and
 * lines are never full. Nothing runs, and no device is needed. */

static const char *const cases[] = {
    "1d n=1 m=1",
    "1d n=2 m=3 coils=3",
    "2d n=3x2 m=4 coils=2 prec=f64 tol=1e-9",
    "2d n=7x5 m=9 traj=golden:3 tol=1e-3",
    "2d n=7x5 m=31 coils=33",
    "2d n=4x4 m=5 grad=random:10Hz t=10ms mask=disk tol=1e-2",
    "3d n=1x1x1 m=1 coils=5",
    "3d n=3x5x4 m=70 traj=kooshball:2 field=random:20Hz t=10ms coils=16 tol=1e-2",
};

typedef void on_problem(const ndft_candidate *, const ndft_device *, const ndft_problem *, ndft_op);

/* The default setting. */
static void on_default(const ndft_registered *entry, const ndft_device *device,
                       const ndft_problem *p, ndft_op op, on_problem *look)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    look(&candidate, device, p, op);
}

/* That and the first and last candidates of every knob. */
static void on_settings(const ndft_registered *entry, const ndft_device *device,
                        const ndft_problem *p, ndft_op op, on_problem *look)
{
    on_default(entry, device, p, op, look);
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        if (!ndft_knob_open(entry, k)) continue;
        for (int end = 0; end < 2 && knob->n_candidates > 0; end++) {
            candidate.knobs[k] = knob->candidates[end ? knob->n_candidates - 1 : 0];
            look(&candidate, device, p, op);
        }
        candidate.knobs[k] = knob->preset;
    }
}

/* By an engine's stages too; composing is not theirs. */
static unsigned served(const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    return ndft_traits_of(entry->variant, candidate.knobs).ops;
}

typedef void on_variant(const ndft_registered *, const ndft_device *, const ndft_problem *, ndft_op,
                        on_problem *);

static void on_everything(on_variant *of, on_problem *look)
{
    static const ndft_op ops[] = {NDFT_FORWARD, NDFT_ADJOINT, NDFT_NORMAL};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[256];
        ndft_case parsed;
        ndft_made made;
        ndft_error err = {0};
        snprintf(text, sizeof text, "forward %s", cases[c]);
        assert_int_equal(ndft_case_parse(text, &parsed, &err), NDFT_OK);
        assert_int_equal(ndft_nonuniform.make(&parsed, &made, &err), NDFT_OK);
        for (int v = 0; v < ndft_registry_size; v++) {
            const ndft_registered *entry = &ndft_registry[v];
            if (!entry->variant || entry->kind != NDFT_NONUNIFORM) continue;
            const ndft_device *device = &devices[!strcmp(entry->backend, "cuda")];
            for (size_t op = 0; op < sizeof ops / sizeof *ops; op++)
                if (ops[op] & served(entry)) of(entry, device, &made.problem, ops[op], look);
        }
        ndft_made_free(&made);
    }
}

static void fail_of(const ndft_candidate *candidate, const ndft_problem *p, ndft_op op,
                    const char *what, double value)
{
    char id[NDFT_ID_MAX];
    ndft_id_print(candidate, id, sizeof id);
    fail_msg("%s, %s of %lld voxels and %lld samples: %s %g", id, ndft_op_name(op),
             (long long)p->n_voxels, (long long)p->n_samples, what, value);
}

/* The first field of a cost that is no amount of work, or -1. */
static int no_amount(const ndft_cost *cost)
{
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const double amount = ndft_cost_amount(cost, i);
        if (!(isfinite(amount) && amount >= 0)) return i;
    }
    return -1;
}

static void has_a_cost(const ndft_candidate *candidate, const ndft_device *device,
                       const ndft_problem *p, ndft_op op)
{
    const ndft_variant *v = candidate->entry->variant;
    ndft_check check = ndft_check_blank();
    if (v->unsupported && v->unsupported(p, device, candidate->knobs)) return;
    const ndft_cost cost = ndft_executed_cost(v, p, op, candidate->knobs);
    const int none = no_amount(&cost);
    /* Windows that cannot be made are unsupported by what they claim, which takes longest to ask.
     */
    if (none >= 0 && ndft_fits(&ndft_nonuniform, candidate, p, op, device, &check))
        fail_of(candidate, p, op, ndft_cost_name(none), ndft_cost_amount(&cost, none));
}

static void costs_are_amounts(void **state)
{
    (void)state;
    on_everything(on_settings, has_a_cost);
}

static void has_a_claim(const ndft_candidate *candidate, const ndft_device *device,
                        const ndft_problem *p, ndft_op op)
{
    (void)device;
    if (candidate->entry->ablates) return;
    const ndft_promise claim = ndft_claim_of(&ndft_nonuniform, candidate, p, op);
    if (!(claim.typical >= 0)) fail_of(candidate, p, op, "claim", claim.typical);
    if (!(claim.any >= 0)) fail_of(candidate, p, op, "claim for any data", claim.any);
}

static void claims_may_be_asked_of_what_is_unsupported(void **state)
{
    (void)state;
    on_everything(on_default, has_a_claim);
}

/* Which candidates of a variant's knobs have fitted a case. */
static bool fitted[256][NDFT_MAX_KNOBS][NDFT_MAX_CANDIDATES];

static void mark_fitting(const ndft_registered *entry, const ndft_device *device,
                         const ndft_problem *p, ndft_op op, on_problem *look)
{
    (void)op;
    (void)look;
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        if (!ndft_knob_open(entry, k)) continue;
        for (int c = 0; c < knob->n_candidates; c++) {
            candidate.knobs[k] = knob->candidates[c];
            const char *why = entry->variant->unsupported(p, device, candidate.knobs);
            fitted[entry - ndft_registry][k][c] |= !why;
            if (why && strstr(why, "NDFT_ALL") && !strstr(why, "built for "))
                fail_of(&candidate, p, op, "no kernel, and none named:", knob->candidates[c]);
        }
        candidate.knobs[k] = knob->preset;
    }
}

/* Sweeps try no value that has a kernel nowhere; where it has none, the sentence names those that
 * have. */
static void candidates_are_built(void **state)
{
    (void)state;
    assert_true(ndft_registry_size <= (int)(sizeof fitted / sizeof *fitted));
    on_everything(mark_fitting, NULL);
    for (int v = 0; v < ndft_registry_size; v++) {
        const ndft_registered *entry = &ndft_registry[v];
        if (!entry->variant || entry->kind != NDFT_NONUNIFORM) continue;
        if (ndft_is_engine(entry)) continue; /* its schemes have stages that go together */
        for (int k = 0; k < entry->variant->n_knobs; k++) {
            const ndft_knob *knob = &entry->variant->knobs[k];
            if (!ndft_knob_open(entry, k)) continue;
            for (int c = 0; c < knob->n_candidates; c++)
                if (!fitted[v][k][c])
                    fail_msg("%s.%s: %s=%d fits no case", entry->name, entry->backend, knob->name,
                             knob->candidates[c]);
        }
    }
}

/* A value without a kernel is unsupported, by a sentence with those that have one. */
static void what_is_not_built_is_refused(void **state)
{
    (void)state;
    ndft_candidate candidate;
    ndft_case parsed;
    ndft_made made;
    ndft_error err = {0};
    if (NDFT_ALL || ndft_id_parse("tiled.cuda:outputs=8", &candidate, &err) != NDFT_OK) {
        print_message("skipped: %s\n", NDFT_ALL ? "all is built" : err.message);
        skip();
    }
    assert_int_equal(ndft_case_parse("forward 3d n=3x3x3 m=9", &parsed, &err), NDFT_OK);
    assert_int_equal(ndft_nonuniform.make(&parsed, &made, &err), NDFT_OK);
    const char *why =
        candidate.entry->variant->unsupported(&made.problem, &devices[1], candidate.knobs);
    assert_non_null(why);
    assert_non_null(strstr(why, "outputs is built for 4"));
    ndft_made_free(&made);
}

/* Launches that an adjoint declares of 4096 samples; NaN: a build without CUDA has no such engine.
 */
static double launches_of(const char *id, const char *traj)
{
    char text[128];
    ndft_candidate candidate;
    ndft_case parsed;
    ndft_made made;
    ndft_error err = {0};
    snprintf(text, sizeof text, "adjoint 2d n=96x96 m=4096 traj=%s coils=4", traj);
    if (ndft_id_parse(id, &candidate, &err) != NDFT_OK || !candidate.entry->variant) return NAN;
    assert_int_equal(ndft_case_parse(text, &parsed, &err), NDFT_OK);
    assert_int_equal(ndft_nonuniform.make(&parsed, &made, &err), NDFT_OK);
    const ndft_cost cost =
        ndft_executed_cost(candidate.entry->variant, &made.problem, NDFT_ADJOINT, candidate.knobs);
    ndft_made_free(&made);
    return cost.launches;
}

/* Radial lines crowd in the middle, random samples nowhere. */
static void who_adds_in_turn_waits_for_a_crowd(void **state)
{
    static const char *const ids[] = {"nufft_interleaved.cuda", "nufft_hybrid.cuda",
                                      "nufft_scatter.cuda"};
    (void)state;
    if (isnan(launches_of(ids[0], "random"))) return;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const double crowded = launches_of(ids[i], "radial:64"),
                     even = launches_of(ids[i], "random");
        if (!(crowded > even + 0.1)) fail_msg("%s: %g for %g", ids[i], crowded, even);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_amounts),
        cmocka_unit_test(claims_may_be_asked_of_what_is_unsupported),
        cmocka_unit_test(candidates_are_built),
        cmocka_unit_test(what_is_not_built_is_refused),
        cmocka_unit_test(who_adds_in_turn_waits_for_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
