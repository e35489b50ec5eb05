/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "descriptor.h"

#include <omp.h>
#include <stdlib.h>

/* Of uniform transforms: packed and in double, a part of the batch K at a time. */
typedef struct batches {
    const ndft_fixture *fixture;
    const ndft_candidate *variant;
    ndft_uniform_problem doubled; /* all of it */
    double *in, *out; /* host, packed; a complex number is two doubles; out: the result */
    void **device;    /* input, output */
} batches;

/* Doubles of an element, and of one transform in K. */
static int width(const ndft_tensor *t) { return t->real ? 1 : 2; }

static int64_t doubles_of_one(const ndft_tensor *t)
{
    return ndft_tensor_size(t) / t->shape[NDFT_MODE_K] * width(t);
}

static ndft_uniform_problem part_of(const ndft_uniform_problem *whole, int64_t count)
{
    ndft_transform t = whole->transform;
    t.shape[NDFT_MODE_K] = count;
    ndft_transform_place(&t);
    return (ndft_uniform_problem){
        ndft_problem_of_transform(&t, whole->problem.tol, whole->problem.tol_kind), t};
}

static ndft_uniform_problem doubled_of(const ndft_made *made)
{
    ndft_uniform_problem d = made->uniform;
    d.transform.prec = NDFT_F64;
    d.transform.in_place = false;
    return part_of(&d, d.transform.shape[NDFT_MODE_K]);
}

static void widen(const batches *b)
{
    const ndft_made *made = b->fixture->made;
    const ndft_tensor *from = &made->uniform.transform.in;
    const int64_t size = ndft_tensor_size(from);
    const int reals = width(from);
#pragma omp parallel for
    for (int64_t e = 0; e < size; e++)
        for (int part = 0; part < reals; part++)
            b->in[reals * e + part] = ndft_real_at(made->image, made->uniform.transform.prec,
                                                   reals * ndft_tensor_place(from, e) + part);
}

static ndft_status run_pass(const void *batches_of, int64_t first, int64_t count)
{
    const batches *b = batches_of;
    ndft_exec *exec = b->fixture->exec;
    const ndft_uniform_problem part = part_of(&b->doubled, count);
    const size_t in = (size_t)(doubles_of_one(&part.transform.in) * count) * sizeof(double);
    const size_t out = (size_t)(doubles_of_one(&part.transform.out) * count) * sizeof(double);
    const double *from = b->in + first * doubles_of_one(&part.transform.in);
    double *to = b->out + first * doubles_of_one(&part.transform.out);
    NDFT_TRY(exec->upload(exec, b->device[0], from, in));
    return ndft_sum_pass(b->fixture, b->variant, &part.problem, NDFT_FORWARD, b->device, to, out);
}

/* How many transforms are a pass, by the outputs of one in K and their terms. */
static int64_t transforms_of_a_pass(const batches *b)
{
    const ndft_transform *t = &b->doubled.transform;
    const double outputs = (double)doubles_of_one(&t->out) / width(&t->out);
    const double doubles = (double)(doubles_of_one(&t->in) + doubles_of_one(&t->out));
    return ndft_in_a_pass(b->fixture, t->shape[NDFT_MODE_K], 1,
                          outputs * (double)ndft_transform_length(t), doubles * sizeof(double));
}

static ndft_status sum_on_device(batches *b)
{
    ndft_exec *exec = b->fixture->exec;
    void *device[2] = {NULL, NULL};
    b->device = device;
    const int64_t each = transforms_of_a_pass(b);
    const ndft_uniform_problem part = part_of(&b->doubled, each ? each : 1);
    const size_t in = ndft_input_bytes(&part.problem, NDFT_FORWARD);
    const size_t out = ndft_output_bytes(&part.problem, NDFT_FORWARD);
    ndft_status status = exec->alloc(exec, "input in double", in, &device[0]);
    if (status == NDFT_OK) status = exec->alloc(exec, "outputs in double", out, &device[1]);
    if (status == NDFT_OK)
        status =
            ndft_run_passes(b->fixture, b->doubled.transform.shape[NDFT_MODE_K], each, run_pass, b);
    exec->release(exec, device[1]);
    exec->release(exec, device[0]);
    return status;
}

static ndft_status hold_against_host(const batches *b)
{
    const ndft_fixture *f = b->fixture;
    int64_t *outputs;
    const int64_t n = f->kind->sample(&f->made->problem, f->op, f->made->hash[0], &outputs);
    double *host = malloc((size_t)n * 2 * sizeof *host);
    ndft_status status = host ? f->kind->reference(f->made, f->op, outputs, n, host,
                                                   omp_get_max_threads(), f->exec->error)
                              : ndft_fail(f->exec->error, NDFT_ENOMEM,
                                          "no host memory for a sample of the reference");
    if (status == NDFT_OK) {
        const ndft_difference d =
            f->kind->compare(&b->doubled.problem, f->op, b->in, b->out, outputs, n, host);
        const bool white = f->problem->data.kind == NDFT_SOURCE_RANDOM;
        status = ndft_every_judge(f, b->variant, &b->doubled.problem, f->op, white, &d);
    }
    free(host);
    free(outputs);
    return status;
}

/* A reference has two doubles for a real, too: from the last on, since they lie in the same memory.
 */
static void spread_reals(const batches *b)
{
    const ndft_tensor *t = &b->doubled.transform.out;
    for (int64_t e = ndft_tensor_size(t) - 1; t->real && e >= 0; e--) {
        b->out[2 * e] = b->out[e];
        b->out[2 * e + 1] = 0;
    }
}

ndft_status ndft_every_transform(const ndft_fixture *fixture, const ndft_candidate *variant,
                                 double *result)
{
    const ndft_transform *t = &fixture->made->uniform.transform;
    ndft_error *err = fixture->exec->error;
    if (t->load || t->store)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "load and store functions are the host's to sum");
    batches b = {.fixture = fixture, .variant = variant, .doubled = doubled_of(fixture->made)};
    b.out = result;
    b.in = malloc((size_t)(ndft_tensor_size(&t->in) * width(&t->in)) * sizeof(double));
    if (!b.in) return ndft_fail(err, NDFT_ENOMEM, "no host memory for the input in double");
    widen(&b);
    ndft_status status = sum_on_device(&b);
    if (status == NDFT_OK) status = hold_against_host(&b);
    if (status == NDFT_OK) spread_reals(&b);
    free(b.in);
    return status;
}
