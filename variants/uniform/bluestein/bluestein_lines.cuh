/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_LINES_CUH
#define NDFT_UNIFORM_BLUESTEIN_LINES_CUH

#include "bluestein_filter.cuh"
#include "bluestein_in_place.cuh"
#include "bluestein_pairs.cuh"
#include "chirp.h"
#include "convolve/axis_lines.cuh"
#include "convolve/filter_run.cuh"
#include "convolve/padded.h"
#include "core/chosen.h"
#include "stopwatch.cuh"
#include "uniform/axis_plan.cuh"

/* The transforms of a pass's lines as convolutions with a chirp (chirp.h): what a plan has of a
 * pass, how it runs, and which shape it takes. */

namespace
{

/* A pass on the device. */
struct bluestein_axis : ndft_bluestein {
    bool line_in_place() const { return filter.shape.in_place && filter.shape.column == 1; }

    /* WHOLE: in one kernel, which keeps nothing. */
    template <bool WHOLE, class R> ndft_status run(const void *from, void *to, void *kept) const
    {
        if (paired()) return ndft_bluestein_run_pairs<R>(*this, WHOLE, from, to, kept);
        if (line_in_place()) return ndft_bluestein_in_place<R>(*this, from, to, kept);
        const factored_side<R> load = factored<R>(chirp, pass, pass.in, from);
        const factored_side<R> store = factored<R>(chirp, pass, pass.out, to);
        const unsigned lines = (unsigned)pass.lines;
        if constexpr (WHOLE)
            return ndft_filter_run_line<R>(&filter, lines, lines_beside(pass), load, store);
        else
            return ndft_filter_run<R>(&filter, lines, lines_beside(pass), load, store, kept);
    }
};

/* The shapes of a plan's passes, as a plan's chosen. */
inline void shapes_chosen(const bluestein_axis *axes, int passes, char *text, size_t size)
{
    int64_t cells[3], column[3], share[3], in_place[3], paired[3];
    bool any_paired = false;
    for (int i = 0; i < passes; i++) {
        const ndft_filter_shape &shape = axes[i].filter.shape;
        cells[i] = shape.cells;
        column[i] = shape.column;
        share[i] = shape.share;
        in_place[i] = shape.in_place;
        paired[i] = axes[i].paired();
        any_paired |= axes[i].paired();
    }
    ndft_chosen_add(text, size, "cells", cells, passes);
    ndft_chosen_add(text, size, "column", column, passes);
    ndft_chosen_add(text, size, "share", share, passes);
    ndft_chosen_add(text, size, "in_place", in_place, passes);
    if (any_paired) ndft_chosen_add(text, size, "paired", paired, passes);
}

/* Lets the kernels of an axis have their shared memory; what they would read and write is not
 * looked at, but that there is memory to keep lines in. */
template <bool WHOLE, class R> ndft_status run_dry(bluestein_axis axis)
{
    axis.filter.dry = true;
    NDFT_TRY(ndft_bluestein_set_filter<R>(axis));
    return axis.run<WHOLE, R>(nullptr, nullptr, WHOLE ? nullptr : axis.filter.spectrum);
}

/* How a pass is taken. */
struct bluestein_way {
    ndft_filter_shape shape;
    bool paired; /* two real lines are one complex line */
};

/* Memory belongs to the arrays; the filter's spectrum is set on the stream. */
template <bool WHOLE, class R>
ndft_status make_axis(ndft_arrays *arrays, const ndft_pass &pass, const bluestein_way &way,
                      bluestein_axis *axis)
{
    const ndft_complex<R> *chirp = nullptr;
    axis->pass = pass;
    axis->pairs = {};
    NDFT_TRY(ndft_place(arrays, "the chirp", pass.length, &chirp, [&](int64_t x) {
        double w[2];
        ndft_chirp_at(x, pass.length, pass.sign, w);
        return ndft_complex<R>{(R)w[0], (R)w[1]};
    }));
    axis->chirp = chirp;
    NDFT_TRY(ndft_filter_make<R>(arrays, way.shape, &axis->filter));
    if (way.paired) NDFT_TRY(ndft_bluestein_make_pairs<R>(arrays, WHOLE, axis));
    NDFT_TRY((run_dry<WHOLE, R>(*axis)));
    return ndft_bluestein_set_filter<R>(*axis);
}

/* What passes shared memory in both transforms: each exchange writes and reads a cell. */
inline double exchanged_bytes(const ndft_pass &pass, const ndft_filter_shape &shape, ndft_prec prec)
{
    const double complex_bytes = 2 * (double)ndft_real_size(prec);
    return (double)pass.lines * shape.cells * complex_bytes * 2 * 2 * ndft_filter_exchanges(&shape);
}

enum { TIMED_CELLS = 1 << 22, LEAST_RUNS = 4, MOST_RUNS = 16 };

/* What took more time than others wherever it was measured: long lines with 16 to 20 cells a
 * thread, which in place are faster, and short rows of columns that are no powers of two. */
inline bool never_wins(const ndft_filter_shape &shape)
{
    if (shape.in_place) return false;
    return (shape.share == 16 && shape.row >= 4096) || (!is_power(shape.column) && shape.row < 64);
}

/* Shapes that may be taken for a pass: padded to a power of two alone, of whole lines alone, on a
 * device (NULL: on any). 0: the pass is too long. */
inline int shapes_of(const ndft_pass &pass, int padded, bool whole, ndft_prec prec,
                     const ndft_device *device, ndft_filter_shape shapes[])
{
    int count = ndft_filter_shapes_in_place(2 * pass.length - 1, prec, shapes), kept = 0;
    count += ndft_filter_shapes(2 * pass.length - 1, shapes + count);
    for (int i = 0; i < count; i++) {
        if (padded == NDFT_PADDED_POWER && !is_power(shapes[i].cells)) continue;
        if (device && !ndft_filter_fits(shapes[i], prec, device)) continue;
        if (whole && shapes[i].column > 1) continue;
        if (!never_wins(shapes[i])) shapes[kept++] = shapes[i];
    }
    return kept;
}

/* Of at least one. */
inline ndft_filter_shape shortest_of(const ndft_filter_shape shapes[], int count)
{
    ndft_filter_shape least = shapes[0];
    for (int i = 1; i < count; i++)
        if (shapes[i].cells < least.cells) least = shapes[i];
    return least;
}

/* A pass of as many lines, but not too many, in one array: one after the other or side by side. */
inline ndft_pass timed_pass(const ndft_pass &pass, const bluestein_way &way)
{
    ndft_pass timed = {};
    const int64_t fitting = TIMED_CELLS / way.shape.cells > 1 ? TIMED_CELLS / way.shape.cells : 1;
    const int64_t most = way.paired ? 2 * fitting : fitting;
    timed.domain = pass.domain;
    timed.sign = pass.sign;
    timed.length = pass.length;
    timed.lines = pass.lines < most ? pass.lines : most;
    timed.modes = 1;
    timed.shape[0] = timed.lines;
    const bool beside = lines_beside(pass);
    const auto side = [&](const ndft_line_side &of) {
        return ndft_line_side{of.real, of.count, beside ? timed.lines : 1, {beside ? 1 : of.count}};
    };
    timed.in = side(pass.in);
    timed.out = side(pass.out);
    return timed;
}

/* Of one execution in a stream of them, where kernels begin early; of few cells more often. */
template <bool WHOLE, class R>
ndft_status time_way(ndft_exec *exec, const ndft_pass &pass, const bluestein_way &way,
                     double *seconds)
{
    ndft_arrays scratch = {exec, 0, nullptr};
    const ndft_pass timed = timed_pass(pass, way);
    const int64_t lines = way.paired ? (timed.lines + 1) / 2 : timed.lines;
    const int64_t cells = lines * way.shape.cells, filled = TIMED_CELLS / cells;
    const int runs = (int)min(max(filled, (int64_t)LEAST_RUNS), (int64_t)MOST_RUNS);
    bluestein_axis axis;
    ndft_complex<R> *signal = nullptr, *kept = nullptr;
    ndft_status status =
        ndft_reserve_zeros(&scratch, "lines to time", timed.lines * pass.length, &signal);
    if (status == NDFT_OK) status = ndft_reserve_zeros(&scratch, "padded lines", cells, &kept);
    if (status == NDFT_OK) status = make_axis<WHOLE, R>(&scratch, timed, way, &axis);
    if (status == NDFT_OK)
        status = ndft_stopwatch(
            exec,
            [&] {
                for (int i = 0; i < runs; i++)
                    NDFT_TRY((axis.run<WHOLE, R>(signal, signal, WHOLE ? nullptr : kept)));
                return NDFT_OK;
            },
            seconds);
    *seconds /= runs;
    ndft_arrays_release(&scratch);
    return status;
}

/* The way that takes least time per line. */
template <bool WHOLE, class R>
ndft_status choose_way(ndft_exec *exec, const ndft_pass &pass, int padded, bluestein_way *best)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const ndft_prec prec = sizeof(R) == 4 ? NDFT_F32 : NDFT_F64;
    const int count = shapes_of(pass, padded, WHOLE, prec, &exec->device, shapes);
    const int ways = ndft_pass_has_pairs(&pass) ? 2 * count : count;
    double least = INFINITY;
    *best = {shapes[0], false};
    for (int i = 0; i < ways && ways > 1; i++) {
        const bluestein_way way = {shapes[i % count], i >= count};
        double seconds = 0;
        NDFT_TRY((time_way<WHOLE, R>(exec, pass, way, &seconds)));
        seconds /= (double)timed_pass(pass, way).lines;
        if (seconds >= least) continue;
        least = seconds;
        *best = way;
    }
    return NDFT_OK;
}

} // namespace

#endif
