/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_LINES_CUH
#define NDFT_UNIFORM_BLUESTEIN_LINES_CUH

#include "bluestein_filter.cuh"
#include "bluestein_in_place.cuh"
#include "chirp.h"
#include "convolve/axis_lines.cuh"
#include "convolve/filter_run.cuh"
#include "convolve/padded.h"
#include "core/chosen.h"
#include "stopwatch.cuh"
#include "uniform/axis_plan.cuh"

/* The transforms of a pass's lines as convolutions with a chirp (chirp.h): what a plan has of a
 * pass, and how it runs. */

namespace
{

/* A pass on the device. */
struct bluestein_axis : ndft_bluestein {
    bool line_in_place() const { return filter.shape.in_place && filter.shape.column == 1; }

    template <class R> ndft_status run(const void *from, void *to, void *kept) const
    {
        if (line_in_place()) return ndft_bluestein_in_place<R>(*this, from, to, kept);
        return ndft_filter_run<R>(&filter, (unsigned)pass.lines, lines_beside(pass),
                                  factored<R>(chirp, pass, pass.in, from),
                                  factored<R>(chirp, pass, pass.out, to), kept);
    }

    template <class R> ndft_status run_line(const void *from, void *to) const
    {
        if (line_in_place()) return ndft_bluestein_in_place<R>(*this, from, to, nullptr);
        return ndft_filter_run_line<R>(&filter, (unsigned)pass.lines, lines_beside(pass),
                                       factored<R>(chirp, pass, pass.in, from),
                                       factored<R>(chirp, pass, pass.out, to));
    }
};

/* The shapes of a plan's passes, as a descriptor's chosen(). */
inline void shapes_chosen(const bluestein_axis *axes, int passes, char *text, size_t size)
{
    int64_t cells[3], column[3], share[3], in_place[3];
    for (int i = 0; i < passes; i++) {
        const ndft_filter_shape &shape = axes[i].filter.shape;
        cells[i] = shape.cells;
        column[i] = shape.column;
        share[i] = shape.share;
        in_place[i] = shape.in_place;
    }
    text[0] = 0;
    ndft_chosen_add(text, size, "cells", cells, passes);
    ndft_chosen_add(text, size, "column", column, passes);
    ndft_chosen_add(text, size, "share", share, passes);
    ndft_chosen_add(text, size, "in_place", in_place, passes);
}

/* Lets the kernels of an axis have their shared memory; what they would read and write is not
 * looked at, but that there is memory to keep lines in. */
template <bool WHOLE, class R> ndft_status run_dry(bluestein_axis axis)
{
    axis.filter.dry = true;
    NDFT_TRY(ndft_bluestein_set_filter<R>(axis));
    if constexpr (WHOLE)
        return axis.run_line<R>(nullptr, nullptr);
    else
        return axis.run<R>(nullptr, nullptr, axis.filter.spectrum);
}

/* Memory belongs to the arrays; the filter's spectrum is set on the stream. WHOLE: for run_line. */
template <bool WHOLE, class R>
ndft_status make_axis(ndft_arrays *arrays, const ndft_pass &pass, const ndft_filter_shape &shape,
                      bluestein_axis *axis)
{
    const ndft_complex<R> *chirp = nullptr;
    axis->pass = pass;
    NDFT_TRY(ndft_place(arrays, "the chirp", pass.length, &chirp, [&](int64_t x) {
        double w[2];
        ndft_chirp_at(x, pass.length, pass.sign, w);
        return ndft_complex<R>{(R)w[0], (R)w[1]};
    }));
    axis->chirp = chirp;
    NDFT_TRY(ndft_filter_make<R>(arrays, shape, &axis->filter));
    NDFT_TRY((run_dry<WHOLE, R>(*axis)));
    return ndft_bluestein_set_filter<R>(*axis);
}

/* What passes shared memory in both transforms: each exchange writes and reads a cell. */
inline double exchanged_bytes(const ndft_pass &pass, const ndft_filter_shape &shape, ndft_prec prec)
{
    const double complex_bytes = 2 * (double)ndft_real_size(prec);
    return (double)pass.lines * shape.cells * complex_bytes * 2 * 2 * ndft_filter_exchanges(&shape);
}

} // namespace

#endif
