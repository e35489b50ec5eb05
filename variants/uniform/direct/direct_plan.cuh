/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_PLAN_CUH
#define NDFT_DIRECT_PLAN_CUH

#include "core/chosen.h"
#include "direct_cost.h"
#include "direct_inner_loop.cuh"
#include "uniform/axis_plan.cuh"
#include "uniform/bluestein/chirp.h"

/* Plans and costs of the variants that walk lines (direct_inner_loop.cuh). */

template <class R> struct ndft_direct_launch {
    void (*kernel)(ndft_direct<R>, const R *, R *);
    ndft_direct<R> direct;
    unsigned blocks;
    size_t shared;
};

/* Outputs of a block and groups of lines: all threads have one, or nearly so. */
inline int ndft_block_outputs(const ndft_pass &pass)
{
    return (int)min(pass.out.count, (int64_t)NDFT_DIRECT_THREADS);
}

template <class R, template <class, int> class InnerLoop, int LINES>
ndft_direct_launch<R> ndft_direct_launch_of(const ndft_pass &pass, int tile)
{
    ndft_direct_launch<R> l = {
        ndft_direct_sum<R, InnerLoop, LINES>, {pass, nullptr, 0, 0, 0, 0}, 0, 0};
    tile = (int)min((int64_t)tile, pass.in.count);
    l.direct.tile = tile;
    l.direct.outputs = ndft_block_outputs(pass);
    l.direct.groups = NDFT_DIRECT_THREADS / l.direct.outputs;
    l.direct.chunks = ndft_blocks(pass.out.count, l.direct.outputs);
    l.blocks = l.direct.chunks * ndft_blocks(pass.lines, (int64_t)l.direct.groups * LINES);
    l.shared = (size_t)l.direct.groups * ndft_group_values(tile) * sizeof(ndft_values<R, LINES>);
    return l;
}

enum { NDFT_DIRECT_MOST_LINES = 4 }; /* of a thread */

/* Four, or one where there are fewer. */
inline int ndft_direct_lines(const ndft_pass &pass)
{
    return pass.lines < NDFT_DIRECT_MOST_LINES ? 1 : NDFT_DIRECT_MOST_LINES;
}

template <template <class, int> class InnerLoop, bool TABLE>
struct ndft_direct_plan : ndft_base_plan {
    ndft_axes axes;
    union {
        ndft_direct_launch<float> f32[3];
        ndft_direct_launch<double> f64[3];
    };

    template <class R> ndft_status place(const ndft_pass &pass, int tile, ndft_direct_launch<R> *l)
    {
        *l = ndft_direct_lines(pass) == 1
                 ? ndft_direct_launch_of<R, InnerLoop, 1>(pass, tile)
                 : ndft_direct_launch_of<R, InnerLoop, NDFT_DIRECT_MOST_LINES>(pass, tile);
        if (!TABLE) return NDFT_OK;
        return ndft_place(&arrays, "roots of unity", pass.length, &l->direct.roots, [&](int64_t j) {
            double root[2];
            ndft_half_turns(pass.sign * 2 * j, pass.length, root);
            return ndft_complex<R>{(R)root[0], (R)root[1]};
        });
    }

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned)
    {
        axes = ndft_axes_of(ndft_transform_of(p), false);
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(p->prec == NDFT_F32 ? place(axes.pass[i], knobs[0], &f32[i])
                                         : place(axes.pass[i], knobs[0], &f64[i]));
        return ndft_axes_reserve(&arrays, prec, &axes);
    }

    template <class R> void launch(const ndft_direct_launch<R> &l, const void *in, void *out) const
    {
        l.kernel<<<l.blocks, NDFT_DIRECT_THREADS, l.shared, ndft_stream(arrays.exec)>>>(
            l.direct, (const R *)in, (R *)out);
    }

    static ndft_status execute(void *state, ndft_op, const void *in, void *out)
    {
        const auto *plan = (const ndft_direct_plan *)state;
        const ndft_axes &axes = plan->axes;
        ndft_exec *exec = plan->arrays.exec;
        NDFT_TRY(ndft_axes_copy(exec, plan->prec, axes, in));
        for (int i = 0; i < axes.passes; i++) {
            const void *from = ndft_pass_from(&axes, i, in);
            void *to = ndft_pass_to(&axes, i, out);
            if (plan->prec == NDFT_F32)
                plan->launch(plan->f32[i], from, to);
            else
                plan->launch(plan->f64[i], from, to);
        }
        return ndft_launched(exec, "a direct sum");
    }

    /* Lines of a thread, outputs of a block. */
    static void chosen(const void *state, char *text, size_t size)
    {
        const ndft_axes &axes = ((const ndft_direct_plan *)state)->axes;
        int64_t lines[3], outputs[3];
        for (int i = 0; i < axes.passes; i++) {
            lines[i] = ndft_direct_lines(axes.pass[i]);
            outputs[i] = ndft_block_outputs(axes.pass[i]);
        }
        text[0] = 0;
        ndft_chosen_add(text, size, "lines", lines, axes.passes);
        ndft_chosen_add(text, size, "outputs", outputs, axes.passes);
    }
};

/* NULL, or a sentence saying why not; knobs: the tile. */
inline const char *ndft_direct_inner_loop_unsupported(const ndft_problem *p,
                                                      const ndft_device *device, const int *knobs)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), false);
    for (int i = 0; i < axes.passes; i++)
        if (axes.pass[i].lines * ((axes.pass[i].out.count - 1) / NDFT_DIRECT_THREADS + 1) > INT_MAX)
            return "it has a block for every few lines: 2^31 at most";
    return ndft_direct_unsupported(p, device, knobs);
}

/* per_phasor: instructions of one for all lines of a thread; per_tile: of the end of a tile. */
inline ndft_cost ndft_direct_inner_loop_cost(const ndft_problem *p, const int *knobs,
                                             double per_phasor, double per_tile)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_axes axes = ndft_axes_of(t, false);
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass &pass = axes.pass[i];
        const double lines = ndft_direct_lines(pass);
        const double pairs = (double)pass.lines * (double)pass.in.count * (double)pass.out.count;
        cost.fma += 4 * pairs * (1 + 1. / knobs[0]);
        cost.integer += pairs / lines * per_phasor + pairs / lines / knobs[0] * per_tile;
        cost.shared_bytes += pairs / 32 * 2 * (double)ndft_real_size(p->prec) * (16 / lines);
    }
    cost.issue_slots = cost.fma + 2 * cost.integer;
    cost.dram_bytes = cost.l2_bytes = ndft_axes_bytes(t, false);
    cost.launches = axes.passes + (axes.copies ? 1 : 0);
    return cost;
}

#endif
