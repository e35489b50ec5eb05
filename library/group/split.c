/* SPDX-License-Identifier: Apache-2.0 */
#include "split.h"

#include "base/memo.h"
#include "promise.h"
#include "rank.h"

#include <math.h>
#include <stdlib.h>

/* Along what a problem is cut, by what an execution is predicted to take. */

/* NVLink between H200 under NCCL and under copies; threads of a host that share its memory. */
static const ndft_link usual_gpu = {300e9, 20e-6}, usual_cpu = {8e9, 20e-6};

/* Estimates are no closer than this: a split goes before another that is better by less. */
static const double close_by = 0.02;

ndft_link ndft_link_of(const ndft_group *group, double bytes_s, double step_s)
{
    const ndft_opened *first = (const ndft_opened *)group->device[0];
    const ndft_link usual = first->backend->pin ? usual_gpu : usual_cpu;
    return (ndft_link){bytes_s > 0 ? bytes_s : usual.bytes_s, step_s > 0 ? step_s : usual.step_s};
}

ndft_cut ndft_split_cut(ndft_group_split split, bool adjoint)
{
    if (split == NDFT_SPLIT_COILS) return NDFT_CUT_COILS;
    return split == NDFT_SPLIT_OUTPUTS && adjoint ? NDFT_CUT_VOXELS : NDFT_CUT_SAMPLES;
}

bool ndft_split_serves(const ndft_group_plan *plan, ndft_group_split split)
{
    const ndft_problem *p = &plan->problem->problem;
    const int parts = plan->group->parts;
    if (split == NDFT_SPLIT_COILS)
        return p->coils >= parts && (p->layout == NDFT_PLANAR || p->coils == 1);
    if (split == NDFT_SPLIT_OUTPUTS && (plan->ops & NDFT_ADJOINT) && p->n_voxels < parts)
        return false;
    return p->n_samples >= parts ||
           (split == NDFT_SPLIT_OUTPUTS && !(plan->ops & ~(unsigned)NDFT_ADJOINT));
}

static int64_t share(int64_t n, int parts) { return (n + parts - 1) / parts; }

/* As though the largest part were the first: what engines declare follows from sizes, and from what
 * its samples have in common. */
static ndft_problem part_of(const ndft_problem *p, ndft_cut cut, int parts)
{
    ndft_problem part = *p;
    if (cut == NDFT_CUT_COILS) part.coils = (int)share(p->coils, parts);
    if (cut == NDFT_CUT_VOXELS) part.n_voxels = share(p->n_voxels, parts);
    if (cut == NDFT_CUT_SAMPLES) part.n_samples = share(p->n_samples, parts);
    if (part.structure.line_length > part.n_samples) part.structure.line_length = 0;
    if (part.structure.distinct_times > part.n_samples)
        part.structure.distinct_times = part.n_samples;
    return part;
}

static double fastest(const ndft_group_plan *plan, const ndft_plan_options *each,
                      const ndft_problem *part, unsigned ops)
{
    const ndft_device *device = plan->group->device[0];
    ndft_candidate engine;
    ndft_ranked *ranked = NULL;
    ndft_error ignored = {.status = NDFT_OK};
    if (each->variant) {
        if (ndft_id_parse(each->variant, &engine, &ignored) != NDFT_OK ||
            !ndft_serves(&engine, part, ops, device, each->deterministic, &ignored))
            return INFINITY;
        return ndft_estimate_all(&engine, part, ops, device);
    }
    const int n =
        ndft_rank(NDFT_NONUNIFORM, part, ops, device, each->deterministic, &ranked, &ignored);
    const double seconds = n > 0 ? ranked[0].seconds : INFINITY;
    free(ranked);
    return seconds;
}

/* A part of voxels has a list of them, which no answer that is kept may be about. */
static double fastest_of_voxels(const ndft_group_plan *plan, const ndft_plan_options *each,
                                ndft_problem part, unsigned ops)
{
    int32_t *all = malloc((size_t)part.n_voxels * sizeof *all);
    if (!all) return INFINITY;
    for (int64_t v = 0; v < part.n_voxels; v++) all[v] = part.voxel ? part.voxel[v] : (int32_t)v;
    part.voxel = all;
    part.memo = ndft_memo_create();
    const double seconds = fastest(plan, each, &part, ops);
    ndft_memo_destroy(part.memo);
    free(all);
    return seconds;
}

/* A binary tree over devices adds what they have, and leaves it to all. */
static double sums(const ndft_group_plan *plan, int devices, ndft_link link, ndft_cut cut,
                   unsigned ops)
{
    const ndft_problem *p = &plan->problem->problem;
    const double image = (double)ndft_output_bytes(p, NDFT_ADJOINT);
    double seconds = 0;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        if (!(ops & op) || devices < 2) continue;
        seconds += link.step_s;
        if (ndft_parts_are_summed(p, cut, (ndft_op)op))
            seconds += ceil(log2(devices)) * (link.step_s + image / link.bytes_s);
    }
    return seconds;
}

double ndft_split_seconds(const ndft_group_plan *plan, const ndft_plan_options *each,
                          ndft_link link, ndft_cut cut, unsigned ops)
{
    const ndft_group *group = plan->group;
    const int devices = group->is_fixed ? group->parts : group->n;
    const ndft_problem part = part_of(&plan->problem->problem, cut, group->parts);
    if (!ops) return 0;
    const double work = cut == NDFT_CUT_VOXELS ? fastest_of_voxels(plan, each, part, ops)
                                               : fastest(plan, each, &part, ops);
    return work * group->parts / devices + sums(plan, devices, link, cut, ops);
}

static double seconds_of(const ndft_group_plan *plan, const ndft_plan_options *each, ndft_link link,
                         ndft_group_split split)
{
    const unsigned apart = split == NDFT_SPLIT_OUTPUTS ? plan->ops & NDFT_ADJOINT : 0;
    if (!ndft_split_serves(plan, split)) return INFINITY;
    return ndft_split_seconds(plan, each, link, ndft_split_cut(split, false), plan->ops & ~apart) +
           ndft_split_seconds(plan, each, link, ndft_split_cut(split, true), apart);
}

ndft_group_split ndft_split_choose(const ndft_group_plan *plan, const ndft_plan_options *each,
                                   ndft_link link)
{
    double least = seconds_of(plan, each, link, NDFT_SPLIT_COILS);
    ndft_group_split best = isinf(least) ? NDFT_SPLIT_SAMPLES : NDFT_SPLIT_COILS;
    for (int split = NDFT_SPLIT_OUTPUTS; split <= NDFT_SPLIT_SAMPLES; split++) {
        const double seconds = seconds_of(plan, each, link, (ndft_group_split)split);
        if (!(seconds < (1 - close_by) * least)) continue;
        least = seconds;
        best = (ndft_group_split)split;
    }
    return best;
}
