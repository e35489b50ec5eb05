/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "cache.h"
#include "doubled.h"

#include <omp.h>
#include <stdlib.h>

enum { LEAST_OF_A_PASS = 1024 };

/* The sums of one operation that is no normal one. */
typedef struct sums {
    const ndft_fixture *fixture;
    const ndft_candidate *variant;
    const ndft_doubled *doubled;
    ndft_op op;
    const double *in; /* host */
    double *out;      /* host: all outputs */
    bool is_case;     /* of the case's own input, in its own operation or the first half of it */
    void **device;    /* input, output */
} sums;

static size_t bytes_of(const sums *s, int64_t length)
{
    return ndft_vector_bytes(&s->doubled->problem, length);
}

static ndft_status run_pass(const void *sums_of, int64_t first, int64_t count)
{
    const sums *s = sums_of;
    const ndft_problem part = ndft_doubled_part(s->doubled, s->op, first, count);
    return ndft_sum_pass(s->fixture, s->variant, &part, s->op, s->device,
                         s->out + 2 * first * part.coils, bytes_of(s, count));
}

static ndft_status sum_on_device(sums *s)
{
    ndft_exec *exec = s->fixture->exec;
    void *device[2] = {NULL, NULL};
    s->device = device;
    const size_t bytes_in = bytes_of(s, ndft_input_length(&s->doubled->problem, s->op));
    NDFT_TRY(exec->alloc(exec, "input in double", bytes_in, &device[0]));
    const ndft_problem *p = &s->doubled->problem;
    const int64_t all = ndft_output_length(p, s->op);
    const double terms = (double)ndft_input_length(p, s->op) * p->coils;
    const int64_t each =
        ndft_in_a_pass(s->fixture, all, LEAST_OF_A_PASS, terms, (double)bytes_of(s, 1));
    ndft_status status = exec->alloc(exec, "outputs in double", bytes_of(s, each), &device[1]);
    if (status == NDFT_OK) status = exec->upload(exec, device[0], s->in, bytes_in);
    if (status == NDFT_OK) status = ndft_run_passes(s->fixture, all, each, run_pass, s);
    exec->release(exec, device[1]);
    exec->release(exec, device[0]);
    return status;
}

/* The host's sums of the sample; those of the case's own input are kept on disk. */
static ndft_status sum_on_host(const sums *s, const int64_t *outputs, int64_t n, double *result)
{
    const ndft_made *made = s->fixture->made;
    const ndft_problem *p = &s->doubled->problem;
    const int threads = omp_get_max_threads();
    ndft_error *err = s->fixture->exec->error;
    if (!s->is_case) return ndft_reference(p, s->op, s->in, outputs, n, result, threads, err);
    return ndft_reference_cached(p, s->op, s->in, made->hash, made->hash[0], outputs, n, result,
                                 threads, err);
}

static ndft_status hold_against_host(const sums *s)
{
    const ndft_problem *p = &s->doubled->problem;
    int64_t *outputs;
    const int64_t n = ndft_sample_outputs(p, s->op, s->fixture->made->hash[0], &outputs);
    double *host = malloc((size_t)(n * p->coils) * 2 * sizeof *host);
    ndft_status status = host ? sum_on_host(s, outputs, n, host)
                              : ndft_fail(s->fixture->exec->error, NDFT_ENOMEM,
                                          "no host memory for a sample of the reference");
    if (status == NDFT_OK) {
        const ndft_difference d = ndft_compare(p, s->op, s->in, s->out, outputs, n, host);
        const bool white = s->is_case && s->fixture->problem->data.kind == NDFT_SOURCE_RANDOM;
        status = ndft_every_judge(s->fixture, s->variant, p, s->op, white, &d);
    }
    free(host);
    free(outputs);
    return status;
}

static ndft_status sum_and_check(sums *s)
{
    NDFT_TRY(sum_on_device(s));
    return hold_against_host(s);
}

/* The samples of forward, which stay in double, are the adjoint's input. */
static ndft_status sum_halves(sums *s, ndft_arena *arena)
{
    const ndft_problem *p = &s->doubled->problem;
    double *samples = ndft_arena_alloc(arena, "samples in double", p->n_samples * p->coils,
                                       2 * sizeof *samples, s->fixture->exec->error);
    if (!samples) return NDFT_ENOMEM;
    sums half = *s;
    half.op = NDFT_FORWARD;
    half.out = samples;
    NDFT_TRY(sum_and_check(&half));
    s->op = NDFT_ADJOINT;
    s->in = samples;
    s->is_case = false;
    return sum_and_check(s);
}

static ndft_status sum_case(const ndft_fixture *fixture, const ndft_candidate *variant,
                            ndft_doubled *doubled, double *result)
{
    const ndft_problem *p = &fixture->made->problem;
    sums s = {.fixture = fixture,
              .variant = variant,
              .doubled = doubled,
              .op = fixture->op,
              .is_case = true};
    s.out = result;
    s.in =
        ndft_doubled_vector(p, ndft_made_input(fixture->made, fixture->op),
                            ndft_input_length(p, fixture->op), &doubled->own, fixture->exec->error);
    if (!s.in) return NDFT_ENOMEM;
    return fixture->op == NDFT_NORMAL ? sum_halves(&s, &doubled->own) : sum_and_check(&s);
}

ndft_status ndft_every_sample(const ndft_fixture *fixture, const ndft_candidate *variant,
                              double *result)
{
    ndft_doubled doubled;
    NDFT_TRY(ndft_doubled_make(&fixture->made->problem, &doubled, fixture->exec->error));
    const ndft_status status = sum_case(fixture, variant, &doubled, result);
    ndft_doubled_free(&doubled);
    return status;
}
