/* SPDX-License-Identifier: Apache-2.0 */
#include "naming/peer.h"
#include "problem/kinds.h"
#include "tally.h"

#include "prepared.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Both claims on small cases: every entry of what a variant computes by its unit vectors, then data
 * that are meant to break it. A claim for any data is never more than `slack` times the worst error
 * that was found, in each precision.
 */

static const double slack = 20;

typedef double complex number;

/* A variant's plan for one made case, and all entries: [input][output]. */
typedef struct fixture {
    variant_suite *suite;
    const ndft_candidate *candidate;
    const char *text;
    const ndft_kind *kind;
    ndft_case problem;
    ndft_made made;
    ndft_prepared plan;
    ndft_promise claim;
    int64_t inputs, outputs; /* of one coil */
    void *device[2];         /* input, output; the same memory in place */
    char *out;
    double *reference;  /* [outputs][coils][re, im] */
    number *exact;      /* [inputs][outputs] A */
    double *error;      /* [inputs] largest error of a unit vector */
    double worst_share; /* largest error over claim so far */
} fixture;

static ndft_problem *problem_of(fixture *t) { return &t->made.problem; }

static bool is_uniform(const fixture *t) { return t->problem.kind == NDFT_UNIFORM; }

static const ndft_tensor *tensor_in(const fixture *t) { return &t->made.uniform.transform.in; }

/* Input i becomes z, in every coil. */
static void put(fixture *t, int64_t i, number z)
{
    const ndft_problem *p = problem_of(t);
    void *in = (void *)ndft_made_input(&t->made, t->problem.op);
    if (is_uniform(t)) {
        const ndft_slot slot =
            ndft_slot_at(in, p->prec, tensor_in(t)->real, ndft_tensor_place(tensor_in(t), i));
        ndft_write(slot, (ndft_value){creal(z), cimag(z)});
        return;
    }
    for (int c = 0; c < p->coils; c++) {
        const int64_t at = i * ndft_element_stride(p) + c * ndft_coil_stride(p, t->inputs);
        ndft_put_real(in, p->prec, 2 * at, creal(z));
        ndft_put_real(in, p->prec, 2 * at + 1, cimag(z));
    }
}

/* With buffers of the fixture's own: thousands of executions are not to allocate. */
static ndft_status execute(fixture *t, const void *in)
{
    ndft_exec *exec = t->plan.exec;
    const ndft_op op = t->problem.op;
    const ndft_problem *p = problem_of(t);
    NDFT_TRY(exec->upload(exec, t->device[0], in, ndft_input_bytes(p, op)));
    NDFT_TRY(ndft_prepared_execute(&t->plan, op, t->device[0], t->device[1]));
    NDFT_TRY(t->suite->backend->sync(exec));
    return t->suite->backend->download(exec, t->out, t->device[1], ndft_output_bytes(p, op));
}

/* Runs what lies in the input; false where it failed. */
static bool apply(fixture *t, const char *what, ndft_difference *d)
{
    const ndft_op op = t->problem.op;
    const void *in = ndft_made_input(&t->made, op);
    ndft_error err = {0};
    ndft_status status = t->kind->reference(&t->made, op, NULL, t->outputs, t->reference, 1, &err);
    if (status == NDFT_OK) status = execute(t, in);
    if (status != NDFT_OK) {
        suite_fail(t->suite, t->candidate, t->text, "%s: %s", what,
                   err.message[0] ? err.message : t->plan.exec->error->message);
        return false;
    }
    *d = t->kind->compare(&t->made.problem, op, in, t->out, NULL, t->outputs, t->reference);
    return true;
}

/* Holds an error against the claim for any data. */
static bool hold(fixture *t, const char *what, ndft_difference *d)
{
    if (!apply(t, what, d)) return false;
    t->worst_share = fmax(t->worst_share, d->max_err / t->claim.any);
    if (d->max_err <= t->claim.any) {
        suite_pass(t->suite);
        return true;
    }
    suite_fail(t->suite, t->candidate, t->text, "%s: %.3g |x|_1 of any %.3g, at %lld", what,
               d->max_err, t->claim.any, (long long)d->worst);
    return false;
}

/* Every column of the operator; the typical error is the root mean square over all entries. */
static bool hold_columns(fixture *t)
{
    double difference = 0, reference = 0;
    const int coils = problem_of(t)->coils;
    for (int64_t i = 0; i < t->inputs; i++) put(t, i, 0);
    for (int64_t i = 0; i < t->inputs; i++) {
        ndft_difference d;
        char what[48];
        snprintf(what, sizeof what, "unit vector %lld", (long long)i);
        put(t, i, 1);
        if (!hold(t, what, &d)) return false;
        put(t, i, 0);
        double square = 0;
        for (int64_t o = 0; o < t->outputs; o++) {
            const double *ref = t->reference + 2 * o * coils;
            t->exact[i * t->outputs + o] = ref[0] + I * ref[1];
            square += ref[0] * ref[0] + ref[1] * ref[1];
        }
        t->error[i] = d.max_err;
        reference += square;
        difference += d.rel_l2 * d.rel_l2 * square;
    }
    const double typical = reference > 0 ? sqrt(difference / reference) : 0;
    if (typical <= t->claim.typical) return true;
    suite_fail(t->suite, t->candidate, t->text, "entries: %.3g rms of typical %.3g", typical,
               t->claim.typical);
    return false;
}

static number phase_of(number z) { return z == 0 ? 1 : z / cabs(z); }

/* What makes all terms of the output with the worst entry, or of the first, add up. */
static void put_row(fixture *t, bool worst, double scale)
{
    int64_t column = 0;
    for (int64_t i = 0; worst && i < t->inputs; i++)
        if (t->error[i] > t->error[column]) column = i;
    const int64_t row = worst ? (column * 7 + t->outputs / 2) % t->outputs : 0;
    for (int64_t i = 0; i < t->inputs; i++)
        put(t, i, scale * conj(phase_of(t->exact[i * t->outputs + row])));
}

/* A large first term, which takes the others with it where sums have one accumulator. */
static void put_swamp(fixture *t)
{
    const double half = 0.99 * ndft_roundoff(problem_of(t)->prec);
    put_row(t, false, half);
    put(t, 0, conj(phase_of(t->exact[0])));
}

static void put_constant(fixture *t, number z)
{
    for (int64_t i = 0; i < t->inputs; i++) put(t, i, z);
}

/* All signal at the ends, as at an image's border. */
static void put_ends(fixture *t)
{
    put_constant(t, 0);
    put(t, 0, 0.7 - 0.3 * I);
    put(t, t->inputs - 1, -0.2 + 0.9 * I);
}

/* The transforms of a batch far apart in size: an error is held against its own transform's. */
static void put_unlike(fixture *t)
{
    for (int64_t i = 0; i < t->inputs; i++) {
        int64_t at[NDFT_MODES];
        ndft_tensor_index(tensor_in(t), i, at);
        put(t, i, ldexp(i % 2 ? 1 : -0.3, (int)(-40 * (at[NDFT_MODE_M] + at[NDFT_MODE_K]))));
    }
}

static void hold_adversaries(fixture *t)
{
    const double far = problem_of(t)->prec == NDFT_F32 ? 0x1p90 : 0x1p520;
    ndft_difference d;
    put_row(t, true, 1);
    hold(t, "conjugate phases of the worst row", &d);
    put_row(t, true, 1 / far);
    hold(t, "tiny data", &d);
    put_row(t, true, far);
    hold(t, "huge data", &d);
    put_row(t, false, 1);
    hold(t, "conjugate phases of the first row", &d);
    put_swamp(t);
    hold(t, "one large term", &d);
    put_constant(t, 0.1 + 0.7 * I);
    hold(t, "constant data", &d);
    put_ends(t);
    hold(t, "data at the ends", &d);
    if (is_uniform(t)) put_unlike(t);
    if (is_uniform(t)) hold(t, "unlike transforms", &d);
}

static bool open_fixture(fixture *t, ndft_exec *exec, ndft_error *err)
{
    const ndft_op op = t->problem.op;
    ndft_check check = ndft_check_blank();
    if (!ndft_fits(t->kind, t->candidate, problem_of(t), op, &exec->device, &check) ||
        ndft_prepare(t->candidate->entry->variant, t->candidate->knobs, problem_of(t), op, exec,
                     &t->plan) == NDFT_EUNSUPPORTED) {
        suite_unsupported(t->suite);
        return false;
    }
    if (!t->plan.state) {
        suite_fail(t->suite, t->candidate, t->text, "plan: %s", err->message);
        return false;
    }
    t->claim = (ndft_promise){check.claim, check.claim_any};
    t->inputs =
        is_uniform(t) ? ndft_tensor_size(tensor_in(t)) : ndft_input_length(problem_of(t), op);
    t->outputs = t->kind->outputs(problem_of(t), op);
    t->out = calloc(1, ndft_output_bytes(problem_of(t), op));
    t->reference = calloc((size_t)(t->outputs * problem_of(t)->coils), 2 * sizeof *t->reference);
    t->exact = calloc((size_t)(t->inputs * t->outputs), sizeof *t->exact);
    t->error = calloc((size_t)t->inputs, sizeof *t->error);
    return true;
}

static bool place_vectors(fixture *t, ndft_exec *exec)
{
    const ndft_op op = t->problem.op;
    const ndft_problem *p = problem_of(t);
    ndft_status status = exec->alloc(exec, "input", ndft_input_bytes(p, op), &t->device[0]);
    if (status == NDFT_OK && ndft_in_place(t->kind->problems, p))
        t->device[1] = t->device[0];
    else if (status == NDFT_OK)
        status = exec->alloc(exec, "output", ndft_output_bytes(p, op), &t->device[1]);
    if (status == NDFT_OK) return true;
    suite_fail(t->suite, t->candidate, t->text, "%s", exec->error->message);
    return false;
}

static void close_fixture(fixture *t)
{
    ndft_exec *exec = t->plan.exec;
    if (t->device[1] != t->device[0]) exec->release(exec, t->device[1]);
    exec->release(exec, t->device[0]);
    ndft_prepared_destroy(&t->plan);
    free(t->out);
    free(t->reference);
    free(t->exact);
    free(t->error);
}

/* Returns the largest error over claim. */
static double try_case(variant_suite *s, const ndft_candidate *candidate, const char *text)
{
    fixture t = {.suite = s, .candidate = candidate, .text = text};
    ndft_error err = {0};
    ndft_exec *exec;
    if (ndft_case_parse(text, &t.problem, &err) != NDFT_OK ||
        ndft_kind_of(&t.problem)->make(&t.problem, &t.made, &err) != NDFT_OK) {
        suite_fail(s, candidate, text, "%s", err.message);
        return 0;
    }
    t.kind = ndft_kind_of(&t.problem);
    if (s->backend->open(0, &exec, &err) != NDFT_OK) {
        suite_fail(s, candidate, text, "%s", err.message);
    } else {
        if (open_fixture(&t, exec, &err)) {
            if (place_vectors(&t, exec) && hold_columns(&t)) hold_adversaries(&t);
            close_fixture(&t);
        }
        s->backend->close(exec);
    }
    ndft_made_free(&t.made);
    return t.worst_share;
}

/* Nothing is a power of two but where lines ask for it; the last of the nonuniform ones has all its
 * samples in one place. */
static const char *const nonuniform[] = {
    "forward 1d n=37 m=41 field=random:200Hz t=20ms",
    "adjoint 1d n=37 m=41 field=random:200Hz t=20ms",
    "forward 2d n=7x9 m=53 field=random:150Hz t=20ms",
    "adjoint 2d n=7x9 m=53 field=random:150Hz t=20ms coils=3",
    "forward 2d n=9x6 m=48 field=linear:100Hz grad=random:40Hz t=15ms",
    "adjoint 2d n=9x6 m=48 field=linear:100Hz grad=random:90Hz t=15ms",
    "forward 3d n=5x3x4 m=50 traj=kooshball:5 field=random:100Hz t=10ms coils=2 layout=interleaved",
    "adjoint 3d n=5x3x4 m=50 traj=kooshball:5 field=random:100Hz t=10ms",
    "forward 2d n=7x7 m=60 traj=radial:4 field=smooth:300Hz t=25ms mask=disk",
    "adjoint 2d n=11x5 m=60 traj=radial:3",
    "forward 2d n=8x7 m=56 traj=epi:8",
    "adjoint 2d n=8x7 m=56 traj=epi:1 field=random:50Hz t=20ms",
    "normal 2d n=7x5 m=50 traj=radial:5 field=smooth:200Hz t=15ms",
    "normal 1d n=23 m=40 field=random:90Hz t=15ms",
    "adjoint 2d n=7x6 m=60 traj=golden:60",
    "forward 2d n=7x9 m=53 field=random:150Hz decay=random:120 t=20ms",
    "adjoint 2d n=9x6 m=48 decay=smooth:60 grad=random:40Hz t=15ms",
    "adjoint 1d n=37 m=41 traj=random field=random:90Hz decay=random:400 t=20ms coils=2",
    "normal 2d n=7x5 m=50 traj=radial:5 field=smooth:200Hz decay=linear:80 t=15ms",
    "forward 2d n=7x9 m=53 field=random:150Hz phase=random:3:20rad t=20ms",
    "adjoint 2d n=9x6 m=48 phase=random:16:3rad coils=2",
    "adjoint 1d n=37 m=41 phase=random:1:300rad decay=random:90 grad=random:40Hz t=20ms",
    "normal 2d n=7x5 m=50 traj=spiral:5 phase=concomitant:0.1T t=15ms",
    NULL};
static const char *const tolerances[] = {"tol=1e-3", "tol=1e-3 tol_kind=any", "prec=f64 tol=1e-8",
                                         "prec=f64 tol=1e-8 tol_kind=any", NULL};
static const char *const uniform[] = {"uniform:scfo37",    "uniform:dcfo37",   "uniform:scbo5x7",
                                      "uniform:dcbo5x7",   "uniform:srfo31",   "uniform:drfo31",
                                      "uniform:srbo15",    "uniform:drbo15",   "uniform:scfi127",
                                      "uniform:dcfi101",   "uniform:scfo64",   "uniform:dcfo60",
                                      "uniform:scfo3x5x4", "uniform:srfo13*3", "uniform:drfo12*2",
                                      "uniform:srbo12*2",  "uniform:drbo3.7",  NULL};

typedef struct worst {
    double share[2]; /* by precision */
} worst;

static void try_text(variant_suite *s, const ndft_candidate *candidate, const char *text, worst *w)
{
    const bool wide = strstr(text, "f64") || strstr(text, ":d");
    w->share[wide] = fmax(w->share[wide], try_case(s, candidate, text));
}

void test_adversary(variant_suite *s, const ndft_registered *entry)
{
    static const char *const precs[] = {"any in f32", "any in f64"};
    const ndft_candidate candidate = ndft_candidate_of(entry);
    worst w = {{0, 0}};
    char text[256];
    for (int i = 0; entry->kind == NDFT_UNIFORM && uniform[i]; i++)
        try_text(s, &candidate, uniform[i], &w);
    for (int i = 0; entry->kind == NDFT_NONUNIFORM && nonuniform[i]; i++) {
        for (int k = 0; tolerances[k]; k++) {
            snprintf(text, sizeof text, "%s %s", nonuniform[i], tolerances[k]);
            try_text(s, &candidate, text, &w);
        }
    }
    for (int prec = NDFT_F32; prec <= NDFT_F64; prec++) {
        if (w.share[prec] == 0) continue;
        printf("%s.%s %s: %.1f times the worst error\n", entry->name, entry->backend, precs[prec],
               1 / w.share[prec]);
        if (w.share[prec] * slack >= 1 || ndft_peer_entry(entry))
            continue; /* others promise less */
        suite_fail(s, &candidate, precs[prec], "more than %g times the worst error", slack);
    }
}
