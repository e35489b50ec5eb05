/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/worst_entry.h"
#include "uniform/callback/callback_pass.h"
#include "uniform_naive_loop.h"

#include "base/variant.h"

#include <stdlib.h>

/*
 * A uniform transform as the double sum that it is: one output at a time, threads over outputs,
 * phases from exact integers n k mod N, libm's sine and cosine for every pair. In place the input
 * is copied first; load and store functions have passes of their own. Nothing is reused; the scalar
 * libm calls are its ceiling. The baseline of its kind.
 */

typedef struct naive_plan {
    ndft_exec *exec;
    uniform_naive sum;
    void (*run)(const uniform_naive *, const void *in, void *out);
    void *copy;   /* of the input, in place or as its load function gives it; NULL: none */
    void *result; /* for the store function; NULL: none */
    size_t bytes;
} naive_plan;

static void (*const loops[3][2])(const uniform_naive *, const void *,
                                 void *) = NDFT_LOOP_TABLE(uniform_naive_sum);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    (void)knobs;
    return ndft_unsupported_callbacks_c(p);
}

static void destroy(void *state)
{
    naive_plan *plan = state;
    plan->exec->release(plan->exec, plan->copy);
    plan->exec->release(plan->exec, plan->result);
    free(plan);
}

static ndft_status reserve(naive_plan *plan, const ndft_problem *p)
{
    const ndft_transform *t = &plan->sum.transform;
    ndft_exec *exec = plan->exec;
    plan->bytes = ndft_vector_bytes(p, p->n_voxels);
    if (t->in_place || t->load)
        NDFT_TRY(exec->alloc(exec, "a copy of the input", plan->bytes, &plan->copy));
    if (!t->store) return NDFT_OK;
    return exec->alloc(exec, "results", ndft_vector_bytes(p, p->n_samples), &plan->result);
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)knobs;
    (void)ops;
    naive_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    plan->sum = (uniform_naive){*ndft_transform_of(p), exec->threads};
    plan->run = loops[exec->device.isa][p->prec];
    ndft_status status = reserve(plan, p);
    if (status == NDFT_OK)
        *out = plan;
    else
        destroy(plan);
    return status;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const naive_plan *plan = state;
    const ndft_transform *t = &plan->sum.transform;
    const int threads = plan->exec->threads;
    (void)op;
    if (plan->copy) in = ndft_load_pass(t, in, plan->copy, plan->bytes, threads);
    plan->run(&plan->sum, in, plan->result ? plan->result : out);
    if (plan->result) ndft_store_pass(t, plan->result, out, threads);
    return NDFT_OK;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    const ndft_transform *t = ndft_transform_of(p);
    const double pairs = (double)ndft_tensor_size(&t->out) * (double)ndft_tensor_size(&t->in) /
                         (double)ndft_transform_batch(t);
    return (ndft_cost){
        .fma = pairs * 8,
        .special = pairs * 2,
        .issue_slots = pairs * 60, /* two scalar libm calls, about 30 each */
        .l2_bytes = pairs * 2 * (double)ndft_real_size(p->prec),
        .launches = 1,
    };
}

const ndft_variant ndft_uniform_naive_cpu = {
    .name = "uniform_naive",
    .backend = "cpu",
    .summary = "a uniform transform as a double sum, libm sincos",
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.8,
              .c = 8,
              .any = {.c = NDFT_ANY_REDUCED + NDFT_ANY_LIBM + NDFT_ANY_PRODUCT},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
};
