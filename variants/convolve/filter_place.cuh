/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_PLACE_CUH
#define NDFT_CONVOLVE_FILTER_PLACE_CUH

#include "fft/block_fft.cuh"
#include "filter_shape.h"

/* Where a thread of filter_lines.cuh works, and what it needs there of plan's tables. */

/* What the transforms of a shape need: phases, and the filter's spectrum with the factor 1/cells.
 */
struct ndft_filter {
    ndft_exec *exec;
    ndft_filter_shape shape;
    const void *row_turns, *column_turns; /* exp(-2 pi i j/n) */
    const void *fine, *coarse;            /* exp(-2 pi i j/cells): j, and 1024 j */
    const void *steps;                    /* exp(-2 pi i j/(row cells of a thread)) */
    void *spectrum;
    bool dry; /* for plans: launches nothing, but lets kernels have their shared memory */
};

namespace
{

enum { FILTER_FINE = 1024 };

/* Threads of a block at most, and such blocks that a multiprocessor holds at least: as many
 * registers as the cells of a thread want. */
template <class R> __host__ __device__ constexpr int filter_threads(int cells)
{
    return sizeof(R) == 4 && cells > 8 ? 768 : 512;
}

template <class R> __host__ __device__ constexpr int filter_blocks(int cells)
{
    return sizeof(R) == 4 && cells == 8 ? 2 : 1;
}

/* The same where a kernel only loads or only stores, and waits for memory more than it computes. */
template <class R> __host__ __device__ constexpr int filter_end_threads(int cells)
{
    return sizeof(R) == 4 && cells == 16 ? 1024 : filter_threads<R>(cells);
}

/* One kernel's lines of n cells, `beside` of them interleaved. */
template <class R> struct filter_stage {
    int n;
    ndft_line_passes passes;
    unsigned lines, beside;
    bool across; /* neighbouring threads are in neighbouring lines */
    const ndft_complex<R> *turns, *fine, *coarse, *steps;
};

/* Where a thread works. */
template <class R, int CELLS> struct filter_place {
    block_part<R> part;
    bool inside;
    unsigned signal;
    int lane;        /* among the lines beside it */
    int cell, cells; /* of the signal: the thread's first, and from each to the next */
    int64_t at;      /* its first, where signals are kept */

    __device__ explicit filter_place(const filter_stage<R> &stage)
    {
        extern __shared__ __align__(16) unsigned char filter_bytes[];
        ndft_complex<R> *memory = (ndft_complex<R> *)filter_bytes;
        const int n = stage.n, line = stage.across ? threadIdx.x : threadIdx.y;
        const int t = stage.across ? threadIdx.y : threadIdx.x;
        const int lines = stage.across ? blockDim.x : blockDim.y;
        const unsigned id = blockIdx.x * lines + line;
        part = {n,
                stage.passes.first,
                stage.passes.rest,
                t,
                stage.across ? lines : 1,
                memory + line * (stage.across ? 1 : skipping<CELLS>(n)),
                stage.turns};
        inside = id < stage.lines;
        signal = id / stage.beside;
        lane = (int)(id - signal * stage.beside);
        cell = t * (int)stage.beside + lane;
        cells = n / CELLS * (int)stage.beside;
        at = (int64_t)signal * stage.beside * n + cell;
    }
};

/* Of few cells a thread has registers for what it needs of plan's tables later. It fetches that
 * before it waits for the kernel before, which writes none of them. */
template <int CELLS> constexpr bool fetches_ahead = CELLS == 8;

/* Between columns and rows: cells times exp(SIGN 2 pi i lane k/cells) at frequencies k of the
 * column. */
template <int SIGN, int CELLS, class R> struct column_turns {
    ndft_complex<R> base;
    turn_pair<R> step;

    __device__ __forceinline__ void fetch(const filter_stage<R> &stage,
                                          const filter_place<R, CELLS> &place)
    {
        if (stage.beside == 1) return;
        const unsigned turns = (unsigned)(place.lane * place.part.t);
        base = stage.fine[turns % FILTER_FINE] * stage.coarse[turns / FILTER_FINE];
        if (SIGN > 0) base.im = -base.im;
        step = turns_at<SIGN>(stage.steps, place.lane);
    }

    __device__ __forceinline__ void turn(ndft_complex<R> (&v)[CELLS]) const
    {
        rotate_by_powers<true>(base, step, v);
    }
};

/* The factors of a thread's cells, where it fetches them ahead. */
template <int CELLS, class R, class Hook> struct factors_ahead {
    static constexpr bool ANY = fetches_ahead<CELLS> && has_factors<Hook>;
    ndft_complex<R> of[ANY ? CELLS : 1];

    __device__ __forceinline__ void fetch(const filter_place<R, CELLS> &place, const Hook &hook)
    {
        if constexpr (ANY) {
#pragma unroll
            for (int i = 0; i < CELLS; i++) of[i] = hook.factor(place.cell + i * place.cells);
        }
    }
};

} // namespace

#endif
