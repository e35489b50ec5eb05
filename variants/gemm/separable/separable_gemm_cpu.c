/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "core/directions.h"
#include "direct/sum_cost.h"
#include "phase/phase_range.h"
#include "phase/points.h"
#include "phase/scaled.h"
#include "phase/worst_entry.h"
#include "separable_gemm_loop.h"
#include "separable_units.h"

/*
 * The axes of a Cartesian grid apart, the field map exact. Samples of one time see one image, the
 * given one turned by the field and decayed, so that this costs one phasor a voxel and time; then
 * the sum over the last axis is a product of that image with a phasor a sample and plane, and what
 * is left is one phasor a sample and column of a plane. The last axis is folded about its middle:
 * sums and differences of opposite planes with cosines and sines, 2 FMA a pair instead of 4. A mask
 * is filled up with zeros. A thread takes the samples of one time (forward) or a strip of all
 * planes (adjoint). The FMA pipes are the ceiling, unless times are shared by few samples.
 */

enum { SAMPLES, THREADS }; /* knobs, in order */

static const ndft_knob knobs[] = {
    NDFT_KNOB("samples", "of one time", "samples that share one turned image, at most", 128,
              (32, 64, 128, 256)),
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(forward_loops, ndft_direction_loop, separable_forward);
NDFT_LOOPS(adjoint_loops, ndft_direction_loop, separable_adjoint);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (ndft_has_gradients(p)) return "the sinc of gradient maps does not come apart by axes";
    if (k[SAMPLES] < 1 || k[SAMPLES] > 4096) return "samples must be 1 to 4096";
    const char *why = ndft_threads_unsupported(k[THREADS]);
    return why ? why : ndft_phase_range_exceeded(p);
}

/* Samples times coils whose sums stay in the second-level cache. */
enum { MOST_SUMS = 512 };

/* Sizes that follow from the problem and the largest group of samples alone. */
static ndft_separable shape_of(const ndft_problem *p, int64_t most)
{
    const int64_t chunk = NDFT_SEPARABLE_CHUNK_BYTES / (int64_t)ndft_real_size(p->prec);
    ndft_separable s = {.axes = p->dim, .coils = p->coils, .voxel = p->voxel, .plane = 1};
    for (int d = 0; d < p->dim - 1; d++) s.plane *= p->n[d];
    s.width = ndft_whole(s.plane, chunk) * chunk;
    s.planes = (int)p->n[p->dim - 1];
    s.pairs = (s.planes + 1) / 2;
    s.rows = (int)ndft_whole(s.pairs, ndft_whole(s.pairs, NDFT_SEPARABLE_ROWS));
    s.most = (int)(ndft_whole(most, NDFT_SEPARABLE_PAD) * NDFT_SEPARABLE_PAD);
    s.groups_of_coils = (int)ndft_whole(p->coils, MOST_SUMS > s.most ? MOST_SUMS / s.most : 1);
    s.coils_of_group = (int)ndft_whole(p->coils, s.groups_of_coils);
    return s;
}

/* Cuts times into even groups of at most `limit` samples; returns how many, and the largest one.
 * group NULL: only counts. */
static int64_t cut_groups(const ndft_timed *sample, int64_t samples, int64_t limit,
                          ndft_time_group *group, int64_t *most)
{
    int64_t groups = 0;
    *most = 0;
    for (int64_t first = 0, end; first < samples; first = end) {
        end = first + ndft_same_time(sample, first, samples);
        const int64_t size = ndft_whole(end - first, ndft_whole(end - first, limit));
        if (size > *most) *most = size;
        for (int64_t i = first; i < end; i += size, groups++)
            if (group) group[groups] = (ndft_time_group){i, (int)(end - i < size ? end - i : size)};
    }
    return groups;
}

static ndft_status place_samples(ndft_arena *arena, const ndft_problem *p, const ndft_timed *sample,
                                 double sign, ndft_separable *s)
{
    const size_t m = (size_t)p->n_samples, real = ndft_real_size(p->prec);
    const int last = p->dim - 1;
    void *order, *point, *high, *rest;
    NDFT_TRY(ndft_reserve(arena, "order of samples", m * sizeof *s->order, &order));
    NDFT_TRY(ndft_reserve(arena, "samples", m * NDFT_SCALED_REALS * real, &point));
    NDFT_TRY(ndft_reserve(arena, "samples", (m + NDFT_SEPARABLE_PAD) * real, &high));
    NDFT_TRY(ndft_reserve(arena, "samples", (m + NDFT_SEPARABLE_PAD) * real, &rest));
    for (int64_t j = 0; j < p->n_samples; j++) {
        double at[4];
        ((int32_t *)order)[j] = sample[j].sample;
        ndft_point(p, NDFT_SAMPLES, sample[j].sample, at);
        const ndft_centre turns = ndft_centre_of(p, at, sign);
        for (int d = 0; d < p->dim; d++) ndft_put_scaled(p, point, j, d, turns.hi[d], turns.lo[d]);
        ndft_put_real(high, p->prec, j, ndft_real_at(point, p->prec, NDFT_SCALED_REALS * j + last));
        ndft_put_real(rest, p->prec, j,
                      ndft_real_at(point, p->prec, NDFT_SCALED_REALS * j + 4 + last));
    }
    for (int64_t j = p->n_samples; j < p->n_samples + NDFT_SEPARABLE_PAD; j++) {
        ndft_put_real(high, p->prec, j, 0);
        ndft_put_real(rest, p->prec, j, 0);
    }
    s->order = order;
    s->point = point;
    s->high = high;
    s->rest = rest;
    return NDFT_OK;
}

static ndft_status place_groups(ndft_arena *arena, const ndft_problem *p, const ndft_timed *sample,
                                int64_t limit, double sign, ndft_separable *s)
{
    int64_t most;
    void *group, *time;
    NDFT_TRY(
        ndft_reserve(arena, "groups of samples", (size_t)s->groups * sizeof *s->group, &group));
    cut_groups(sample, p->n_samples, limit, group, &most);
    s->group = group;
    if (!ndft_is_timed(p)) return NDFT_OK;
    const size_t groups = (size_t)s->groups, real = ndft_real_size(p->prec);
    NDFT_TRY(ndft_reserve(arena, "times", groups * (NDFT_SCALED_REALS + 1) * real, &time));
    void *when = (char *)time + groups * NDFT_SCALED_REALS * real;
    for (int64_t i = 0; i < s->groups; i++) {
        const double at[4] = {0, 0, 0, sample[s->group[i].first].t};
        const ndft_centre turns = ndft_centre_of(p, at, sign);
        ndft_put_scaled(p, time, i, 0, turns.hi[3], turns.lo[3]);
        ndft_put_real(when, p->prec, i, at[3]);
    }
    s->time = time;
    if (p->decay) s->when = when;
    return NDFT_OK;
}

/* Coordinates of columns and pairs, all exact. */
static ndft_status place_axes(ndft_arena *arena, const ndft_problem *p, ndft_separable *s)
{
    const size_t real = ndft_real_size(p->prec);
    const int last = p->dim - 1;
    const double middle = s->planes % 2 ? 0 : -0.5;
    void *to;
    for (int d = 0; d < p->dim; d++) {
        NDFT_TRY(ndft_reserve(arena, "columns", (size_t)s->width * real, &to));
        for (int64_t column = 0; column < s->width; column++) {
            const int64_t index = d == 0 ? column % p->n[0] : column / p->n[0];
            ndft_put_real(to, p->prec, column, d == last ? middle : (double)(index - p->n[d] / 2));
        }
        s->at[d] = to;
    }
    NDFT_TRY(ndft_reserve(arena, "pairs of planes", (size_t)s->pairs * real, &to));
    for (int i = 0; i < s->pairs; i++) ndft_put_real(to, p->prec, i, i - middle);
    s->offset = to;
    return NDFT_OK;
}

/* A map on the whole grid, 0 where it is not or where there is no voxel. */
static ndft_status place_map(ndft_arena *arena, const ndft_problem *p, const ndft_separable *s,
                             const char *what, const void *map, const void **grid)
{
    const int64_t reals = s->planes * s->width;
    void *to;
    NDFT_TRY(ndft_reserve(arena, what, (size_t)reals * ndft_real_size(p->prec), &to));
    for (int64_t i = 0; i < reals; i++) ndft_put_real(to, p->prec, i, 0);
    for (int64_t v = 0; v < (map ? p->n_voxels : 0); v++) {
        const int64_t i = p->voxel ? p->voxel[v] : v;
        ndft_put_real(to, p->prec, i / s->plane * s->width + i % s->plane,
                      ndft_real_at(map, p->prec, v));
    }
    *grid = to;
    return NDFT_OK;
}

/* The first voxel of each plane, field and decay. */
static ndft_status place_planes(ndft_arena *arena, const ndft_problem *p, ndft_separable *s)
{
    void *first;
    NDFT_TRY(ndft_reserve(arena, "first voxels of planes",
                          ((size_t)s->planes + 1) * sizeof *s->plane_first, &first));
    int64_t *at = first, v = 0;
    for (int plane = 0; plane <= s->planes; plane++) {
        while (v < p->n_voxels && (p->voxel ? p->voxel[v] : v) < plane * s->plane) v++;
        at[plane] = v;
    }
    s->plane_first = at;
    if (ndft_is_timed(p)) NDFT_TRY(place_map(arena, p, s, "field", p->dw, &s->field));
    return p->decay ? place_map(arena, p, s, "decay", p->decay, &s->decay) : NDFT_OK;
}

static ndft_status place_images(ndft_arena *arena, const ndft_problem *p, bool adjoint,
                                ndft_separable *s)
{
    const size_t real = ndft_real_size(p->prec), most = (size_t)s->most;
    const size_t lanes = 2 * NDFT_SEPARABLE_CHUNK_BYTES / real, coils = (size_t)s->coils_of_group;
    const size_t image = 2 * (size_t)s->coils * (size_t)s->planes * (size_t)s->width * real;
    s->work_reals = 2 * (size_t)s->pairs * most + 4 * NDFT_SEPARABLE_ROWS * lanes +
                    coils * most * (lanes + 2) + lanes;
    NDFT_TRY(ndft_reserve(arena, "image", image, &s->image));
    if (adjoint) NDFT_TRY(ndft_reserve(arena, "image of a batch", image, &s->part));
    return ndft_reserve(arena, "workspace", (size_t)s->threads * s->work_reals * real, &s->work);
}

/* All arrays but the sorted samples, which are the plan's alone. */
static ndft_status place(ndft_arena *arena, const ndft_problem *p, ndft_op op, const int *k,
                         const ndft_timed *sample, ndft_separable *s)
{
    const bool adjoint = op == NDFT_ADJOINT;
    const double sign = adjoint ? 1 : -1;
    int64_t most;
    const int64_t groups = cut_groups(sample, p->n_samples, k[SAMPLES], NULL, &most);
    *s = shape_of(p, most);
    s->groups = groups;
    s->threads = k[THREADS] ? k[THREADS] : arena->exec->threads;
    const int64_t chunks = s->width * (int64_t)ndft_real_size(p->prec) / NDFT_SEPARABLE_CHUNK_BYTES;
    s->strip = ndft_whole(chunks, 2 * s->threads);
    s->strips = ndft_whole(chunks, s->strip);
    s->element = ndft_element_stride(p);
    s->in_coil = ndft_coil_stride(p, ndft_input_length(p, op));
    s->out_coil = ndft_coil_stride(p, ndft_output_length(p, op));
    NDFT_TRY(place_samples(arena, p, sample, sign, s));
    NDFT_TRY(place_groups(arena, p, sample, k[SAMPLES], sign, s));
    NDFT_TRY(place_axes(arena, p, s));
    NDFT_TRY(place_planes(arena, p, s));
    return place_images(arena, p, adjoint, s);
}

static ndft_status prepare(ndft_arena *arena, const ndft_problem *p, ndft_op op, const void *how,
                           void *direction)
{
    const int *k = how;
    ndft_timed *sample = ndft_sort_times(p);
    if (!sample)
        return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory to sort %lld samples",
                         (long long)p->n_samples);
    const ndft_status status = place(arena, p, op, k, sample, direction);
    free(sample);
    return status;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_directions_create(p, k, ops, exec, sizeof(ndft_separable), prepare, forward_loops,
                                  adjoint_loops, out);
}

/* Samples and columns are cut alike in both directions. */
static void chosen(const void *state, char *text, size_t size)
{
    const ndft_separable *direction = ndft_direction_served(state);
    text[0] = 0;
    ndft_chosen_one(text, size, "threads", direction->threads);
    ndft_chosen_one(text, size, "samples_of_group", direction->most);
    ndft_chosen_one(text, size, "coils_of_group", direction->coils_of_group);
    ndft_chosen_one(text, size, "strips", direction->strips);
}

/* All that is executed, padding included; groups as if all times had equally many samples. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const int64_t counted =
        p->structure.distinct_times ? p->structure.distinct_times : p->n_samples;
    const int64_t times = ndft_is_timed(p) ? counted : 1, each = ndft_whole(p->n_samples, times);
    const ndft_separable s = shape_of(p, each < k[SAMPLES] ? each : k[SAMPLES]);
    const double m = (double)p->n_samples, coils = s.coils, passes = s.groups_of_coils;
    const double groups = (double)(times * ndft_whole(each, k[SAMPLES]));
    const double voxels = (double)s.planes * (double)s.width * groups, width = (double)s.width;
    const double turned = ndft_is_timed(p) ? voxels : 0, sincos = p->prec == NDFT_F32 ? 10 : 19;
    const double phasors = turned * passes + m * passes * (s.pairs + width);
    ndft_cost cost = {.launches = 1};
    cost.fma = m * coils * width * (4.0 * s.pairs + 4) + turned * 4 * coils + phasors * sincos;
    cost.fma += 3 * (phasors + m * passes * width * (s.axes - 1));
    cost.add = 2 * voxels * coils + 5 * phasors + 2 * m * passes * width * (s.axes - 1);
    cost.integer = 3 * phasors;
    ndft_cost_decay(&cost, p, turned * passes);
    cost.dram_bytes = ndft_both_bytes(p);
    /* Every group reads the images of all coils, and in the adjoint writes them. */
    const double real = (double)ndft_real_size(p->prec);
    cost.l2_bytes = voxels * coils * real * (op == NDFT_ADJOINT ? 4 : 2);
    if (op == NDFT_ADJOINT) cost.threads = passes * width * real / NDFT_SEPARABLE_CHUNK_BYTES;
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
    NDFT_KNOBS(knobs),
    .decays = true,
    .claim = {.b = 0.05,
              .c = 64,
              .any = {.c = NDFT_ANY_REDUCED + 3 * (NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT),
                      .chain = chain},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_DIRECTIONS(plan),
    .cost = cost,
    .chosen = chosen,
};
