/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SORT_CUH
#define NDFT_NUFFT_SORT_CUH

#include "core/device.cuh"

#include <cooperative_groups.h>

/*
 * Numbers 0, 1 .. sorted by keys, equal ones in order, inside one kernel, all of whose blocks run
 * at once: a launch costs the host more than the sort of some ten thousand samples the device. By
 * digits, the last first, as in D. Merrill and A. Grimshaw, "High performance and scalable radix
 * sorting", Parallel Processing Letters 21, 2011: each block has a run of the numbers and counts
 * its digits; from what all blocks have it says where its first of each digit goes; then its warps
 * put them there, 32 at a time, of which lanes of one digit find each other. While numbers are put
 * they are counted for the block and the digit that are theirs next, so that blocks wait for each
 * other once a digit.
 */

enum {
    NDFT_SORT_WARPS = 16, /* of a block */
    NDFT_SORT_THREADS = 32 * NDFT_SORT_WARPS,
    NDFT_SORT_BITS = 9, /* of a digit at most */
    NDFT_SORT_BINS = 1 << NDFT_SORT_BITS,
    NDFT_SORT_EACH = 2,   /* numbers of a thread at least, where there are so many */
    NDFT_SORT_BESIDE = 16 /* blocks whose counts are on their way at a time */
};

struct ndft_sort {
    int64_t count;
    int passes, bits;
    uint64_t *key[2];
    int32_t *number[2];
    int32_t *of_block; /* [passes][blocks][bins]: how many of a digit each block has */

    /* Where the sorted ones are. */
    __host__ __device__ int last() const { return passes % 2; }
};

/* What blocks have in shared memory. */
struct ndft_sort_shared {
    int32_t next[NDFT_SORT_WARPS][NDFT_SORT_BINS]; /* of a warp's and a digit, behind the block's */
    int32_t first[NDFT_SORT_BINS];                 /* where the block's first of a digit goes */
    int32_t begin[NDFT_SORT_BINS + 1];             /* where all of a digit do */
    int32_t sums[NDFT_SORT_WARPS];
};

/* Keys below keys_end. */
inline void ndft_sort_plan(int64_t count, uint64_t keys_end, ndft_sort *sort)
{
    int bits = 1;
    while (bits < 64 && (keys_end - 1) >> bits) bits++;
    sort->count = count;
    sort->passes = (bits + NDFT_SORT_BITS - 1) / NDFT_SORT_BITS;
    sort->bits = (bits + sort->passes - 1) / sort->passes;
}

/* One on each multiprocessor, where there is enough to do. */
inline unsigned ndft_sort_blocks(const ndft_exec *exec, int64_t count)
{
    const unsigned most = (unsigned)exec->device.units;
    const unsigned all = ndft_blocks(count, NDFT_SORT_EACH * NDFT_SORT_THREADS);
    return all < most ? all : most;
}

/* Of ndft_sort's of_block. */
inline int64_t ndft_sort_counts(int passes, int bits, unsigned blocks)
{
    return ((int64_t)passes * blocks) << bits;
}

/* A kernel all of whose blocks run at once, fewer where others have taken multiprocessors away. */
template <class Work>
ndft_status ndft_launch_together(const ndft_exec *exec, void (*kernel)(Work), unsigned blocks,
                                 int threads, Work work, const char *what)
{
    void *arguments[] = {&work};
    cudaError_t error = cudaErrorCooperativeLaunchTooLarge;
    for (; blocks && error == cudaErrorCooperativeLaunchTooLarge; blocks /= 2) {
        error = cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks), dim3(threads),
                                            arguments, 0, ndft_stream(exec));
        if (error == cudaErrorCooperativeLaunchTooLarge) (void)cudaGetLastError();
    }
    return ndft_checked(exec, error, what);
}

namespace ndft_sorting
{

__device__ inline int lane() { return (int)threadIdx.x % 32; }
__device__ inline int warp() { return (int)threadIdx.x / 32; }

/* Numbers of a block, in whole warps'. */
__device__ inline int64_t run_of_block(const ndft_sort &s)
{
    const int64_t even = (s.count + gridDim.x - 1) / gridDim.x;
    return (even + NDFT_SORT_THREADS - 1) / NDFT_SORT_THREADS * NDFT_SORT_THREADS;
}

/* f(number, whether it is one) of a warp's run, of all lanes together. */
template <class F> __device__ void each(const ndft_sort &s, F f)
{
    const int64_t block = run_of_block(s), run = block / NDFT_SORT_WARPS;
    const int64_t begin = blockIdx.x * block + warp() * run;
#pragma unroll 2
    for (int64_t at = begin; at < begin + run; at += 32) f(at + lane(), at + lane() < s.count);
}

__device__ inline int digit_of(const ndft_sort &s, int pass, uint64_t key)
{
    return (int)(key >> (pass * s.bits)) & ((1 << s.bits) - 1);
}

__device__ inline int32_t *counts_of(const ndft_sort &s, int pass, int64_t block)
{
    return s.of_block + ((pass * (int64_t)gridDim.x + block) << s.bits);
}

/* The place of a lane's number, lanes of one digit in order; -1: it has none. */
__device__ inline int32_t take_place(ndft_sort_shared *shared, int digit)
{
    const unsigned same = __match_any_sync(~0u, digit);
    const int32_t before = __popc(same & ((1u << lane()) - 1));
    int32_t &next = shared->next[warp()][digit < 0 ? 0 : digit];
    const int32_t place = next + before;
    __syncwarp();
    if (digit >= 0 && before == 0) next = place + __popc(same);
    __syncwarp();
    return place;
}

/* key_of(number) is asked once of each. The first time a block tells its counts itself. */
template <class KeyOf>
__device__ void count(const ndft_sort &s, int pass, KeyOf key_of, ndft_sort_shared *shared)
{
    const int bins = 1 << s.bits;
    for (int i = threadIdx.x; i < bins * NDFT_SORT_WARPS; i += NDFT_SORT_THREADS)
        shared->next[i >> s.bits][i & (bins - 1)] = 0;
    __syncthreads();
    each(s, [&](int64_t i, bool is) {
        uint64_t key = 0;
        if (is && pass == 0)
            s.key[0][i] = key = key_of(i);
        else if (is)
            key = s.key[pass % 2][i];
        if (is) atomicAdd(&shared->next[warp()][digit_of(s, pass, key)], 1);
    });
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += NDFT_SORT_THREADS) {
        int32_t all = 0;
#pragma unroll
        for (int w = 0; w < NDFT_SORT_WARPS; w++) {
            const int32_t own = shared->next[w][bin];
            shared->next[w][bin] = all;
            all += own;
        }
        if (pass == 0) counts_of(s, 0, blockIdx.x)[bin] = all;
    }
    for (int later = 1; pass == 0 && later < s.passes; later++)
        for (int bin = threadIdx.x; bin < bins; bin += NDFT_SORT_THREADS)
            counts_of(s, later, blockIdx.x)[bin] = 0;
}

/* Of 32 lanes, with its own. */
__device__ inline int32_t sum_to(int32_t own)
{
    for (int step = 1; step < 32; step *= 2) {
        const int32_t other = __shfl_up_sync(~0u, own, step);
        if (lane() >= step) own += other;
    }
    return own;
}

/* A digit's numbers of all blocks, and of those before this one. */
__device__ inline int32_t sum_of_blocks(const ndft_sort &s, int pass, int bin, int32_t *before)
{
    const int32_t *counts = counts_of(s, pass, 0) + bin;
    const int blocks = (int)gridDim.x, own = (int)blockIdx.x;
    int32_t all = 0;
    *before = 0;
    for (int first = 0; first < blocks; first += NDFT_SORT_BESIDE)
#pragma unroll
        for (int b = first; b < first + NDFT_SORT_BESIDE; b++) {
            const int32_t of = b < blocks ? counts[(int64_t)b << s.bits] : 0;
            all += of;
            if (b < own) *before += of;
        }
    return all;
}

/* Where each digit begins, and this block's first of it goes. */
__device__ inline void add_blocks(const ndft_sort &s, int pass, ndft_sort_shared *shared)
{
    const int bins = 1 << s.bits;
    int32_t above = 0;
    for (int from = 0; from < bins; from += NDFT_SORT_THREADS) {
        const int bin = from + (int)threadIdx.x;
        int32_t before = 0, all = 0;
        const int32_t own = bin < bins ? sum_of_blocks(s, pass, bin, &before) : 0;
        int32_t sum = sum_to(own);
        if (lane() == 31) shared->sums[warp()] = sum;
        __syncthreads();
        for (int w = 0; w < NDFT_SORT_WARPS; w++) {
            if (w == warp()) sum += all;
            all += shared->sums[w];
        }
        if (bin < bins) {
            shared->begin[bin] = above + sum - own;
            shared->first[bin] = above + sum - own + before;
        }
        above += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) shared->begin[bins] = above;
    __syncthreads();
}

__device__ inline void move(const ndft_sort &s, int pass, ndft_sort_shared *shared)
{
    const int from = pass % 2, to = 1 - from;
    const int32_t run = (int32_t)run_of_block(s);
    each(s, [&](int64_t i, bool is) {
        const uint64_t key = is ? s.key[from][i] : 0;
        const int32_t number = !is ? 0 : pass ? s.number[from][i] : (int32_t)i;
        const int digit = is ? digit_of(s, pass, key) : -1;
        const int32_t behind = take_place(shared, digit);
        if (!is) return;
        const int32_t place = shared->first[digit] + behind;
        s.key[to][place] = key;
        s.number[to][place] = number;
        if (pass + 1 < s.passes)
            atomicAdd(counts_of(s, pass + 1, place / run) + digit_of(s, pass + 1, key), 1);
    });
}

} // namespace ndft_sorting

/* All blocks of a kernel together; key_of(number) is its key. */
template <class KeyOf>
__device__ void ndft_sort_together(const ndft_sort &s, KeyOf key_of, ndft_sort_shared *shared)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int pass = 0; pass < s.passes; pass++) {
        ndft_sorting::count(s, pass, key_of, shared);
        if (pass == 0) grid.sync();
        ndft_sorting::add_blocks(s, pass, shared);
        ndft_sorting::move(s, pass, shared);
        grid.sync();
    }
}

/* How many keys are below one, once they are sorted. */
__device__ inline int32_t ndft_sort_below(const ndft_sort &s, const ndft_sort_shared *shared,
                                          uint64_t bound)
{
    const uint64_t digit = bound >> ((s.passes - 1) * s.bits);
    if (digit >> s.bits) return (int32_t)s.count;
    int32_t low = shared->begin[digit], high = shared->begin[digit + 1];
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (s.key[s.last()][middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
