/* SPDX-License-Identifier: Apache-2.0 */
#include "chirpz_naive_loop.h"

#include "core/arena.h"
#include "phase/worst_entry.h"

#include "base/variant.h"

/*
 * A chirp z-transform as the sum that it is: one output at a time, threads over outputs, libm's
 * sine, cosine and exponential for every pair. Nothing is reused; the scalar libm calls are its
 * ceiling. The baseline of its kind.
 */

typedef struct naive_plan {
    ndft_arena arena;
    chirpz_naive sum;
    chirpz_naive_loop *run;
    void *between; /* outputs on the way of a normal operator */
} naive_plan;

NDFT_LOOPS(loops, chirpz_naive_loop, chirpz_naive_sum);

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)how;
    naive_plan *plan = state;
    const ndft_exec *exec = plan->arena.exec;
    const ndft_chirpz_problem *c = ndft_chirpz_of(p);
    plan->sum = (chirpz_naive){.inputs = p->n[0],
                               .outputs = p->n_samples,
                               .batch = p->coils,
                               .threads = exec->threads,
                               .w = c->w,
                               .a = c->a,
                               .log_w = log(c->w.modulus),
                               .log_a = log(c->a.modulus)};
    plan->run = loops[exec->device.isa][p->prec];
    if (!(ops & NDFT_NORMAL)) return NDFT_OK;
    return ndft_reserve(&plan->arena, "samples between forward and adjoint",
                        ndft_vector_bytes(p, p->n_samples), &plan->between);
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
    if (op == NDFT_NORMAL) plan->run(&plan->sum, false, in, plan->between);
    plan->run(&plan->sum, op != NDFT_FORWARD, op == NDFT_NORMAL ? plan->between : in, out);
    return NDFT_OK;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)knobs;
    const double pairs = ndft_coil_pairs(p, op);
    return (ndft_cost){
        .fma = pairs * 12,
        .special = pairs * 3,
        .issue_slots = pairs * 100, /* three scalar libm calls, about 30 each */
        .l2_bytes = pairs * 2 * (double)ndft_real_size(p->prec),
        .launches = 1 + (op == NDFT_NORMAL),
    };
}

const ndft_variant ndft_chirpz_naive_cpu = {
    .name = "chirpz_naive",
    .backend = "cpu",
    .summary = "a chirp z-transform as a double sum, libm's sincos and exp",
    .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
    .claim = NDFT_CHIRPZ_NAIVE_CLAIM,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_arena_destroy,
    .cost = cost,
};
