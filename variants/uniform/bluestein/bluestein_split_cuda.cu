/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/axis_cost.h"
#include "convolve/padded.h"
#include "convolve/pair_sizes.cuh"
#include "core/chosen.h"
#include "fft/fft_cufft.cuh"
#include "stopwatch.cuh"
#include "uniform/axis_plan.cuh"
#include "uniform/callback/callback_plan.cuh"
#include "uniform/uniform_cost.h"

#include "base/variant.h"

/*
 * Bluestein's transform of any length in six nodes, as rocFFT's design document has them by default
 * (AMD, 2024): chirp, pad_mul, one fft of filter and signals, which lie one after the other,
 * fft_mul, ifft, res_mul; along several axes as often. cuFFT transforms, in one kernel up to a few
 * thousand cells and in two or more beyond. Padded cells pass memory 7.5 times, or
 * 11.5 times where a transform takes two kernels, and DRAM is the ceiling; of a lone short signal,
 * launches are.
 */

namespace
{

enum { THREADS = 256, MOST_LINES = 65535, TIMED_CELLS = 1 << 22 };

const ndft_knob split_knobs[] = {
    NDFT_PADDED_KNOB,
};

/* One axis on the device: grid line 0 is the filter, the signals follow. */
template <class R> struct split_job {
    int n, sign;
    int64_t cells;
    unsigned lines;
    ndft_complex<R> *chirp, *grid;
};

/* exp(sign pi i x^2/n) */
template <class R> __device__ ndft_complex<R> chirp_of(unsigned x, unsigned n, int sign)
{
    const uint64_t phase = (uint64_t)x * x % (2 * (uint64_t)n);
    const double turn =
        (double)sign * (double)(phase > n ? (int64_t)phase - 2 * (int64_t)n : (int64_t)phase);
    double s, c;
    sincospi(turn / (double)n, &s, &c);
    return {(R)c, (R)s};
}

template <class R> __global__ void chirp_node(split_job<R> job)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= job.cells) return;
    const int64_t x = 2 * cell <= job.cells ? cell : job.cells - cell;
    ndft_complex<R> w = {0, 0};
    if (x < job.n) w = chirp_of<R>((unsigned)x, (unsigned)job.n, job.sign);
    if (cell < job.n) job.chirp[cell] = w;
    job.grid[cell] = {w.re, -w.im};
}

/* blockIdx.y: the first of a thread's signals */
template <class R> __global__ void pad_mul_node(split_job<R> job, axis_side<R> in)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= job.cells) return;
    ndft_complex<R> w = {0, 0};
    if (cell < job.n) w = job.chirp[cell];
    for (unsigned line = blockIdx.y; line < job.lines; line += gridDim.y) {
        ndft_complex<R> value = {0, 0};
        if (cell < job.n) ndft_rotate(value, w, in.load(in.start(line), (int)cell));
        job.grid[(line + 1) * job.cells + cell] = value;
    }
}

template <class R> __global__ void fft_mul_node(split_job<R> job)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= job.cells) return;
    const R factor = 1 / (R)job.cells;
    const ndft_complex<R> b = {job.grid[cell].re * factor, job.grid[cell].im * factor};
    for (unsigned line = blockIdx.y; line < job.lines; line += gridDim.y) {
        ndft_complex<R> *at = job.grid + (line + 1) * job.cells + cell;
        ndft_rotate(*at, b, ndft_complex<R>(*at));
    }
}

template <class R> __global__ void res_mul_node(split_job<R> job, axis_side<R> out)
{
    const int cell = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (cell >= out.kept) return;
    const ndft_complex<R> w = job.chirp[cell];
    for (unsigned line = blockIdx.y; line < job.lines; line += gridDim.y) {
        ndft_complex<R> value;
        ndft_rotate(value, w, job.grid[(line + 1) * job.cells + cell]);
        out.store(out.start(line), cell, value);
    }
}

/* The same of pairs of real lines. */
template <class R> __global__ void pad_mul_pairs(split_job<R> job, pair_load<R> in)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= job.cells) return;
    for (unsigned line = blockIdx.y; line < job.lines; line += gridDim.y)
        job.grid[(line + 1) * job.cells + cell] = in.load(in.start(line), (int)cell);
}

template <class R> __global__ void res_mul_pairs(split_job<R> job, pair_store<R> out)
{
    const int cell = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (cell >= job.n) return;
    for (unsigned line = blockIdx.y; line < job.lines; line += gridDim.y) {
        const ndft_complex<R> *z = job.grid + (line + 1) * job.cells;
        if (out.by_line())
            out.store_line(out.start(line), cell, out.side.kept, [=](int x) { return z[x]; });
        else
            out.store(out.start(line), cell, z[cell]);
    }
}

/* What an axis has of its own, the memory apart, which they share. */
struct split_axis {
    int64_t cells, lines;       /* of the convolution */
    ndft_pairs pairs;           /* none but of real lines */
    ndft_cufft *both, *signals; /* of filter and signals; of the signals alone */
};

template <class R> struct split_plan : ndft_base_plan {
    ndft_axes axes;
    split_axis axis[3];
    char *chirp, *grid;

    int64_t complex_bytes() const { return 2 * (int64_t)ndft_real_size(prec); }

    ndft_status make_fft(ndft_arrays *owner, int64_t cells, int64_t lines, ndft_cufft **fft) const
    {
        return ndft_cufft_make_grids(owner, prec, 1, &cells, (int)lines, fft);
    }

    /* What the padded length decides: both transforms, of not too many lines. */
    ndft_status clock(int64_t lines, int64_t cells, double *seconds) const
    {
        ndft_arrays scratch = {arrays.exec, 0, nullptr};
        ndft_cufft *fft = nullptr;
        char *memory = nullptr;
        const int64_t most = TIMED_CELLS / cells;
        lines = lines < most ? lines : most > 1 ? most : 1;
        ndft_status status =
            ndft_reserve_zeros(&scratch, "lines to time", lines * cells * complex_bytes(), &memory);
        if (status == NDFT_OK) status = make_fft(&scratch, cells, lines, &fft);
        if (status == NDFT_OK)
            status = ndft_stopwatch(
                arrays.exec,
                [&] {
                    NDFT_TRY(ndft_cufft_run(fft, -1, memory, memory));
                    return ndft_cufft_run(fft, +1, memory, memory);
                },
                seconds);
        ndft_cufft_destroy(fft);
        ndft_arrays_release(&scratch);
        return status;
    }

    ndft_status choose(const ndft_pass &pass, int padded, int64_t *cells)
    {
        struct timed {
            const split_plan *plan;
            int64_t lines;
        } context = {this, pass.lines};
        *cells = ndft_padded_power(2 * pass.length - 1);
        if (padded == NDFT_PADDED_POWER) return NDFT_OK;
        return ndft_padded_choose(
            2 * pass.length - 1, 1,
            [](void *state, int64_t length, double *seconds) {
                const timed *t = (const timed *)state;
                return t->plan->clock(t->lines, length, seconds);
            },
            &context, cells);
    }

    ndft_status prepare_axes(int padded)
    {
        int64_t most = 0, longest = 0;
        for (int i = 0; i < axes.passes; i++) {
            const ndft_pass &pass = axes.pass[i];
            const ndft_pass convolved = ndft_paired_pass(&pass);
            axis[i].lines = convolved.lines;
            axis[i].pairs = {};
            if (ndft_pass_has_pairs(&pass))
                NDFT_TRY(ndft_pairs_make(&arrays, pass, &axis[i].pairs));
            NDFT_TRY(choose(convolved, padded, &axis[i].cells));
            NDFT_TRY(make_fft(&arrays, axis[i].cells, axis[i].lines + 1, &axis[i].both));
            NDFT_TRY(make_fft(&arrays, axis[i].cells, axis[i].lines, &axis[i].signals));
            const int64_t cells = (axis[i].lines + 1) * axis[i].cells;
            most = cells > most ? cells : most;
            longest = pass.length > longest ? pass.length : longest;
        }
        NDFT_TRY(ndft_reserve(&arrays, "padded lines", most * complex_bytes(), &grid));
        NDFT_TRY(ndft_reserve(&arrays, "the chirp", longest * complex_bytes(), &chirp));
        return ndft_axes_reserve(&arrays, prec, &axes);
    }

    void release()
    {
        for (split_axis &a : axis) {
            ndft_cufft_destroy(a.both);
            ndft_cufft_destroy(a.signals);
        }
    }

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned)
    {
        axes = ndft_axes_read_first(ndft_transform_of(p));
        return prepare_axes(knobs[0]);
    }

    ndft_status load(int i, const split_job<R> &job, dim3 blocks, const void *from) const
    {
        const ndft_pass &pass = axes.pass[i];
        const cudaStream_t stream = ndft_stream(arrays.exec);
        if (!axis[i].pairs.sizes) {
            const axis_side<R> in = side_of<R>(pass, pass.in, from);
            pad_mul_node<R><<<blocks, THREADS, 0, stream>>>(job, in);
            return NDFT_OK;
        }
        const pair_load<R> in = {pair_side_of<R>(chirp, pass, pass.in, from, axis[i].pairs)};
        NDFT_TRY(ndft_pairs_measure(arrays.exec, in));
        pad_mul_pairs<R><<<blocks, THREADS, 0, stream>>>(job, in);
        return NDFT_OK;
    }

    void store(int i, const split_job<R> &job, unsigned lines, void *to) const
    {
        const ndft_pass &pass = axes.pass[i];
        const cudaStream_t stream = ndft_stream(arrays.exec);
        if (!axis[i].pairs.sizes) {
            const axis_side<R> out = side_of<R>(pass, pass.out, to);
            const dim3 blocks(ndft_blocks(out.kept, THREADS), lines);
            res_mul_node<R><<<blocks, THREADS, 0, stream>>>(job, out);
            return;
        }
        const pair_store<R> out = {pair_side_of<R>(chirp, pass, pass.out, to, axis[i].pairs)};
        const dim3 blocks(ndft_blocks(job.n, THREADS), lines);
        res_mul_pairs<R><<<blocks, THREADS, 0, stream>>>(job, out);
    }

    ndft_status along(int i, const void *from, void *to) const
    {
        const ndft_pass &pass = axes.pass[i];
        const cudaStream_t stream = ndft_stream(arrays.exec);
        const split_job<R> job = {(int)pass.length,
                                  pass.sign,
                                  axis[i].cells,
                                  (unsigned)axis[i].lines,
                                  (ndft_complex<R> *)chirp,
                                  (ndft_complex<R> *)grid};
        const unsigned lines = job.lines < MOST_LINES ? job.lines : (unsigned)MOST_LINES;
        const dim3 all(ndft_blocks(job.cells, THREADS), lines);
        chirp_node<R><<<all.x, THREADS, 0, stream>>>(job);
        NDFT_TRY(load(i, job, all, from));
        NDFT_TRY(ndft_cufft_run(axis[i].both, -1, job.grid, job.grid));
        fft_mul_node<R><<<all, THREADS, 0, stream>>>(job);
        ndft_complex<R> *signals = job.grid + job.cells;
        NDFT_TRY(ndft_cufft_run(axis[i].signals, +1, signals, signals));
        store(i, job, lines, to);
        return ndft_launched(arrays.exec, "bluestein_split");
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(along(i, ndft_pass_from(&axes, i, in), ndft_pass_to(&axes, i, out)));
        return NDFT_OK;
    }

    void chosen(char *text, size_t size) const
    {
        int64_t cells[3];
        for (int i = 0; i < axes.passes; i++) cells[i] = axis[i].cells;
        ndft_chosen_add(text, size, "cells", cells, axes.passes);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *)
{
    return ndft_axes_unsupported(ndft_axes_read_first(ndft_transform_of(p)));
}

/* cuFFT has one kernel for a transform up to here. */
const int64_t one_kernel = 4096;

ndft_cost cost(const ndft_problem *p, ndft_op, const int *knobs)
{
    const ndft_axes axes = ndft_axes_read_first(ndft_transform_of(p));
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        int64_t lengths[NDFT_PADDED_MOST] = {};
        const int64_t least = 2 * axes.pass[i].length - 1;
        ndft_padded_candidates(least, lengths);
        const int64_t cells = knobs[0] == NDFT_PADDED_POWER ? ndft_padded_power(least) : lengths[0];
        const int kernels = cells <= one_kernel ? 1 : 2;
        const ndft_pass pass = ndft_paired_pass(&axes.pass[i]);
        ndft_axis_cost(&pass, p->prec, (double)cells, 3.5 + 4 * kernels, 4 + 2 * kernels, &cost);
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_bluestein_split_cuda = {
    .name = "bluestein_split",
    .backend = "cuda",
    .summary = "a chirp convolution in six nodes around cuFFT",
    NDFT_KNOBS(split_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.c = 2, NDFT_PAIRED_ERRORS},
    NDFT_WITH_CALLBACKS(ndft_make_plan<split_plan>, unsupported, cost),
    .chosen = ndft_chosen_plan,
};
