/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_LINES_CUH
#define NDFT_UNIFORM_BLUESTEIN_LINES_CUH

#include "axis_lines.cuh"

#include "axis_plan.cuh"
#include "chirp.h"
#include "convolve/filter_run.cuh"
#include "padded.h"
#include "stopwatch.cuh"

/* The transforms of a pass's lines as convolutions with a chirp (chirp.h): what filter_lines.cuh
 * loads and stores, and what a plan has of it. */

namespace
{

/* The filter conj(w), over cells. */
template <class R> struct chirp_filter {
    static constexpr bool HALF = false;
    const ndft_complex<R> *chirp;
    int n, cells;
    R factor;

    __device__ int64_t start(unsigned) const { return 0; }

    __device__ ndft_complex<R> load(int64_t, int cell) const
    {
        const int x = cell < n ? cell : cells - cell;
        if (x >= n) return {0, 0};
        return {chirp[x].re * factor, -chirp[x].im * factor};
    }

    template <int COUNT, int CELLS>
    __device__ void load_cells(int64_t line, int first, int step, ndft_complex<R> (&v)[CELLS]) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) v[k] = load(line, first + k * step);
    }
};

/* A pass on the device. */
struct bluestein_axis {
    ndft_pass pass;
    ndft_filter filter;
    const void *chirp; /* [length] */

    template <class R> ndft_status set_filter() const
    {
        const int cells = filter.shape.cells;
        return ndft_filter_set<R>(&filter, chirp_filter<R>{(const ndft_complex<R> *)chirp,
                                                           (int)pass.length, cells, 1 / (R)cells});
    }

    template <class R> ndft_status run(const void *from, void *to, void *kept) const
    {
        return ndft_filter_run<R>(&filter, (unsigned)pass.lines, lines_beside(pass),
                                  factored<R>(chirp, pass, pass.in, from),
                                  factored<R>(chirp, pass, pass.out, to), kept);
    }

    template <class R> ndft_status run_line(const void *from, void *to) const
    {
        return ndft_filter_run_line<R>(&filter, (unsigned)pass.lines, lines_beside(pass),
                                       factored<R>(chirp, pass, pass.in, from),
                                       factored<R>(chirp, pass, pass.out, to));
    }
};

/* Memory belongs to the arrays; the filter's spectrum is set on the stream. */
template <class R>
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
    return axis->set_filter<R>();
}

/* What passes shared memory in both transforms: each exchange writes and reads a cell. */
inline double exchanged_bytes(const ndft_pass &pass, const ndft_filter_shape &shape, ndft_prec prec)
{
    const double complex_bytes = 2 * (double)ndft_real_size(prec);
    return (double)pass.lines * shape.cells * complex_bytes * 2 * 2 * ndft_filter_exchanges(&shape);
}

} // namespace

#endif
