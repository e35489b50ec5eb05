/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/worst_entry.h"
#include "uniform/callback/callback_pass.h"
#include "uniform_naive_loop.h"

#include "base/variant.h"

/*
 * A uniform transform as the double sum that it is: one output at a time, threads over outputs,
 * phases from exact integers n k mod N, libm's sine and cosine for every pair. In place the input
 * is copied first; load and store functions have passes of their own. Nothing is reused; the scalar
 * libm calls are its ceiling. The baseline of its kind.
 */

typedef struct naive_plan {
    ndft_arena arena;
    uniform_naive sum;
    uniform_naive_loop *run;
    ndft_callback_passes passes;
} naive_plan;

NDFT_LOOPS(loops, uniform_naive_loop, uniform_naive_sum);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    (void)knobs;
    return ndft_unsupported_callbacks_c(p);
}

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)how;
    (void)ops;
    naive_plan *plan = state;
    const ndft_exec *exec = plan->arena.exec;
    const bool copies = ndft_transform_of(p)->in_place;
    NDFT_TRY(ndft_callback_passes_make(&plan->arena, p, copies, &plan->passes));
    plan->sum = (uniform_naive){plan->passes.inner, exec->threads};
    plan->run = loops[exec->device.isa][p->prec];
    return NDFT_OK;
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    static const ndft_host_recipe recipe = {sizeof(naive_plan), fill, ndft_arena_destroy};
    return ndft_host_create(&recipe, p, knobs, ops, exec, out);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const naive_plan *plan = state;
    (void)op;
    plan->run(&plan->sum, ndft_callback_load(&plan->passes, in),
              ndft_callback_result(&plan->passes, out));
    ndft_callback_store(&plan->passes, out);
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
    .destroy = ndft_arena_destroy,
    .cost = cost,
};
