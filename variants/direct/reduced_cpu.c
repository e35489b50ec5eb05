/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/phase_range.h"
#include "phase/worst_entry.h"
#include "sum.h"
#include "sum_cost.h"
#include "sum_plan.h"

/*
 * Naive's mapping, outputs over threads and here over vector lanes, all inputs streamed in their
 * order: only the arithmetic changes. Each product of the phase is reduced exactly by an FMA before
 * it is added, with what rounding took from k/N and dw/(2 pi) added back, so the phase has no error
 * that grows; sinc is a polynomial. Two variants differ in their sine and cosine.
 *
 * fast_math has polynomials. The FMA pipes are the ceiling, 10 + 3 axes a pair and 4 more per coil.
 *
 * sincos_table has no transcendental in the loop: the phase picks the nearest of `table` phasors,
 * made in plan in double, and a two-term polynomial turns it by the angle that is left. The table
 * lies in the first-level cache; its look-ups, one load and one store a pair and not in vectors,
 * are the ceiling.
 */

enum {
    TABLE,
    OUTPUTS,
    THREADS,
    N_KNOBS
};                         /* sincos_table's knobs; fast_math has all but the first */
enum { SUM_LENGTH = 256 }; /* terms that are added up on their own */

static const ndft_knob knobs[] = {
    NDFT_KNOB("table", "phasors", "phasors in a full turn", 64,
              (32, 64, 128, 256, 512, 1024, 2048, 4096)),
    NDFT_KNOB("outputs", "vectors", "vectors of outputs that a thread takes at a time", 4,
              (1, 2, 4, 8)),
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(poly_loops, ndft_direction_loop, fast_math);
NDFT_LOOPS(table_loops, ndft_direction_loop, sincos_table);

/* own: outputs and threads. */
static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *own)
{
    (void)device;
    if (own[0] < 1 || own[0] > 8) return "outputs must be 1 to 8";
    const char *why = ndft_threads_unsupported(own[1]);
    return why ? why : ndft_phase_range_exceeded(p);
}

static const char *table_unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[TABLE] < 16 || k[TABLE] > 4096 || (k[TABLE] & (k[TABLE] - 1)))
        return "table must be a power of two from 16 to 4096";
    return unsupported(p, device, k + OUTPUTS);
}

static ndft_recipe recipe_of(const ndft_problem *p, const int *own)
{
    return (ndft_recipe){.compact = NDFT_COMPACT_NONE,
                         .lanes = ndft_lanes(p, own[0]),
                         .tile = SUM_LENGTH,
                         .threads = own[1],
                         .split = 1};
}

static ndft_status plan(const ndft_problem *p, const int *own, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = recipe_of(p, own);
    return ndft_sum_create(p, ops, exec, &recipe, poly_loops, out);
}

static ndft_status place_table(ndft_directions *plan, int size)
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
        ndft_sum *direction = plan->direction[adjoint];
        if (!direction) continue;
        direction->table = table;
        direction->table_size = size;
    }
    return NDFT_OK;
}

static ndft_status table_plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                              void **out)
{
    const ndft_recipe recipe = recipe_of(p, k + OUTPUTS);
    NDFT_TRY(ndft_sum_create(p, ops, exec, &recipe, table_loops, out));
    ndft_status status = place_table(*out, k[TABLE]);
    if (status != NDFT_OK) ndft_directions_destroy(*out);
    return status;
}

/* The first terms left out, at half a table step: sine x^5/120 and cosine x^6/720. */
static double truncation(const ndft_problem *p, const int *k)
{
    (void)p;
    const double x = ndft_two_pi / 2 / k[TABLE];
    return pow(x, 5) / 120 + pow(x, 6) / 720;
}

/* The terms left out are largest half an entry away. */
static double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return truncation(p, k);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_reduced(&cost, p, op);
    ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

static ndft_cost table_cost(const ndft_problem *p, ndft_op op, const int *k)
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

const ndft_variant ndft_fast_math_cpu = {
    .name = "fast_math",
    .backend = "cpu",
    .summary = "naive's mapping, every product reduced exactly, polynomial sincos and sinc",
    .knobs = knobs + OUTPUTS,
    .n_knobs = N_KNOBS - OUTPUTS,
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 24,
              .any = {.c =
                          NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_DIRECTIONS(plan),
    .cost = cost,
    .chosen = ndft_sum_chosen,
};

const ndft_variant ndft_sincos_table_cpu = {
    .name = "sincos_table",
    .backend = "cpu",
    .summary = "phasors from a table in cache, short polynomial for the rest of the angle",
    NDFT_KNOBS(knobs),
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 24,
              .truncation = truncation,
              .any = {.c =
                          NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain,
                      .truncation = worst},
              .deterministic = true},
    .unsupported = table_unsupported,
    NDFT_DIRECTIONS(table_plan),
    .cost = table_cost,
    .chosen = ndft_sum_chosen,
};
