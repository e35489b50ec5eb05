/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "tally.h"
#include "traits.h"

#include "prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data that are no finite numbers: one in a coil, or a transform of a batch, makes every output of
 * that coil no finite number, for each depends on all inputs, and changes nothing of the others,
 * nor of what the plan does next. */

enum { MEMBERS = 3, SPOILT = 1 };

typedef struct given {
    const char *text;
    bool side_by_side;       /* the members' elements; else one member after the other */
    int in_reals, out_reals; /* of an element */
} given;

static const given nonuniform[] = {
    {"forward 2d n=13x11 m=97 field=random:60Hz t=20ms coils=3 tol=1e-3", false, 2, 2},
    {"adjoint 2d n=13x11 m=97 field=random:60Hz t=20ms coils=3 tol=1e-3", false, 2, 2},
    {"forward 2d n=13x11 m=97 coils=3 layout=interleaved tol=1e-3", true, 2, 2},
    {"adjoint 2d n=13x11 m=97 coils=3 layout=interleaved tol=1e-3", true, 2, 2},
    {"forward 2d n=13x11 m=90 traj=radial:6 grad=random:20Hz t=20ms coils=3 tol=1e-3", false, 2, 2},
    {"adjoint 2d n=13x11 m=90 traj=radial:6 grad=random:20Hz t=20ms coils=3 tol=1e-3", false, 2, 2},
    {"forward 2d n=16x12 m=192 traj=epi:1 coils=3 tol=1e-3", false, 2, 2},
    {"adjoint 2d n=16x12 m=192 traj=epi:1 coils=3 layout=interleaved tol=1e-3", true, 2, 2},
    {"forward 1d n=41 m=67 coils=3 prec=f64", false, 2, 2},
    {"adjoint 3d n=5x7x6 m=131 traj=kooshball:9 coils=3", false, 2, 2},
    {"normal 2d n=13x11 m=97 field=random:60Hz t=20ms coils=3 tol=1e-3", false, 2, 2},
};
static const given uniform[] = {
    {"uniform:scfo31*3", false, 2, 2},    {"uniform:scfo3.64", true, 2, 2},
    {"uniform:dcbo15x8*3", false, 2, 2},  {"uniform:srfo29*3", false, 1, 2},
    {"uniform:srfo3.24", true, 1, 2},     {"uniform:drbo17*3", false, 2, 1},
    {"uniform:scfo127x9*3", false, 2, 2},
};

static const given convolutions[] = {
    {"convolve:sf13x11*3 cells=26x22 tol=1e-3", false, 2, 2},
    {"convolve:sa31*3 tol=1e-3", false, 2, 2},
    {"convolve:dn9x8*3 tol=1e-9", false, 2, 2},
};

static const given chirps[] = {
    {"chirpz:s31*3 outputs=40 tol=1e-3", false, 2, 2},
    {"chirpz:d64*3 w=0.997:-0.01 a=1:0.2 tol=1e-9", false, 2, 2},
};

/* What is asked of each kind of problems. */
static const struct {
    const given *all;
    size_t n;
} asked[] = {[NDFT_NONUNIFORM] = {nonuniform, sizeof nonuniform / sizeof *nonuniform},
             [NDFT_UNIFORM] = {uniform, sizeof uniform / sizeof *uniform},
             [NDFT_CONVOLUTION] = {convolutions, sizeof convolutions / sizeof *convolutions},
             [NDFT_CHIRPZ] = {chirps, sizeof chirps / sizeof *chirps}};

typedef struct fixture {
    variant_suite *suite;
    const ndft_candidate *candidate;
    const given *given;
    const ndft_problem *problem;
    ndft_op op;
    ndft_prepared plan;
    size_t in_bytes, out_bytes;
    const void *in;
    void *spoilt, *first, *out; /* the input with a bad number, the first output and the last */
} fixture;

static int64_t length(const fixture *t, size_t bytes, int reals)
{
    return (int64_t)(bytes / ndft_real_size(t->problem->prec)) / reals / MEMBERS;
}

/* Real `part` of element e of a member. */
static int64_t at(const fixture *t, int64_t count, int reals, int member, int64_t e, int part)
{
    return (t->given->side_by_side ? e * MEMBERS + member : member * count + e) * reals + part;
}

static void fail(fixture *t, const char *what, double value)
{
    suite_fail(t->suite, t->candidate, t->given->text, what, value);
}

/* What of a member differs from the first output, relative to that; NaN where either has one. */
static double change(const fixture *t, int member)
{
    const int reals = t->given->out_reals;
    const int64_t count = length(t, t->out_bytes, reals);
    double difference = 0, norm = 0;
    for (int64_t e = 0; e < count * reals; e++) {
        const int64_t i = at(t, count, reals, member, e / reals, (int)(e % reals));
        const double was = ndft_real_at(t->first, t->problem->prec, i);
        const double is = ndft_real_at(t->out, t->problem->prec, i);
        difference += (is - was) * (is - was);
        norm += was * was;
    }
    return sqrt(difference / norm);
}

static bool is_whole(fixture *t, int member, double value)
{
    const ndft_registered *entry = t->candidate->entry;
    const ndft_kind *kind = ndft_kind_serving(entry->kind);
    const double limit = ndft_traits_of(entry->variant, t->candidate->knobs).claim.deterministic
                             ? 0
                             : 2 * ndft_claim_of(kind, t->candidate, t->problem, t->op).typical;
    if (change(t, member) <= limit) return true;
    fail(t, "%g in one coil changes another", value);
    return false;
}

/* Elements of the spoilt member that are still finite. */
static int64_t still_finite(const fixture *t)
{
    const int reals = t->given->out_reals;
    const int64_t count = length(t, t->out_bytes, reals);
    int64_t found = 0;
    for (int64_t e = 0; e < count; e++) {
        bool good = true;
        for (int part = 0; part < reals; part++)
            good = good && isfinite(ndft_real_at(t->out, t->problem->prec,
                                                 at(t, count, reals, SPOILT, e, part)));
        found += good;
    }
    return found;
}

/* The smallest element, so that no scale that coils share falls when it is spoilt. */
static int64_t smallest(const fixture *t, int64_t count)
{
    const int reals = t->given->in_reals;
    int64_t found = 0;
    double least = INFINITY;
    for (int64_t e = 0; e < count; e++) {
        double size = 0;
        for (int part = 0; part < reals; part++)
            size +=
                fabs(ndft_real_at(t->in, t->problem->prec, at(t, count, reals, SPOILT, e, part)));
        if (size >= least) continue;
        least = size;
        found = e;
    }
    return found;
}

static ndft_status run_spoilt(fixture *t, double value)
{
    const int reals = t->given->in_reals;
    const int64_t count = length(t, t->in_bytes, reals);
    memcpy(t->spoilt, t->in, t->in_bytes);
    const int64_t where = at(t, count, reals, SPOILT, smallest(t, count), 0);
    ndft_put_real(t->spoilt, t->problem->prec, where, value);
    NDFT_TRY(ndft_prepared_execute_host(&t->plan, t->op, t->spoilt, t->out));
    const int64_t left = still_finite(t);
    if (left > 0) fail(t, "%g vanishes from outputs of its coil", value);
    bool good = left == 0;
    for (int member = 0; member < MEMBERS; member++)
        if (member != SPOILT) good = is_whole(t, member, value) && good;
    if (good) suite_pass(t->suite);
    return NDFT_OK;
}

static ndft_status run_all(fixture *t)
{
    NDFT_TRY(ndft_prepared_execute_host(&t->plan, t->op, t->in, t->first));
    NDFT_TRY(run_spoilt(t, NAN));
    NDFT_TRY(run_spoilt(t, INFINITY));
    NDFT_TRY(ndft_prepared_execute_host(&t->plan, t->op, t->in, t->out));
    for (int member = 0; member < MEMBERS; member++) is_whole(t, member, INFINITY);
    return NDFT_OK;
}

static ndft_status plan_and_run(fixture *t, ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(t->suite->backend->open(0, &exec, err));
    ndft_status status = ndft_prepare(t->candidate->entry->variant, t->candidate->knobs, t->problem,
                                      t->op, exec, &t->plan);
    if (status == NDFT_OK) {
        status = run_all(t);
        ndft_prepared_destroy(&t->plan);
    }
    t->suite->backend->close(exec);
    return status;
}

static void try_one(variant_suite *s, const ndft_candidate *candidate, const given *g)
{
    const ndft_kind *kind = ndft_kind_serving(candidate->entry->kind);
    ndft_case problem;
    ndft_made made;
    ndft_error err = {0};
    ndft_status status = ndft_case_parse(g->text, &problem, &err);
    if (status == NDFT_OK) status = kind->make(&problem, &made, &err);
    if (status != NDFT_OK) {
        suite_fail(s, candidate, g->text, "%s", err.message);
        return;
    }
    fixture t = {.suite = s,
                 .candidate = candidate,
                 .given = g,
                 .problem = &made.problem,
                 .op = problem.op,
                 .in = ndft_made_input(&made, problem.op)};
    t.in_bytes = ndft_input_bytes(t.problem, t.op);
    t.out_bytes = ndft_output_bytes(t.problem, t.op);
    t.spoilt = malloc(t.in_bytes);
    t.first = malloc(t.out_bytes);
    t.out = malloc(t.out_bytes);
    status = plan_and_run(&t, &err);
    if (status == NDFT_EUNSUPPORTED)
        suite_unsupported(s);
    else if (status != NDFT_OK)
        suite_fail(s, candidate, g->text, "%s", err.message);
    free(t.spoilt);
    free(t.first);
    free(t.out);
    ndft_made_free(&made);
}

/* The default setting on every problem, every other value of a knob on the first two. */
void test_finite(variant_suite *s, const ndft_registered *entry)
{
    const given *all = asked[entry->kind].all;
    const size_t n = asked[entry->kind].n;
    const ndft_candidate preset = ndft_candidate_of(entry);
    for (size_t i = 0; i < n; i++) try_one(s, &preset, &all[i]);
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        if (!ndft_knob_open(entry, k)) continue;
        for (int i = 0; i < knob->n_candidates; i++) {
            ndft_candidate candidate = preset;
            candidate.knobs[k] = knob->candidates[i];
            if (knob->candidates[i] == knob->preset) continue;
            try_one(s, &candidate, &all[0]);
            try_one(s, &candidate, &all[1]);
        }
    }
}
