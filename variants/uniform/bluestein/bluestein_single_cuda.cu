/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_choose.cuh"

#include "convolve/axis_cost.h"
#include "uniform/uniform_cost.h"

#include <ndft/variant.h>

/*
 * Bluestein's transform in one kernel per axis: signals are loaded, transformed, multiplied with
 * the chirp's spectrum, transformed back and stored by blocks that hold whole padded lines, 8 to
 * 20 cells a thread or in place, whichever of filter_shape.h's takes least time in plan. Nothing
 * but the signal passes memory. Issue slots and the waiting of few warps for each other are the
 * ceiling.
 */

namespace
{

/* The shortest line for a pass on a device (NULL: on any); false: it is too long. */
bool line_of(const ndft_pass &pass, ndft_prec prec, const ndft_device *device,
             ndft_filter_shape *shape)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const int count = shapes_of(pass, NDFT_PADDED_AUTO, true, prec, device, shapes);
    if (count > 0) *shape = shortest_of(shapes, count);
    return count > 0;
}

struct single_plan : ndft_base_plan {
    ndft_axes axes;
    bluestein_axis axis[3];

    template <class R> ndft_status prepare_axes()
    {
        for (int i = 0; i < axes.passes; i++) {
            ndft_filter_shape shape;
            NDFT_TRY((choose_shape<true, R>(arrays.exec, axes.pass[i], NDFT_PADDED_AUTO, &shape)));
            NDFT_TRY((make_axis<true, R>(&arrays, axes.pass[i], shape, &axis[i])));
        }
        return NDFT_OK;
    }

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        axes = ndft_axes_of(ndft_transform_of(p), true);
        NDFT_TRY(ndft_axes_reserve(&arrays, prec, &axes));
        return prec == NDFT_F32 ? prepare_axes<float>() : prepare_axes<double>();
    }

    template <class R> ndft_status run(const void *in, void *out) const
    {
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(
                axis[i].run_line<R>(ndft_pass_from(&axes, i, in), ndft_pass_to(&axes, i, out)));
        return NDFT_OK;
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    for (int i = 0; i < axes.passes; i++) {
        ndft_filter_shape shape;
        if (!line_of(axes.pass[i], p->prec, device, &shape))
            return p->prec == NDFT_F32 ? "an axis needs a convolution of more cells than a block "
                                         "holds, 24576 at most"
                                       : "an axis needs a convolution of more cells than a block "
                                         "holds, 8192 at most";
    }
    return ndft_axes_unsupported(p, axes);
}

ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<single_plan>(p, knobs, ops, exec, out);
}

ndft_status execute(void *state, ndft_op, const void *in, void *out)
{
    const auto *plan = (const single_plan *)state;
    return plan->prec == NDFT_F32 ? plan->run<float>(in, out) : plan->run<double>(in, out);
}

void chosen(const void *state, char *text, size_t size)
{
    const auto *plan = (const single_plan *)state;
    shapes_chosen(plan->axis, plan->axes.passes, text, size);
}

ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    ndft_cost cost = {};
    if (axes.copies) {
        cost.dram_bytes = (double)axes.room[0] * 4 * (double)ndft_real_size(p->prec);
        cost.launches = 1;
    }
    for (int i = 0; i < axes.passes; i++) {
        ndft_filter_shape shape;
        if (!line_of(axes.pass[i], p->prec, nullptr, &shape)) continue;
        ndft_axis_cost(&axes.pass[i], p->prec, shape.cells, 0, 1, &cost);
        cost.shared_bytes += exchanged_bytes(axes.pass[i], shape, p->prec);
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_bluestein_single_cuda = {
    .name = "bluestein_single",
    .backend = "cuda",
    .summary = "a chirp convolution in one kernel per axis, in shared memory",
    .knobs = nullptr,
    .n_knobs = 0,
    .ops = NDFT_FORWARD,
    .claim = {.a = 0,
              .b = 0,
              .c = 2,
              .truncation = ndft_fft_truncation,
              .any = {.a = 0, .c = 1, .chain = ndft_no_chain, .truncation = ndft_fft_worst},
              .deterministic = false,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = chosen,
};
