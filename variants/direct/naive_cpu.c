/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arena.h"
#include "naive_loop.h"
#include "phase/coords.h"
#include "phase/worst_entry.h"

#include "base/variant.h"

/*
 * PowerGrid's Gdft on the CPU: one output at a time, threads over outputs, the phase in radians,
 * libm's sine and cosine for every pair. Nothing is reused; the scalar libm calls are its ceiling.
 * The baseline that every other variant is measured against.
 */

typedef struct naive_plan {
    ndft_arena arena;
    naive_sum sum;
    naive_loop *forward, *adjoint;
} naive_plan;

NDFT_LOOPS(forward_loops, naive_loop, naive_forward);
NDFT_LOOPS(adjoint_loops, naive_loop, naive_adjoint);

/* Cuts the next array of count reals off memory. */
static void *take(char **memory, const ndft_problem *p, int64_t count)
{
    void *array = *memory;
    *memory += (size_t)count * ndft_real_size(p->prec);
    return array;
}

static void fill_coordinates(naive_sum *s, const ndft_problem *p, char *memory)
{
    for (int d = 0; d < 3; d++) {
        double n = (double)p->n[d];
        ndft_sample_coord_fill(p, d, ndft_two_pi,
                               (void *)(s->k2pi[d] = take(&memory, p, p->n_samples)));
        ndft_voxel_coord_fill(p, d, 1 / n, (void *)(s->r[d] = take(&memory, p, p->n_voxels)));
        if (!ndft_has_gradients(p)) continue;
        ndft_sample_coord_fill(p, d, 1 / n, (void *)(s->kn[d] = take(&memory, p, p->n_samples)));
        ndft_map_fill(p, p->g[d], p->n_voxels, 1,
                      (void *)(s->g[d] = take(&memory, p, p->n_voxels)));
    }
    ndft_map_fill(p, p->t, p->n_samples, 1, (void *)(s->t = take(&memory, p, p->n_samples)));
    ndft_map_fill(p, p->dw, p->n_voxels, 1, (void *)(s->dw = take(&memory, p, p->n_voxels)));
    if (!p->decay) return;
    ndft_map_fill(p, p->decay, p->n_voxels, 1, (void *)(s->decay = take(&memory, p, p->n_voxels)));
}

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)how;
    (void)ops;
    naive_plan *plan = state;
    const ndft_exec *exec = plan->arena.exec;
    const int64_t reals = (p->n_samples + p->n_voxels) * (ndft_has_gradients(p) ? 7 : 4) +
                          (p->decay ? p->n_voxels : 0);
    void *memory;
    NDFT_TRY(ndft_reserve(&plan->arena, "naive coordinates",
                          (size_t)reals * ndft_real_size(p->prec), &memory));
    plan->forward = forward_loops[exec->device.isa][p->prec];
    plan->adjoint = adjoint_loops[exec->device.isa][p->prec];
    plan->sum = (naive_sum){.n_samples = p->n_samples,
                            .n_voxels = p->n_voxels,
                            .coils = p->coils,
                            .element = ndft_element_stride(p),
                            .higher = &p->higher,
                            .threads = exec->threads};
    plan->sum.coil_in = ndft_coil_stride(p, p->n_voxels);
    plan->sum.coil_out = ndft_coil_stride(p, p->n_samples);
    fill_coordinates(&plan->sum, p, memory);
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
    naive_sum sum = plan->sum;
    sum.in = in;
    sum.out = out;
    if (op == NDFT_FORWARD) {
        plan->forward(&sum);
        return NDFT_OK;
    }
    sum.coil_in = plan->sum.coil_out;
    sum.coil_out = plan->sum.coil_in;
    plan->adjoint(&sum);
    return NDFT_OK;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)knobs;
    double pairs = ndft_coil_pairs(p, op), grads = ndft_has_gradients(p) ? 3 : 0;
    const double decays = p->decay ? 1 : 0, terms = p->higher.terms;
    return (ndft_cost){
        .fma = pairs * (8 + 3 * grads + 3 * decays + terms),
        .special = pairs * (2 + 2 * grads + decays),
        .issue_slots = pairs * (60 + 35 * grads + 30 * decays +
                                3 * terms), /* two scalar libm calls, about 30 each */
        .l2_bytes = pairs * (6 + terms) * (double)ndft_real_size(p->prec),
        .launches = 1,
    };
}

const ndft_variant ndft_naive_cpu = {
    .name = "naive",
    .backend = "cpu",
    .summary = "one output at a time, phase in radians, libm sincos, as PowerGrid's Gdft",
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.a = 0.5,
              .b = 0.8,
              .c = 8,
              .truncation = ndft_higher_rounding,
              .any = {.a = NDFT_ANY_RADIAN,
                      .c = NDFT_ANY_LIBM + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .truncation = ndft_higher_worst},
              .deterministic = true},
    .plan = plan,
    .execute = execute,
    .destroy = ndft_arena_destroy,
    .cost = cost,
};
