/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "cache.h"
#include "coils.h"
#include "descriptor.h"
#include "doubled.h"
#include "sums.h"

#include <stdlib.h>

/* Of sums over positions. */

enum { LEAST_OF_A_PASS = 1024 };

/* The input of all passes goes up with the first. */
static ndft_status run_outputs(const ndft_sums *s, int64_t first, int64_t count)
{
    const ndft_problem *p = s->doubled;
    ndft_exec *exec = s->fixture->exec;
    if (first == 0) NDFT_TRY(exec->upload(exec, s->device[0], s->in, ndft_input_bytes(p, s->op)));
    const ndft_problem part = ndft_doubled_part(p, s->op, first, count);
    return ndft_sum_pass(s, &part, s->out + 2 * first * p->coils, ndft_vector_bytes(p, count));
}

static ndft_status sum_and_check(ndft_sums *s)
{
    const ndft_problem *p = s->doubled;
    return ndft_sum_all(s, &(ndft_passes){.all = ndft_output_length(p, s->op),
                                          .least = LEAST_OF_A_PASS,
                                          .terms = (double)ndft_input_length(p, s->op) * p->coils,
                                          .in = ndft_input_bytes(p, s->op),
                                          .out = ndft_vector_bytes(p, 1),
                                          .run = run_outputs});
}

/* The samples of forward, which stay in double, are the adjoint's input. */
static ndft_status sum_halves(ndft_sums *s, ndft_arena *arena)
{
    const ndft_problem *p = s->doubled;
    double *samples = ndft_arena_alloc(arena, "samples in double", p->n_samples * p->coils,
                                       2 * sizeof *samples, s->fixture->exec->error);
    if (!samples) return NDFT_ENOMEM;
    ndft_sums half = *s;
    half.op = NDFT_FORWARD;
    half.out = samples;
    NDFT_TRY(sum_and_check(&half));
    s->op = NDFT_ADJOINT;
    s->in = samples;
    s->is_case = false;
    return sum_and_check(s);
}

static ndft_status sum_columns(ndft_sums *s, ndft_doubled *doubled)
{
    const ndft_fixture *fixture = s->fixture;
    s->in = ndft_doubled_input(&fixture->made->problem, fixture->op,
                               ndft_made_input(fixture->made, fixture->op), &doubled->own,
                               fixture->exec->error);
    if (!s->in) return NDFT_ENOMEM;
    return fixture->op == NDFT_NORMAL ? sum_halves(s, &doubled->own) : sum_and_check(s);
}

/* The device sums coils apart: what of coil maps is after that is the host's. */
static ndft_status sum_case(const ndft_fixture *fixture, const ndft_candidate *variant,
                            ndft_doubled *doubled, double *result)
{
    const ndft_problem *p = &fixture->made->problem;
    const bool together = p->maps && fixture->op != NDFT_FORWARD;
    ndft_sums s = {.fixture = fixture,
                   .variant = variant,
                   .doubled = &doubled->problem,
                   .op = fixture->op,
                   .is_case = !together || fixture->op == NDFT_NORMAL,
                   .out = result};
    if (together)
        s.out = ndft_arena_alloc(&doubled->own, "images of all coils in double",
                                 p->n_voxels * p->coils, 2 * sizeof *s.out, fixture->exec->error);
    if (!s.out) return NDFT_ENOMEM;
    NDFT_TRY(sum_columns(&s, doubled));
    for (int64_t v = 0; v < (together ? p->n_voxels : 0); v++)
        ndft_coil_sum(p, v, s.out + 2 * v * p->coils, result + 2 * v);
    return NDFT_OK;
}

static ndft_status every_sample(const ndft_fixture *fixture, const ndft_candidate *variant,
                                double *result)
{
    ndft_doubled doubled;
    ndft_problem bare = fixture->made->problem;
    bare.maps = NULL;
    NDFT_TRY(ndft_doubled_make(&bare, &doubled, fixture->exec->error));
    const ndft_status status = sum_case(fixture, variant, &doubled, result);
    ndft_doubled_free(&doubled);
    return status;
}

/* Of uniform transforms: packed and in double, a part of the batch K at a time. */

/* Doubles of an element, and of one transform in K. */
static int width(const ndft_tensor *t) { return t->real ? 1 : 2; }

static int64_t doubles_of_one(const ndft_tensor *t)
{
    return ndft_tensor_size(t) / t->shape[NDFT_MODE_K] * width(t);
}

static ndft_uniform_problem part_of(const ndft_problem *whole, const ndft_transform *transform,
                                    int64_t count)
{
    ndft_transform t = *transform;
    t.shape[NDFT_MODE_K] = count;
    ndft_transform_place(&t);
    return (ndft_uniform_problem){ndft_problem_of_transform(&t, whole->tol, whole->tol_kind), t};
}

static ndft_uniform_problem doubled_of(const ndft_made *made)
{
    ndft_transform t = made->uniform.transform;
    t.prec = NDFT_F64;
    t.in_place = false;
    return part_of(&made->problem, &t, t.shape[NDFT_MODE_K]);
}

static void widen(const ndft_made *made, double *in)
{
    const ndft_tensor *from = &made->uniform.transform.in;
    const int64_t size = ndft_tensor_size(from);
    const int reals = width(from);
#pragma omp parallel for
    for (int64_t e = 0; e < size; e++)
        for (int part = 0; part < reals; part++)
            in[reals * e + part] = ndft_real_at(made->image, made->uniform.transform.prec,
                                                reals * ndft_tensor_place(from, e) + part);
}

static ndft_status run_transforms(const ndft_sums *s, int64_t first, int64_t count)
{
    ndft_exec *exec = s->fixture->exec;
    const ndft_transform *t = ndft_transform_of(s->doubled);
    const ndft_uniform_problem part = part_of(s->doubled, t, count);
    const int64_t in = doubles_of_one(&t->in), out = doubles_of_one(&t->out);
    NDFT_TRY(exec->upload(exec, s->device[0], s->in + first * in,
                          (size_t)(count * in) * sizeof(double)));
    return ndft_sum_pass(s, &part.problem, s->out + first * out,
                         (size_t)(count * out) * sizeof(double));
}

static ndft_status sum_batch(ndft_sums *s)
{
    const ndft_transform *t = ndft_transform_of(s->doubled);
    const ndft_uniform_problem one = part_of(s->doubled, t, 1);
    const double outputs = (double)doubles_of_one(&t->out) / width(&t->out);
    return ndft_sum_all(s, &(ndft_passes){.all = t->shape[NDFT_MODE_K],
                                          .least = 1,
                                          .terms = outputs * (double)ndft_transform_length(t),
                                          .each_in = ndft_input_bytes(&one.problem, NDFT_FORWARD),
                                          .out = ndft_output_bytes(&one.problem, NDFT_FORWARD),
                                          .run = run_transforms});
}

/* A reference has two doubles for a real, too: from the last on, since they lie in the same memory.
 */
static void spread_reals(const ndft_tensor *t, double *out)
{
    for (int64_t e = ndft_tensor_size(t) - 1; t->real && e >= 0; e--) {
        out[2 * e] = out[e];
        out[2 * e + 1] = 0;
    }
}

static ndft_status every_transform(const ndft_fixture *fixture, const ndft_candidate *variant,
                                   double *result)
{
    const ndft_transform *t = &fixture->made->uniform.transform;
    ndft_error *err = fixture->exec->error;
    if (t->load || t->store)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "load and store functions are the host's to sum");
    const ndft_uniform_problem doubled = doubled_of(fixture->made);
    ndft_sums s = {.fixture = fixture,
                   .variant = variant,
                   .doubled = &doubled.problem,
                   .op = NDFT_FORWARD,
                   .is_case = true,
                   .out = result};
    s.in = malloc((size_t)(ndft_tensor_size(&t->in) * width(&t->in)) * sizeof(double));
    if (!s.in) return ndft_fail(err, NDFT_ENOMEM, "no host memory for the input in double");
    widen(fixture->made, s.in);
    const ndft_status status = sum_batch(&s);
    if (status == NDFT_OK) spread_reals(&t->out, result);
    free(s.in);
    return status;
}

/* A claim asks for sizes and bounds, which double leaves as they are, and for no array. */
ndft_promise ndft_every_output_errors(const ndft_fixture *fixture, const ndft_candidate *variant)
{
    ndft_uniform_problem doubled = {.problem = fixture->made->problem};
    if (fixture->kind->problems == NDFT_UNIFORM) doubled = fixture->made->uniform;
    doubled.problem.prec = NDFT_F64;
    doubled.transform.prec = NDFT_F64;
    return ndft_claim_of(fixture->kind, variant, &doubled.problem, fixture->op);
}

static ndft_kept kept_as(const ndft_fixture *fixture)
{
    const ndft_problem *p = &fixture->made->problem;
    const uint64_t *hash = fixture->made->hash;
    return (ndft_kept){{hash[0], hash[1]},
                       fixture->op,
                       ~hash[0], /* the sample's is hash[0] */
                       2 * fixture->kind->outputs(p, fixture->op) *
                           ndft_output_coils(p, fixture->op)};
}

bool ndft_every_output_kept(const ndft_fixture *fixture, double *result)
{
    const ndft_kept kept = kept_as(fixture);
    return ndft_cache_load(&kept, result);
}

ndft_status ndft_every_output(const ndft_fixture *fixture, const ndft_candidate *variant,
                              double *result)
{
    const bool uniform = fixture->kind->problems == NDFT_UNIFORM;
    const ndft_kept kept = kept_as(fixture);
    NDFT_TRY((uniform ? every_transform : every_sample)(fixture, variant, result));
    ndft_cache_store(&kept, result);
    return NDFT_OK;
}
