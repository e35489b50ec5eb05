/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_lines.cuh"

#include "convolve/axis_cost.h"
#include "uniform/callback/callback_plan.cuh"
#include "uniform/uniform_cost.h"

#include "base/variant.h"

/*
 * Bluestein's transform of any length as a chirp convolution, in one kernel or a few per axis
 * (bluestein_lines.cuh). Threads hold 8 to 20 cells, and lines meet in shared memory, or are
 * transformed there in place; which of a few shapes is the fastest is measured in plan.
 *
 * bluestein_fused has everything fused into two transforms, as rocFFT's design document proposes
 * (AMD, 2024): chirp and padding happen where the first one loads, the product with the chirp's
 * spectrum where the second loads, the last chirp where it stores. The spectrum is from plan, or is
 * a third node of every execute. Up to 24576 padded cells in f32 and 8192 in f64 a node may be one
 * kernel; else signals are matrices, and the rows' transforms there and back with the product
 * between them share a kernel, so that padded cells pass memory four times in all. Memory is the
 * ceiling for batches, latency for few signals.
 *
 * bluestein_single has one kernel per axis: signals are loaded, transformed, multiplied with the
 * chirp's spectrum, transformed back and stored by blocks that hold whole padded lines. Nothing but
 * the signal passes memory. Issue slots and the waiting of few warps for each other are the
 * ceiling.
 */

namespace
{

enum { CHIRP_FFT, PADDED }; /* bluestein_fused's knobs, in order */
enum { CHIRP_PLAN, CHIRP_EXECUTE };

const char *const moments[] = {"plan", "execute", nullptr};
const ndft_knob fused_knobs[] = {
    NDFT_KNOB_WORDS("chirp_fft", "when the chirp is transformed: once in plan, or in every execute",
                    moments, CHIRP_PLAN, (CHIRP_PLAN, CHIRP_EXECUTE)),
    NDFT_PADDED_KNOB,
};

/* WHOLE: whole lines in one kernel, for bluestein_single. */
template <bool WHOLE> ndft_axes axes_of(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    return WHOLE ? ndft_axes_of(t, true) : ndft_axes_read_first(t);
}

template <bool WHOLE> int padded_of(const int *knobs)
{
    return WHOLE ? (int)NDFT_PADDED_AUTO : knobs[PADDED];
}

template <class R, bool WHOLE> struct bluestein_plan : ndft_base_plan {
    ndft_axes axes;
    bluestein_axis axis[3];
    char *kept; /* padded lines, of the axis that has most; null: WHOLE */
    bool in_execute;

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned)
    {
        axes = axes_of<WHOLE>(p);
        in_execute = !WHOLE && knobs[CHIRP_FFT] == CHIRP_EXECUTE;
        int64_t most = 0;
        for (int i = 0; i < axes.passes; i++) {
            const ndft_pass &pass = axes.pass[i];
            bluestein_way way;
            NDFT_TRY((choose_way<WHOLE, R>(arrays.exec, pass, padded_of<WHOLE>(knobs), &way)));
            NDFT_TRY((make_axis<WHOLE, R>(&arrays, pass, way, &axis[i])));
            const int64_t cells = (int64_t)axis[i].lines() * way.shape.cells;
            most = cells > most ? cells : most;
        }
        if (!WHOLE)
            NDFT_TRY(ndft_reserve(&arrays, "padded lines", most * (int64_t)sizeof(ndft_complex<R>),
                                  &kept));
        return ndft_axes_reserve(&arrays, prec, &axes);
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++) {
            if (in_execute) NDFT_TRY(ndft_bluestein_set_filter<R>(axis[i]));
            NDFT_TRY((axis[i].run<WHOLE, R>(ndft_pass_from(&axes, i, in),
                                            ndft_pass_to(&axes, i, out), kept)));
        }
        return NDFT_OK;
    }

    void chosen(char *text, size_t size) const { shapes_chosen(axis, axes.passes, text, size); }
};

template <class R> using fused_plan = bluestein_plan<R, false>;
template <class R> using single_plan = bluestein_plan<R, true>;

/* Whether every axis has a shape on this device. */
template <bool WHOLE>
bool all_fit(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    const ndft_axes axes = axes_of<WHOLE>(p);
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    for (int i = 0; i < axes.passes; i++)
        if (!shapes_of(axes.pass[i], padded_of<WHOLE>(knobs), WHOLE, p->prec, device, shapes))
            return false;
    return true;
}

const char *fused_unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    if (!all_fit<false>(p, device, knobs))
        return "an axis needs a convolution of more than 2^24 cells";
    return ndft_axes_unsupported(axes_of<false>(p));
}

const char *single_unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    if (!all_fit<true>(p, device, knobs))
        return p->prec == NDFT_F32
                   ? "an axis needs a convolution of more cells than a block holds, 24576 at most"
                   : "an axis needs a convolution of more cells than a block holds, 8192 at most";
    return ndft_axes_unsupported(axes_of<true>(p));
}

template <bool WHOLE> ndft_cost cost(const ndft_problem *p, ndft_op, const int *knobs)
{
    const ndft_axes axes = axes_of<WHOLE>(p);
    ndft_cost cost = {};
    if (axes.copies) {
        cost.dram_bytes = (double)axes.room[0] * 4 * (double)ndft_real_size(p->prec);
        cost.launches = 1;
    }
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass pass = ndft_paired_pass(&axes.pass[i]);
        ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
        const int count = shapes_of(pass, padded_of<WHOLE>(knobs), WHOLE, p->prec, nullptr, shapes);
        if (count == 0) continue;
        const ndft_filter_shape shape = shortest_of(shapes, count);
        const int matrix = shape.column > 1;
        const int spectrum = !WHOLE && knobs[CHIRP_FFT] == CHIRP_EXECUTE ? 1 + matrix : 0;
        ndft_axis_cost(&pass, p->prec, shape.cells, WHOLE ? 0 : 2 + 2 * matrix,
                       (WHOLE ? 1 : 2 + matrix + spectrum) + ndft_pass_has_pairs(&axes.pass[i]),
                       &cost);
        cost.shared_bytes += exchanged_bytes(pass, shape, p->prec);
        if (WHOLE) cost.threads = (double)pass.lines; /* a block each, of the last axis */
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_bluestein_fused_cuda = {
    .name = "bluestein_fused",
    .backend = "cuda",
    .summary = "a chirp convolution fused into the loads and stores of two transforms",
    NDFT_KNOBS(fused_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.c = 2, NDFT_PAIRED_ERRORS},
    NDFT_WITH_CALLBACKS(ndft_make_plan<fused_plan>, fused_unsupported, cost<false>),
    .chosen = ndft_chosen_plan,
};

extern "C" const ndft_variant ndft_bluestein_single_cuda = {
    .name = "bluestein_single",
    .backend = "cuda",
    .summary = "a chirp convolution in one kernel per axis, in shared memory",
    .ops = NDFT_FORWARD,
    .claim = {.c = 2, NDFT_PAIRED_ERRORS},
    NDFT_WITH_CALLBACKS(ndft_make_plan<single_plan>, single_unsupported, cost<true>),
    .chosen = ndft_chosen_plan,
};
