/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "core/directions.h"
#include "direct/sum_cost.h"
#include "phase/phase_range.h"
#include "phase/worst_entry.h"
#include "separable_gemm_plan.h"

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

static ndft_direction_loop *const forward_loops[3][2] = NDFT_LOOP_TABLE(separable_forward);
static ndft_direction_loop *const adjoint_loops[3][2] = NDFT_LOOP_TABLE(separable_adjoint);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (ndft_has_gradients(p)) return "the sinc of gradient maps does not come apart by axes";
    if (k[SAMPLES] < 1 || k[SAMPLES] > 4096) return "samples must be 1 to 4096";
    return k[THREADS] > NDFT_THREADS_MAX ? "threads must be at most 1024"
                                         : ndft_phase_range_exceeded(p);
}

/* All arrays but the sorted samples, which are the plan's alone. */
static ndft_status place(ndft_arena *arena, const ndft_problem *p, ndft_op op, const int *k,
                         const ndft_timed_sample *sample, ndft_separable *s)
{
    const bool adjoint = op == NDFT_ADJOINT;
    const double sign = adjoint ? 1 : -1;
    int64_t most;
    const int64_t groups = ndft_cut_groups(sample, p->n_samples, k[SAMPLES], NULL, &most);
    *s = ndft_separable_shape(p, most);
    s->groups = groups;
    s->threads = k[THREADS] ? k[THREADS] : arena->exec->threads;
    const int64_t chunks = s->width * (int64_t)ndft_real_size(p->prec) / NDFT_SEPARABLE_CHUNK_BYTES;
    s->strip = ndft_whole(chunks, 2 * s->threads);
    s->strips = ndft_whole(chunks, s->strip);
    s->element = ndft_element_stride(p);
    s->in_coil = ndft_coil_stride(p, ndft_input_length(p, op));
    s->out_coil = ndft_coil_stride(p, ndft_output_length(p, op));
    NDFT_TRY(ndft_place_samples(arena, p, sample, sign, s));
    NDFT_TRY(ndft_place_groups(arena, p, sample, k[SAMPLES], sign, s));
    NDFT_TRY(ndft_place_axes(arena, p, s));
    NDFT_TRY(ndft_place_planes(arena, p, s));
    return ndft_place_images(arena, p, adjoint, s);
}

static ndft_status prepare(ndft_arena *arena, const ndft_problem *p, ndft_op op, const int *k,
                           void *way)
{
    ndft_timed_sample *sample = ndft_sort_samples(p);
    if (!sample)
        return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory to sort %lld samples",
                         (long long)p->n_samples);
    const ndft_status status = place(arena, p, op, k, sample, way);
    free(sample);
    return status;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_directions_create(p, k, ops, exec, sizeof(ndft_separable), prepare,
                                  forward_loops[exec->device.isa][p->prec],
                                  adjoint_loops[exec->device.isa][p->prec], out);
}

/* Samples and columns are cut alike in both directions. */
static void chosen(const void *state, char *text, size_t size)
{
    const ndft_directions *plan = state;
    const ndft_separable *way = plan->way[0] ? plan->way[0] : plan->way[1];
    text[0] = 0;
    ndft_chosen_one(text, size, "threads", way->threads);
    ndft_chosen_one(text, size, "samples_of_group", way->most);
    ndft_chosen_one(text, size, "coils_of_group", way->coils_of_group);
    ndft_chosen_one(text, size, "strips", way->strips);
}

/* All that is executed, padding included; groups as if all times had equally many samples. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    const int64_t counted =
        p->structure.distinct_times ? p->structure.distinct_times : p->n_samples;
    const int64_t times = p->dw ? counted : 1, each = ndft_whole(p->n_samples, times);
    const ndft_separable s = ndft_separable_shape(p, each < k[SAMPLES] ? each : k[SAMPLES]);
    const double m = (double)p->n_samples, coils = s.coils, passes = s.groups_of_coils;
    const double groups = (double)(times * ndft_whole(each, k[SAMPLES]));
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

/* Forward, the lines of an axis are summed first. */
static double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    const double line = (double)p->n[p->dim - 1];
    if (op == NDFT_ADJOINT) return (double)p->n_samples;
    return line + (double)(p->n[0] * p->n[1] * p->n[2]) / line;
}

const ndft_variant ndft_separable_gemm_cpu = {
    .name = "separable_gemm",
    .backend = "cpu",
    .summary = "axes apart, the image turned once a time, last axis folded: a real product",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.b = 0.05,
              .c = 64,
              .any = {.c = NDFT_ANY_REDUCED + 3 * (NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT),
                      .chain = chain},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_directions_execute,
    .destroy = ndft_directions_destroy,
    .cost = cost,
    .chosen = chosen,
};
