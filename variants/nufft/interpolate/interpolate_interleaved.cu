/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "interleaved_read.cuh"
#include "nufft/transform/interleaved_fft.cuh"

#include "nufft/transform/interleaved_shape.h"

/*
 * Forward transforms of many columns, whose grids are interleaved (interleaved_fft.cuh): a kernel
 * deapodises, weighs and transforms rows of voxels, the other axes are transformed in place, and
 * samples read 128 neighbouring bytes at a time. Planar grids (nufft_scatter) cost a pass over
 * memory more for padding, and a thread that reads a row of one column for itself shares few
 * sectors with its neighbours. The ceiling is the first cache's rate of bytes.
 */

namespace
{

/* What the scheme keeps. */
struct interleaved {
    ndft_nufft_lines lines;
    int most_lanes;
};

ndft_nufft_lanes lanes_of(const ndft_nufft_plan *plan, int coils, int terms)
{
    return ndft_nufft_lanes_of(coils, terms, ndft_nufft_least_lanes(plan->prec),
                               ((const interleaved *)plan->own)->most_lanes);
}

/* All lanes of a pass. */
int64_t lanes_in(const ndft_nufft_plan *plan, int coils, int terms)
{
    const ndft_nufft_lanes lanes = lanes_of(plan, coils, terms);
    return (int64_t)lanes.groups * lanes.count;
}

/* For the largest pass, and the last, whose coils or terms may be fewer. */
ndft_status make_grids(ndft_nufft_plan *plan)
{
    const int all = plan->problem->coils, chunk = plan->shape.chunk;
    const int coils = chunk < all ? chunk : all, terms = chunk > all ? chunk / all : 1;
    const int last_coils = (all - 1) % coils + 1, last_terms = (plan->shape.rank - 1) % terms + 1;
    const int64_t first = lanes_in(plan, coils, terms);
    const int64_t last = lanes_in(plan, last_coils, last_terms);
    const int64_t lanes = first > last ? first : last;
    char *cells = nullptr;
    NDFT_TRY(ndft_reserve(&plan->arrays, "oversampled grids",
                          (int64_t)plan->shape.column_bytes * lanes, &cells));
    plan->grid.cells = cells;
    return NDFT_OK;
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    interleaved *own = (interleaved *)plan->own;
    own->most_lanes =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_most_lanes(plan->prec);
    NDFT_TRY(make_grids(plan));
    return ndft_nufft_lines_make(&plan->arrays, plan->prec, plan->shape.dim, plan->grid.n,
                                 &own->lines);
}

ndft_status transform(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ndft_nufft_lines_run(plan, &((const interleaved *)plan->own)->lines, pass,
                                lanes_of(plan, pass->coils, pass->terms), in);
}

ndft_status interpolate(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    return ndft_nufft_read_interleaved(plan, pass, lanes_of(plan, pass->coils, pass->terms), out);
}

void tile(const ndft_nufft_shape *, const int *k, int edge[3])
{
    edge[0] = k[NDFT_INTERLEAVED_LENGTH];
    edge[1] = edge[2] = k[NDFT_INTERLEAVED_HEIGHT];
}

/* Lanes of the largest pass. */
void chosen(const ndft_nufft_plan *plan, char *text, size_t size)
{
    const int all = plan->problem->coils, chunk = plan->shape.chunk;
    const ndft_nufft_lanes lanes =
        lanes_of(plan, chunk < all ? chunk : all, chunk > all ? chunk / all : 1);
    ndft_chosen_one(text, size, "lanes", lanes.count);
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int lanes =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_least_lanes(p->prec);
    if (k[NDFT_INTERLEAVED_LENGTH] < 1 || k[NDFT_INTERLEAVED_HEIGHT] < 1)
        return "tiles of the sort must have at least one cell";
    if (lanes < ndft_nufft_least_lanes(p->prec) || lanes > ndft_nufft_most_lanes(p->prec) ||
        lanes & (lanes - 1))
        return p->prec == NDFT_F32 ? "lanes must be 0, 2, 4 or 8" : "lanes must be 0, 1, 2 or 4";
    for (int d = 0; d < p->dim; d++)
        if (p->n[d] * k[NDFT_KNOB_SIGMA] > 100 * NDFT_LINE_LONGEST)
            return "an axis of its grid has more cells than a line in a block, 8192 at most";
    return ndft_nufft_field_unsupported(p, device, k);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    const int most =
        k[NDFT_INTERLEAVED_LANES] ? k[NDFT_INTERLEAVED_LANES] : ndft_nufft_most_lanes(p->prec);
    const ndft_nufft_lanes lanes =
        ndft_nufft_lanes_of(p->coils, (int)work.terms, ndft_nufft_least_lanes(p->prec), most);
    if (ndft_nufft_fit_lines(&work.shape, p->prec, nullptr) != NDFT_OK) return {};
    return ndft_nufft_interleaved_cost(&work, &lanes);
}

} // namespace

const ndft_nufft_stage ndft_interpolate_interleaved = {
    .summary = "nonuniform FFT, forward; grids of several columns interleaved",
    .knobs = ndft_knob_bits(NDFT_INTERLEAVED_LENGTH, NDFT_INTERLEAVED_LANES),
    .deterministic = true,
    .tile = tile,
    .own_bytes = sizeof(interleaved),
    .prepare = prepare,
    .fit = ndft_nufft_fit_lines,
    .transform = transform,
    .interpolate = interpolate,
    .chosen = chosen,
    .unsupported = unsupported,
    .cost = cost,
};
