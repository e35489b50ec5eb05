/* SPDX-License-Identifier: Apache-2.0 */
#include "reach.h"
#include "separable_gemm_plan.h"
#include "sum_cost.h"

/*
 * The axes of a Cartesian grid apart, the field map exact. Samples of one time see one image, the
 * given one turned by the field, so that turning costs one phasor a voxel and time; then the sum
 * over the last axis is a product of that image with a phasor a sample and plane, and what is left
 * is one phasor a sample and column of a plane. The last axis is folded about its middle: sums and
 * differences of opposite planes with cosines and sines, 2 FMA a pair instead of 4. A mask is
 * filled up with zeros. A thread takes the samples of one time (forward) or a strip of all planes
 * (adjoint). The FMA pipes are the ceiling, unless times are shared by few samples.
 */

enum { SAMPLES, THREADS }; /* knobs, in order */

static const ndft_knob knobs[] = {
    {"samples",
     "of one time",
     "samples that share one turned image, at most",
     NULL,
     128,
     4,
     {32, 64, 128, 256}},
    {"threads", "", "threads; 0 is all", NULL, 0, 3, {0, 1, 2}},
};

typedef void separable_loop(const ndft_separable *, const void *in, void *out);

static separable_loop *const forward_loops[3][2] = NDFT_LOOP_TABLE(separable_forward);
static separable_loop *const adjoint_loops[3][2] = NDFT_LOOP_TABLE(separable_adjoint);

typedef struct separable_plan {
    ndft_arena arena;
    ndft_separable way[2]; /* forward, adjoint */
    separable_loop *loop[2];
} separable_plan;

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (ndft_has_gradients(p)) return "the sinc of gradient maps does not come apart by axes";
    if (k[SAMPLES] < 1 || k[SAMPLES] > 4096) return "samples must be 1 to 4096";
    return k[THREADS] > NDFT_THREADS_MAX ? "threads must be at most 1024" : ndft_out_of_reach(p);
}

static ndft_status prepare(separable_plan *plan, const ndft_problem *p, ndft_op op,
                           const timed_sample *sample, const int *k)
{
    ndft_arena *arena = &plan->arena;
    const bool adjoint = op == NDFT_ADJOINT;
    const double sign = adjoint ? 1 : -1;
    ndft_separable *s = &plan->way[adjoint];
    int64_t most;
    const int64_t groups = cut_groups(sample, p->n_samples, k[SAMPLES], NULL, &most);
    *s = shape_of(p, most);
    s->groups = groups;
    s->threads = k[THREADS] ? k[THREADS] : arena->exec->threads;
    const int64_t chunks = s->width * (int64_t)ndft_real_size(p->prec) / NDFT_SEPARABLE_CHUNK_BYTES;
    s->strip = whole(chunks, 2 * s->threads);
    s->strips = whole(chunks, s->strip);
    s->element = ndft_element_stride(p);
    s->in_coil = ndft_coil_stride(p, ndft_input_length(p, op));
    s->out_coil = ndft_coil_stride(p, ndft_output_length(p, op));
    NDFT_TRY(place_samples(arena, p, sample, sign, s));
    NDFT_TRY(place_groups(arena, p, sample, k[SAMPLES], sign, s));
    NDFT_TRY(place_axes(arena, p, s));
    NDFT_TRY(place_planes(arena, p, s));
    return place_work(arena, p, adjoint, s);
}

static void destroy(void *state)
{
    separable_plan *plan = state;
    ndft_arena_release(&plan->arena);
    free(plan);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    separable_plan *plan = calloc(1, sizeof *plan);
    timed_sample *sample = sort_samples(p);
    ndft_status status = NDFT_OK;
    if (!plan || !sample) {
        free(plan);
        free(sample);
        return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan of %lld samples",
                         (long long)p->n_samples);
    }
    plan->arena.exec = exec;
    plan->loop[0] = forward_loops[exec->device.isa][p->prec];
    plan->loop[1] = adjoint_loops[exec->device.isa][p->prec];
    if (ops & NDFT_FORWARD) status = prepare(plan, p, NDFT_FORWARD, sample, k);
    if (status == NDFT_OK && ops & NDFT_ADJOINT) status = prepare(plan, p, NDFT_ADJOINT, sample, k);
    free(sample);
    if (status != NDFT_OK) {
        destroy(plan);
        return status;
    }
    *out = plan;
    return NDFT_OK;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const separable_plan *plan = state;
    plan->loop[op == NDFT_ADJOINT](&plan->way[op == NDFT_ADJOINT], in, out);
    return NDFT_OK;
}

/* All that is executed, padding included; groups as if all times had equally many samples. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    const int64_t counted =
        p->structure.distinct_times ? p->structure.distinct_times : p->n_samples;
    const int64_t times = p->dw ? counted : 1, each = whole(p->n_samples, times);
    const ndft_separable s = shape_of(p, each < k[SAMPLES] ? each : k[SAMPLES]);
    const double m = (double)p->n_samples, coils = s.coils, passes = s.groups_of_coils;
    const double groups = (double)(times * whole(each, k[SAMPLES]));
    const double voxels = (double)s.planes * (double)s.width * groups, width = (double)s.width;
    const double turned = p->dw ? voxels : 0, sincos = p->prec == NDFT_F32 ? 10 : 19;
    const double phasors = turned * passes + m * passes * (s.pairs + width);
    ndft_cost cost = {.launches = 1};
    cost.fma = m * coils * width * (4.0 * s.pairs + 4) + turned * 4 * coils + phasors * sincos;
    cost.fma += 3 * (phasors + m * passes * width * (s.axes - 1));
    cost.add = 2 * voxels * coils + 5 * phasors + 2 * m * passes * width * (s.axes - 1);
    cost.integer = 3 * phasors;
    cost.dram_bytes =
        (double)(ndft_vector_bytes(p, p->n_voxels) + ndft_vector_bytes(p, p->n_samples));
    return ndft_cost_total(cost);
}

const ndft_variant ndft_separable_gemm_cpu = {
    .name = "separable_gemm",
    .backend = "cpu",
    .summary = "axes apart, the image turned once a time, last axis folded: a real product",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.b = 0.05, .c = 64, .deterministic = true, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
};
