/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/phase_range.h"
#include "phase/worst_entry.h"
#include "sincos_table_loop.h"
#include "sum_cost.h"
#include "sum_plan.h"

/*
 * No transcendental in the loop: the phase, reduced product by product as in fast_math, picks the
 * nearest of `table` phasors, made in plan in double, and a two-term polynomial turns it by the
 * angle that is left. Mapping and streaming are fast_math's. The table lies in the first-level
 * cache; its look-ups, one load and one store a pair and not in vectors, are the ceiling.
 */

enum { TABLE, OUTPUTS, THREADS }; /* knobs, in order */
enum { SUM_LENGTH = 256 };        /* terms that are added up on their own */

static const ndft_knob knobs[] = {
    {"table",
     "phasors",
     "phasors in a full turn",
     NULL,
     64,
     8,
     {32, 64, 128, 256, 512, 1024, 2048, 4096}},
    {"outputs",
     "vectors",
     "vectors of outputs that a thread takes at a time",
     NULL,
     4,
     4,
     {1, 2, 4, 8}},
    {"threads", "", "threads; 0 is all", NULL, 0, 3, {0, 1, 2}},
};

static ndft_sum_loop *const loops[3][2] = NDFT_LOOP_TABLE(sincos_table);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[TABLE] < 16 || k[TABLE] > 4096 || (k[TABLE] & (k[TABLE] - 1)))
        return "table must be a power of two from 16 to 4096";
    if (k[OUTPUTS] < 1 || k[OUTPUTS] > 8) return "outputs must be 1 to 8";
    if (k[THREADS] > NDFT_THREADS_MAX) return "threads must be at most 1024";
    return ndft_phase_range_exceeded(p);
}

static ndft_status place_table(ndft_sum_plan *plan, int size)
{
    void *memory;
    NDFT_TRY(
        ndft_reserve(&plan->arena, "table of phasors", 2 * (size_t)size * sizeof(float), &memory));
    float *table = memory;
    for (int i = 0; i < size; i++) {
        table[2 * i] = (float)cos(ndft_two_pi * i / size);
        table[2 * i + 1] = (float)sin(ndft_two_pi * i / size);
    }
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        plan->way[adjoint].table = table;
        plan->way[adjoint].table_size = size;
    }
    return NDFT_OK;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_NONE,
                                .lanes = ndft_lanes(p, k[OUTPUTS]),
                                .tile = SUM_LENGTH,
                                .threads = k[THREADS],
                                .split = 1};
    NDFT_TRY(ndft_sum_create(p, ops, exec, &recipe, loops[exec->device.isa][p->prec], out));
    ndft_status status = place_table(*out, k[TABLE]);
    if (status != NDFT_OK) ndft_sum_destroy(*out);
    return status;
}

/* The first terms left out, at half a table step: sine x^5/120 and cosine x^6/720. */
static double truncation(const ndft_problem *p, const int *k)
{
    (void)p;
    const double x = ndft_two_pi / 2 / k[TABLE];
    return pow(x, 5) / 120 + pow(x, 6) / 720;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    const double phasors = ndft_coil_pairs(p, op) / p->coils;
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_reduced(&cost, p, op);
    cost.fma += 12 * phasors;
    cost.add += 2 * phasors;
    cost.integer += 2 * phasors;
    cost.shared_bytes = phasors * 2 * sizeof(float);
    return ndft_cost_total(cost);
}

static double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    return ndft_cut_chain(p, op, SUM_LENGTH);
}

/* The terms left out are largest half an entry away. */
static double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return truncation(p, k);
}

const ndft_variant ndft_sincos_table_cpu = {
    .name = "sincos_table",
    .backend = "cpu",
    .summary = "phasors from a table in cache, short polynomial for the rest of the angle",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 24,
              .truncation = truncation,
              .any = {.c =
                          NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain,
                      .truncation = worst},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_sum_execute,
    .destroy = ndft_sum_destroy,
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
