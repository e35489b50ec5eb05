/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "descriptor.h"

#include <stdlib.h>

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

static ndft_status run_pass(const ndft_sums *s, int64_t first, int64_t count)
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
                                          .run = run_pass});
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

ndft_status ndft_every_transform(const ndft_fixture *fixture, const ndft_candidate *variant,
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
