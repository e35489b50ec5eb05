/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_choose.cuh"

#include "convolve/axis_cost.h"
#include "uniform/uniform_cost.h"

#include <ndft/variant.h>

/*
 * Bluestein's transform of any length with everything fused into two transforms, as rocFFT's design
 * document proposes (AMD, 2024): chirp and padding happen where the first one loads, the product
 * with the chirp's spectrum where the second loads, the last chirp where it stores. The spectrum is
 * from plan, or is a third node of every execute. Up to 24576 padded cells in f32 and 8192 in f64 a
 * node may be one kernel; else signals are matrices, and the rows' transforms there and back with
 * the product between them share a kernel, so that padded cells pass memory four times in all.
 * Threads hold 8 to 20 cells, and lines meet in shared memory, or are transformed there in place;
 * which of a few shapes is the fastest is measured in plan. Memory is the ceiling for batches,
 * latency for few signals.
 */

namespace
{

enum { CHIRP_FFT, PADDED };
enum { CHIRP_PLAN, CHIRP_EXECUTE };

const char *const moments[] = {"plan", "execute", nullptr};
const char *const paddings[] = {"auto", "power", nullptr};

const ndft_knob fused_knobs[] = {
    {.name = "chirp_fft",
     .unit = nullptr,
     .summary = "when the chirp is transformed: once in plan, or in every execute",
     .words = moments,
     .preset = CHIRP_PLAN,
     .n_candidates = 2,
     .candidates = {CHIRP_PLAN, CHIRP_EXECUTE}},
    {.name = "padded",
     .unit = nullptr,
     .summary = "length of the convolution: the fastest, measured in plan, or a power of two",
     .words = paddings,
     .preset = NDFT_PADDED_AUTO,
     .n_candidates = 2,
     .candidates = {NDFT_PADDED_AUTO, NDFT_PADDED_POWER}},
};

struct fused_plan : ndft_base_plan {
    ndft_axes axes;
    bluestein_axis axis[3];
    char *kept; /* padded lines, of the axis that has most */
    bool in_execute;

    template <class R> ndft_status prepare_axes(int padded)
    {
        int64_t most = 0;
        for (int i = 0; i < axes.passes; i++) {
            const ndft_pass &pass = axes.pass[i];
            ndft_filter_shape shape;
            NDFT_TRY((choose_shape<false, R>(arrays.exec, pass, padded, &shape)));
            NDFT_TRY((make_axis<false, R>(&arrays, pass, shape, &axis[i])));
            const int64_t cells = pass.lines * shape.cells;
            most = cells > most ? cells : most;
        }
        NDFT_TRY(
            ndft_reserve(&arrays, "padded lines", most * (int64_t)sizeof(ndft_complex<R>), &kept));
        return ndft_axes_reserve(&arrays, prec, &axes);
    }

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned)
    {
        axes = ndft_axes_read_first(ndft_transform_of(p));
        in_execute = knobs[CHIRP_FFT] == CHIRP_EXECUTE;
        return prec == NDFT_F32 ? prepare_axes<float>(knobs[PADDED])
                                : prepare_axes<double>(knobs[PADDED]);
    }

    template <class R> ndft_status run(const void *in, void *out) const
    {
        for (int i = 0; i < axes.passes; i++) {
            if (in_execute) NDFT_TRY(ndft_bluestein_set_filter<R>(axis[i]));
            NDFT_TRY(
                axis[i].run<R>(ndft_pass_from(&axes, i, in), ndft_pass_to(&axes, i, out), kept));
        }
        return NDFT_OK;
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    const ndft_axes axes = ndft_axes_read_first(ndft_transform_of(p));
    for (int i = 0; i < axes.passes; i++) {
        ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
        if (shapes_of(axes.pass[i], knobs[PADDED], false, p->prec, device, shapes) == 0)
            return "an axis needs a convolution of more than 2^24 cells";
    }
    return ndft_axes_unsupported(p, axes);
}

ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<fused_plan>(p, knobs, ops, exec, out);
}

ndft_status execute(void *state, ndft_op, const void *in, void *out)
{
    const auto *plan = (const fused_plan *)state;
    return plan->prec == NDFT_F32 ? plan->run<float>(in, out) : plan->run<double>(in, out);
}

void chosen(const void *state, char *text, size_t size)
{
    const auto *plan = (const fused_plan *)state;
    shapes_chosen(plan->axis, plan->axes.passes, text, size);
}

ndft_cost cost(const ndft_problem *p, ndft_op, const int *knobs)
{
    const ndft_axes axes = ndft_axes_read_first(ndft_transform_of(p));
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
        const int count = shapes_of(axes.pass[i], knobs[PADDED], false, p->prec, nullptr, shapes);
        if (count == 0) continue;
        const ndft_filter_shape shape = shortest_of(shapes, count);
        const int matrix = shape.column > 1;
        const int launches = 2 + matrix + (knobs[CHIRP_FFT] == CHIRP_EXECUTE) * (1 + matrix);
        ndft_axis_cost(&axes.pass[i], p->prec, shape.cells, 2 + 2 * matrix, launches, &cost);
        cost.shared_bytes += exchanged_bytes(axes.pass[i], shape, p->prec);
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_bluestein_fused_cuda = {
    .name = "bluestein_fused",
    .backend = "cuda",
    .summary = "a chirp convolution fused into the loads and stores of two transforms",
    .knobs = fused_knobs,
    .n_knobs = 2,
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
