/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "core/complex.cuh"
#include "core/device.cuh"
#include "stockham_columns.h"
#include "stockham_line.h"
#include "stockham_module.h"
#include "stockham_split.h"
#include "uniform/axis_plan.cuh"
#include "uniform/callback/callback_kernel.cuh"
#include "uniform/uniform_cost.h"

#include <vector>

/*
 * Lines whose length is a product of primes up to 31, by Stockham's passes of radices up to 31
 * (Govindaraju et al., SC 2008) in one kernel per axis, which reads and writes memory once; a line
 * that is too long for it in two (stockham_split.h); complex lines of other lengths as convolutions
 * by the same passes there and back, in one kernel, too (stockham_convolved.h). The kernel of a
 * pass is compiled in plan (stockham_called.cuh): with lengths and places known to the compiler it
 * has half of the instructions of one that serves all lengths. What bounds it is memory.
 */

namespace
{

enum { RADIX, THREADS }; /* knobs, in order */

const ndft_knob knobs[] = {
    NDFT_KNOB("radix", "cells", "largest radix of a pass, 0: as it is known to be fast", 0,
              (0, 8, 10, 16, 20)),
    NDFT_KNOB("threads", "threads", "threads of a block at least, 0: likewise", 0,
              (0, 32, 64, 128, 256)),
};

/* A pass's kernel and its table. */
struct stockham_launch {
    ndft_stockham_line line;
    unsigned blocks;
    int shared;
    const void *turns;
    cudaLibrary_t library; /* null: none */
    cudaKernel_t kernel;

    template <class R> ndft_status place_turns(ndft_arrays *arrays, int sign)
    {
        const ndft_complex<R> *table = nullptr;
        const int count = line.table > 0 ? line.table : 1;
        std::vector<double> turn(2 * (size_t)count);
        ndft_stockham_turns(&line, sign, turn.data());
        NDFT_TRY(ndft_place(arrays, "turns", count, &table, [&](int64_t i) {
            return ndft_complex<R>{(R)turn[2 * i], (R)turn[2 * i + 1]};
        }));
        turns = table;
        return NDFT_OK;
    }

    ndft_status load(ndft_exec *exec, const ndft_transform *t, int i, const ndft_pass &pass)
    {
        void *code = nullptr;
        size_t size = 0;
        NDFT_TRY(ndft_stockham_compile(t, i, &pass, &line, exec->device.capability, &code, &size,
                                       exec->error));
        const cudaError_t loaded =
            cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
        free(code);
        if (loaded != cudaSuccess) library = nullptr;
        NDFT_TRY(ndft_checked(exec, loaded, "loading a kernel"));
        return ndft_checked(exec, cudaLibraryGetKernel(&kernel, library, "ndft_stockham"),
                            "finding a kernel");
    }

    /* What load and store functions are given. */
    ndft_status set_data(ndft_exec *exec, const ndft_called_data &data)
    {
        void *place = nullptr;
        size_t size = 0;
        NDFT_TRY(ndft_checked(exec,
                              cudaLibraryGetGlobal(&place, &size, library, "ndft_stockham_data"),
                              "finding a kernel's constants"));
        return exec->upload(exec, place, &data, sizeof data);
    }

    /* Whether an output is written so that it leaves L2 first: where input and output are about as
     * large as L2 together, the input remains there; where half spectra are copied and reals stored
     * straight, of larger ones, too. */
    bool streams(const ndft_exec *exec, const ndft_transform *t, const ndft_pass &pass) const
    {
        const double real = (double)ndft_real_size(t->prec) * (double)pass.lines;
        const double bytes = real * (double)(pass.in.count * (pass.in.real ? 1 : 2) +
                                             pass.out.count * (pass.out.real ? 1 : 2));
        const double l2 = (double)exec->device.l2_bytes;
        const bool straight = line.spectra && !line.stores;
        return pass.to == NDFT_AXES_OUT && !t->in_place && bytes > 0.5 * l2 &&
               (bytes <= l2 || straight);
    }

    /* Of pass i of a transform. */
    ndft_status make(ndft_arrays *arrays, const ndft_transform *t, const ndft_called_data &data,
                     int i, const ndft_pass &pass, int64_t whole, ndft_stockham_choice choice)
    {
        const ndft_stockham_calls calls = ndft_stockham_calls_of(t, i);
        line = ndft_stockham_line_of(&pass, t->prec, choice);
        if (whole) ndft_stockham_set_twists(&line, whole);
        line.streams = streams(arrays->exec, t, pass);
        blocks = ndft_blocks(pass.lines, line.per * line.teams);
        shared = line.room * line.teams * 2 * (int)ndft_real_size(t->prec);
        NDFT_TRY(t->prec == NDFT_F32 ? place_turns<float>(arrays, pass.sign)
                                     : place_turns<double>(arrays, pass.sign));
        NDFT_TRY(load(arrays->exec, t, i, pass));
        if (calls.load || calls.store) NDFT_TRY(set_data(arrays->exec, data));
        return ndft_allow_shared(arrays->exec, (const void *)kernel, (size_t)shared);
    }

    /* Early, as ndft_launch_early. */
    ndft_status run(const ndft_exec *exec, const void *from, void *to) const
    {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t launch = {};
        launch.gridDim = dim3(blocks);
        launch.blockDim = dim3((unsigned)(line.threads * line.teams));
        launch.dynamicSmemBytes = (size_t)shared;
        launch.stream = ndft_stream(exec);
        launch.attrs = &attribute;
        launch.numAttrs = exec->device.code >= 90;
        const void *table = turns;
        void *arguments[] = {&table, &from, &to};
        return ndft_checked(exec, cudaLaunchKernelExC(&launch, (const void *)kernel, arguments),
                            "a launch");
    }
};

struct stockham_plan : ndft_base_plan {
    ndft_axes axes;
    stockham_launch launch[3];

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        const ndft_transform *t = ndft_transform_of(p);
        ndft_called_data data;
        int64_t split;
        axes = ndft_stockham_axes_of(t, &split);
        NDFT_TRY(ndft_axes_reserve(&arrays, prec, &axes));
        NDFT_TRY(ndft_called_upload(&arrays, t, &data));
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(launch[i].make(&arrays, t, data, i, axes.pass[i], i == 0 ? split : 0,
                                    {k[RADIX], k[THREADS]}));
        return NDFT_OK;
    }

    void release()
    {
        for (const stockham_launch &l : launch)
            if (l.library) (void)cudaLibraryUnload(l.library);
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++)
            NDFT_TRY(launch[i].run(arrays.exec, ndft_pass_from(&axes, i, in),
                                   ndft_pass_to(&axes, i, out)));
        return NDFT_OK;
    }

    void chosen(char *text, size_t size) const
    {
        int64_t lines[3], threads[3], radix[NDFT_STOCKHAM_PASSES];
        for (int i = 0; i < axes.passes; i++)
            lines[i] = launch[i].line.per * launch[i].line.teams,
            threads[i] = launch[i].line.threads * launch[i].line.teams;
        ndft_chosen_add(text, size, "lines", lines, axes.passes);
        ndft_chosen_add(text, size, "threads", threads, axes.passes);
        const ndft_stockham_shape &shape = launch[0].line.shape;
        for (int i = 0; i < shape.passes; i++) radix[i] = shape.radix[i];
        ndft_chosen_add(text, size, "radix", radix, shape.passes);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    const ndft_transform *t = ndft_transform_of(p);
    if (k[RADIX] && (k[RADIX] < 7 || k[RADIX] > 20)) return "radix must be 0 or from 7 to 20";
    if (k[THREADS] < 0 || k[THREADS] > 512) return "threads must be from 0 to 512";
    int64_t split;
    const ndft_axes axes = ndft_stockham_axes_of(t, &split);
    for (int i = 0; i < axes.passes; i++)
        if (ndft_stockham_passes(&axes.pass[i], p->prec) == 0)
            return "an axis is no product of primes up to 31 of at most 16384 cells, 8192 in f64, "
                   "nor a complex one of two such up to 4096, or convolved by as few as one kernel "
                   "has";
    if (!ndft_stockham_compiler_found())
        return "its kernels are compiled by NVRTC of the CUDA Toolkit, which was not found";
    const char *why = ndft_axes_unsupported(axes);
    return why ? why : ndft_unsupported_callbacks_cuda(p);
}

/* What a convolution costs beside a transform: as was measured, a pass there and back as so many
 * operations of one that is alone, more where lines are long, and each barrier as a part of a
 * launch.
 */
void add_convolution(const ndft_pass &pass, ndft_prec prec, ndft_cost *cost)
{
    const double cells = ndft_stockham_length(&pass, prec), words = prec == NDFT_F32 ? 1 : 2;
    const double passes = ndft_stockham_passes(&pass, prec);
    const double longer = 1 + cells / (pass.length == cells + 1 ? 2500 : 10000);
    cost->issue_slots += 58 * words * passes * longer * cells * (double)pass.lines;
    cost->launches += passes / 2 + cells / 1500;
}

/* Of the columns of a prime's pass: each of its passes there and back in shared memory. */
void add_columns(const ndft_pass &pass, ndft_prec prec, ndft_cost *cost)
{
    const double cells = (double)pass.length * (double)pass.lines, words = prec == NDFT_F32 ? 1 : 2;
    const double passes =
        ndft_stockham_convolved_shape(ndft_stockham_prime(pass.length) - 1).passes;
    const double longer = 1 + (double)pass.length / 10000;
    cost->issue_slots += 40 * words * passes * longer * cells;
    cost->shared_bytes += 2 * passes * 16 * words * cells;
    cost->launches += passes / 4;
}

ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const ndft_transform *t = ndft_transform_of(p);
    int64_t split;
    const ndft_axes axes = ndft_stockham_axes_of(t, &split);
    ndft_cost cost = ndft_fft_cost(t, 0);
    const double bytes = cost.dram_bytes;
    cost.launches = axes.passes;
    cost.dram_bytes = cost.l2_bytes = bytes * axes.passes;
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass &pass = axes.pass[i];
        cost.shared_bytes += bytes * (ndft_stockham_passes(&pass, p->prec) - 1);
        if (pass.domain == NDFT_C2C && ndft_stockham_length(&pass, p->prec) != pass.length)
            add_convolution(pass, p->prec, &cost);
        if (pass.domain == NDFT_C2C && ndft_stockham_prime(pass.length))
            add_columns(pass, p->prec, &cost);
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_stockham_cuda = {
    .name = "stockham",
    .backend = "cuda",
    .summary = "lengths of prime factors up to 31, and complex lines of others as convolutions, by "
               "mixed radices in one kernel per axis",
    NDFT_KNOBS(knobs),
    .ops = NDFT_FORWARD,
    .claim = {.c = 2, NDFT_FFT_ERRORS, .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(stockham_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
