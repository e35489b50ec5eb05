/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHARES_CUH
#define NDFT_SHARES_CUH

#include "chosen.h"
#include "complex.cuh"
#include "early.cuh"

#include <climits>

/*
 * Sums over inputs shared evenly by one wave of blocks, whatever their number and length: a sum
 * (a block's outputs, of one coil) has `steps` indivisible steps, and block g of the grid takes the
 * steps [g U/G, (g+1) U/G) of all U of them in order. No device is left half filled by a last wave.
 * Sums that a block has from first step to last are stored; of the others, the parts of at most two
 * sums per block are kept and joined in the order of the steps, so that results repeat to the bit.
 * This is stream-K of Osama et al., PPoPP 2023 (arXiv 2301.03598), for sums that are no matrix.
 */

struct ndft_shares {
    int64_t sums;
    int steps;           /* of a sum */
    int blocks;          /* of the grid */
    int64_t each, extra; /* steps of a block; the first `extra` blocks have one more */

    __host__ __device__ int64_t begin(int64_t g) const
    {
        return g * each + (g < extra ? g : extra);
    }

    /* The block that has this step. */
    __host__ __device__ int64_t holder(int64_t step) const
    {
        const int64_t longer = extra * (each + 1);
        return step < longer ? step / (each + 1) : extra + (step - longer) / each;
    }

    /* Where a sum begins among its inputs, which it takes round: so that all blocks have come to
     * about the same inputs at a time, and what one has brought to the cache serves the others. */
    __device__ int turned(int64_t sum) const
    {
        const int64_t first = sum * steps;
        return (int)((first - begin(holder(first))) % steps);
    }
};

/* The shares of at most `wave` blocks. */
inline ndft_shares ndft_shares_of(int64_t sums, int steps, int64_t wave)
{
    const int64_t units = sums * steps, blocks = units < wave ? units : wave;
    return {sums, steps, (int)blocks, units / blocks, units % blocks};
}

/* What one block does for one sum: steps begin..end-1 of `sum`. */
struct ndft_segment {
    int64_t sum, slot; /* slot: where the part goes, unless the segment is the whole sum */
    int begin, end;
    bool whole;
};

/* The segment of block g that starts at step `at` of all. */
__device__ __forceinline__ ndft_segment ndft_segment_at(const ndft_shares &shares, int64_t g,
                                                        int64_t at)
{
    const int64_t left = shares.begin(g + 1) - at;
    ndft_segment segment;
    segment.sum = at / shares.steps;
    segment.begin = (int)(at - segment.sum * shares.steps);
    segment.end = left < shares.steps - segment.begin ? segment.begin + (int)left : shares.steps;
    segment.slot = 2 * g + (at != shares.begin(g));
    segment.whole = segment.end - segment.begin == shares.steps;
    return segment;
}

/* Where the outputs of a sum lie: sum b has the places (b % blocks) block + i, i < block, of the
 * coils (b / blocks) columns + column. order: the element at each place, -1 for none; NULL: as they
 * stand. */
struct ndft_outputs {
    const int32_t *order;
    int64_t length, blocks;
    int block;
    ndft_strides strides;
    int columns = 1, coils = INT_MAX;

    __host__ __device__ int size() const { return block * columns; }
    __host__ __device__ int64_t place(int64_t sum, int i) const { return sum % blocks * block + i; }

    template <class R>
    __device__ ndft_complex<R> *at(ndft_complex<R> *out, int64_t sum, int i, int column = 0) const
    {
        const int64_t at = place(sum, i), element = order ? order[at] : at < length ? at : -1;
        const int64_t coil = sum / blocks * columns + column;
        return element < 0 || coil >= coils ? nullptr
                                            : out + element * strides.element + coil * strides.coil;
    }
};

/* A grid's shares, and room for the parts: [2 blocks][columns][block]; NULL: they are added to the
 * output one by one as they come. */
template <class R> struct ndft_split {
    ndft_shares shares;
    ndft_outputs outputs;
    ndft_complex<R> *parts;
};

/* Output i of a segment, of one of its columns. */
template <class R>
__device__ __forceinline__ void ndft_put(const ndft_split<R> &split, const ndft_segment &segment,
                                         int i, ndft_complex<R> value, ndft_complex<R> *out,
                                         int column = 0)
{
    const ndft_outputs &outputs = split.outputs;
    if (!segment.whole && split.parts) {
        split.parts[segment.slot * outputs.size() + column * outputs.block + i] = value;
        return;
    }
    ndft_complex<R> *to = outputs.at(out, segment.sum, i, column);
    if (!to) return;
    if (segment.whole) {
        *to = value;
    } else {
        atomicAdd(&to->re, value.re);
        atomicAdd(&to->im, value.im);
    }
}

/* Blocks (sum, some of its outputs): each thread adds an output's parts in order, if it has any.
 * Only the first of them can be the last segment of its block. */
template <class R> __global__ void ndft_join_shares(ndft_split<R> split, ndft_complex<R> *out)
{
    const ndft_shares &shares = split.shares;
    const int64_t sum = blockIdx.x, first = sum * shares.steps, size = split.outputs.size();
    const int64_t from = shares.holder(first), to = shares.holder(first + shares.steps - 1);
    const int i = (int)(blockIdx.y * blockDim.x + threadIdx.x);
    const int column = i / split.outputs.block;
    ndft_complex<R> *at = split.outputs.at(out, sum, i - column * split.outputs.block, column);
    ndft_wait_for_kernel_before();
    if (from == to || i >= size || !at) return;
    const ndft_complex<R> *part = split.parts + i;
    ndft_complex<R> total = part[(2 * from + (shares.begin(from) < first)) * size];
    constexpr int SOME = 64 / sizeof(R); /* loads under way together */
    for (int64_t g = from + 1; g <= to; g += SOME) {
        ndft_complex<R> next[SOME];
#pragma unroll
        for (int k = 0; k < SOME; k++)
            if (g + k <= to) next[k] = part[2 * (g + k) * size];
#pragma unroll
        for (int k = 0; k < SOME; k++) {
            if (g + k <= to) {
                total.re += next[k].re;
                total.im += next[k].im;
            }
        }
    }
    *at = total;
}

/* Blocks that the whole device holds at once. */
inline int64_t ndft_wave(const void *kernel, int threads, size_t shared, const ndft_exec *exec)
{
    int per_unit = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, kernel, threads, shared) !=
            cudaSuccess ||
        per_unit < 1)
        per_unit = 1;
    return (int64_t)per_unit * exec->device.units;
}

/* The shares of one wave of this kernel's blocks in sums of `steps` steps; coils: how many sums an
 * output block has. With room for parts unless they are added as they come. */
template <class R>
ndft_status ndft_split_make(ndft_arrays *arrays, const void *kernel, int threads, size_t shared,
                            int64_t coils, int steps, const ndft_outputs &outputs, bool atomic,
                            ndft_split<R> *split)
{
    NDFT_TRY(ndft_fits_block(arrays->exec, kernel, threads));
    NDFT_TRY(ndft_allow_shared(arrays->exec, kernel, shared));
    const int64_t sums = coils * outputs.blocks;
    const int64_t wave = ndft_wave(kernel, threads, shared, arrays->exec);
    const ndft_shares shares = ndft_shares_of(sums, steps, wave);
    *split = {shares, outputs, nullptr};
    if (atomic || sums % shares.blocks == 0) return NDFT_OK;
    return ndft_reserve(arrays, "parts of shared sums", 2 * shares.blocks * outputs.size(),
                        &split->parts);
}

/* Launches the join where there is something to join. */
template <class R>
ndft_status ndft_join(ndft_exec *exec, const ndft_split<R> &split, ndft_complex<R> *out)
{
    if (!split.parts) return NDFT_OK;
    const int threads = 64;
    const dim3 grid((unsigned)split.shares.sums, ndft_blocks(split.outputs.size(), threads));
    return ndft_launch_early(exec, grid, threads, 0, ndft_join_shares<R>, split, out);
}

/* A plan of one kernel a direction, whose side has the split. A Plan sets a launch's run, threads
 * and shared before it calls split. */
template <class SIDE, class R> struct ndft_shared_plan : ndft_base_plan {
    struct {
        SIDE side;
        void (*run)(SIDE, const ndft_complex<R> *, ndft_complex<R> *);
        int threads; /* of a block; 0: not served */
        size_t shared;
    } launches[2]; /* forward, adjoint */

    /* Blocks of a direction, `outputs` a thread; order: of the outputs. */
    ndft_status split(const ndft_problem *p, ndft_op op, int steps, int outputs,
                      const int32_t *order = nullptr, bool atomic = false)
    {
        auto &launch = launches[op == NDFT_ADJOINT];
        const int64_t length = ndft_output_length(p, op);
        const int block = launch.threads * outputs;
        return ndft_split_make(
            &arrays, (const void *)launch.run, launch.threads, launch.shared, p->coils, steps,
            {order, length, ndft_blocks(length, block), block, ndft_strides_of(p, length)}, atomic,
            &launch.side.split);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const auto &launch = launches[op == NDFT_ADJOINT];
        auto *to = (ndft_complex<R> *)out;
        launch.run<<<(unsigned)launch.side.split.shares.blocks, launch.threads, launch.shared,
                     ndft_stream(arrays.exec)>>>(launch.side, (const ndft_complex<R> *)in, to);
        NDFT_TRY(ndft_launched(arrays.exec, "shared sums"));
        return ndft_join(arrays.exec, launch.side.split, to);
    }

    int outputs(int adjoint) const
    {
        const auto &launch = launches[adjoint];
        return launch.threads ? launch.side.split.outputs.block / launch.threads : 0;
    }

    void chosen(char *text, size_t size) const
    {
        ndft_chosen_directions(text, size, "outputs", outputs(0), outputs(1));
        ndft_chosen_directions(text, size, "threads", launches[0].threads, launches[1].threads);
        ndft_chosen_directions(text, size, "blocks", launches[0].side.split.shares.blocks,
                               launches[1].side.split.shares.blocks);
    }
};

#endif
