/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_grids.cuh"

#include "core/chosen.h"
#include "nufft/crowd_waits.h"
#include "planar_shape.h"

namespace
{

/* Of the largest pass, and of the last, whose coils or terms may be fewer. */
void put_lanes(const ndft_nufft_plan *plan, ndft_nufft_lanes passes[2])
{
    const int all = plan->problem->coils, chunk = plan->shape.chunk;
    const int coils = chunk < all ? chunk : all, terms = chunk > all ? chunk / all : 1;
    passes[0] = ndft_nufft_interleaved_lanes(plan, coils, terms);
    passes[1] = ndft_nufft_interleaved_lanes(plan, (all - 1) % coils + 1,
                                             (plan->shape.rank - 1) % terms + 1);
}

ndft_status make_grids(ndft_nufft_plan *plan, const ndft_nufft_lanes passes[2])
{
    int64_t lanes = 0;
    for (int i = 0; i < 2; i++) {
        const int64_t of_pass = (int64_t)passes[i].groups * passes[i].count;
        if (of_pass > lanes) lanes = of_pass;
    }
    char *cells = nullptr;
    NDFT_TRY(ndft_reserve(&plan->arrays, "oversampled grids",
                          (int64_t)plan->shape.column_bytes * lanes, &cells));
    plan->grid.cells = cells;
    return NDFT_OK;
}

/* Thread = sample. */
__global__ void mark_reached(ndft_nufft_samples samples, int width, int2 n, int places,
                             unsigned *reached)
{
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= samples.count) return;
    for (int k = 0; k < width * width; k++) {
        const int x = ndft_wrapped(samples.first[0][i] + k / width, n.x);
        const int y = ndft_wrapped(samples.first[1][i] + k % width, n.y);
        unsigned *word = reached + x * places + y % places;
        const unsigned bit = 1u << y / places;
        if (!(*word & bit)) atomicOr(word, bit);
    }
}

} // namespace

ndft_status ndft_nufft_reached_mark(ndft_nufft_plan *plan, int places, const unsigned **map)
{
    const int2 n = {plan->grid.n[0], plan->grid.n[1]};
    unsigned *reached = nullptr;
    NDFT_TRY(ndft_reserve_zeros(&plan->arrays, "cells that samples reach", (int64_t)n.x * places,
                                &reached));
    mark_reached<<<ndft_blocks(plan->samples.count, 256), 256, 0, ndft_stream(plan->arrays.exec)>>>(
        plan->samples, plan->shape.window.width, n, places, reached);
    *map = reached;
    return ndft_launched(plan->arrays.exec, "cells that samples reach");
}

ndft_status ndft_nufft_reached_make(ndft_nufft_plan *plan, ndft_nufft_lines *lines)
{
    if (plan->shape.dim != 2) return NDFT_OK;
    const ndft_nufft_line &line = lines->axis[1];
    return ndft_nufft_reached_mark(plan, line.n / line.passes.cells, &lines->reached);
}

ndft_nufft_lanes ndft_nufft_interleaved_lanes(const ndft_nufft_plan *plan, int coils, int terms)
{
    return ndft_nufft_lanes_of(coils, terms, ndft_nufft_least_lanes(plan->prec),
                               ((const ndft_nufft_interleaved *)plan->own)->most_lanes);
}

ndft_status ndft_nufft_interleaved_prepare(ndft_nufft_plan *plan, const int *k)
{
    ndft_nufft_interleaved *own = (ndft_nufft_interleaved *)plan->own;
    ndft_arrays *arrays = &plan->arrays;
    const int dim = plan->shape.dim, *n = plan->grid.n;
    own->most_lanes =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_most_lanes(plan->prec);
    ndft_nufft_lanes passes[2];
    put_lanes(plan, passes);
    NDFT_TRY(make_grids(plan, passes));
    NDFT_TRY(ndft_nufft_lines_make(arrays, plan->prec, dim, n, &own->lines));
    NDFT_TRY(ndft_nufft_reached_make(plan, &own->lines));
    NDFT_TRY(ndft_nufft_two_lines_make(plan, &own->two_lines));
    if (plan->ops & NDFT_FORWARD) {
        NDFT_TRY(ndft_nufft_lines_allow_forward(arrays->exec, plan->prec, dim, n, &own->lines));
        NDFT_TRY(ndft_nufft_boxes_make(plan, passes, &own->boxes));
    }
    if (!plan->stage->spread) return NDFT_OK;
    NDFT_TRY(ndft_nufft_lines_allow_adjoint(arrays->exec, plan->prec, dim, n, &own->lines));
    return ndft_nufft_products_make(plan, passes, &own->products);
}

ndft_status ndft_nufft_interleaved_transform(const ndft_nufft_plan *plan,
                                             const ndft_nufft_pass *pass, const void *image)
{
    const ndft_nufft_interleaved *own = (const ndft_nufft_interleaved *)plan->own;
    const ndft_nufft_lanes lanes = ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms);
    if (ndft_nufft_two_lines_serve(plan, &own->two_lines, lanes))
        return ndft_nufft_two_lines_run(plan, {&own->lines, &own->two_lines, pass, lanes}, image);
    return ndft_nufft_lines_run(plan, &own->lines, pass, lanes, image);
}

/* Lanes of the largest pass. */
void ndft_nufft_interleaved_chosen(const ndft_nufft_plan *plan, char *text, size_t size)
{
    ndft_nufft_lanes passes[2];
    put_lanes(plan, passes);
    ndft_chosen_one(text, size, "lanes", passes[0].count);
}

const char *ndft_nufft_interleaved_unsupported(const ndft_problem *p, const ndft_device *device,
                                               const int *k)
{
    const int lanes =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_least_lanes(p->prec);
    if (k[NDFT_INTERLEAVED_LENGTH] < 1 || k[NDFT_INTERLEAVED_HEIGHT] < 1)
        return "tiles of the sort must have at least one cell";
    if (lanes < ndft_nufft_least_lanes(p->prec) || lanes > ndft_nufft_most_lanes(p->prec) ||
        lanes & (lanes - 1))
        return p->prec == NDFT_F32 ? "lanes must be 0, 2, 4 or 8" : "lanes must be 0, 1, 2 or 4";
    const char *why = ndft_nufft_lines_unsupported(p, k);
    return why ? why : ndft_nufft_field_unsupported(p, device, k);
}

static ndft_cost cost_of(const ndft_problem *p, ndft_op op, const int *k, bool weighed)
{
    ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    work.weighed = weighed;
    const int most =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_most_lanes(p->prec);
    const ndft_nufft_lanes lanes =
        ndft_nufft_lanes_of(p->coils, (int)work.terms, ndft_nufft_least_lanes(p->prec), most);
    if (ndft_nufft_fit_lines(&work.shape, p->prec, nullptr) != NDFT_OK) return {};
    ndft_cost cost = ndft_nufft_interleaved_cost(&work, &lanes);
    if (op == NDFT_ADJOINT) cost.launches += ndft_nufft_products_wait(p, &work);
    return cost;
}

ndft_cost ndft_nufft_interleaved_execution(const ndft_problem *p, ndft_op op, const int *k)
{
    return cost_of(p, op, k, false);
}

ndft_cost ndft_nufft_interleaved_weighed(const ndft_problem *p, ndft_op op, const int *k)
{
    return cost_of(p, op, k, true);
}
