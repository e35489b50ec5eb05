/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "doubled.h"

enum { LEAST_OF_A_PASS = 1024 };

/* The input of all passes goes up with the first. */
static ndft_status run_pass(const ndft_sums *s, int64_t first, int64_t count)
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
                                          .run = run_pass});
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

static ndft_status sum_case(const ndft_fixture *fixture, const ndft_candidate *variant,
                            ndft_doubled *doubled, double *result)
{
    const ndft_problem *p = &fixture->made->problem;
    ndft_sums s = {.fixture = fixture,
                   .variant = variant,
                   .doubled = &doubled->problem,
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
