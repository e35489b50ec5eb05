/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SORT_CUH
#define NDFT_NUFFT_SORT_CUH

#include "core/device.cuh"

#include <cooperative_groups.h>

/*
 * Numbers 0, 1 .. sorted by keys, equal ones in order, inside one kernel, all of whose blocks run
 * at once: a launch costs the host more than the sort of some ten thousand samples the device. By
 * digits, the last first, as in D. Merrill and A. Grimshaw, "High performance and scalable radix
 * sorting", Parallel Processing Letters 21, 2011: each warp has a run of the numbers and counts its
 * digits; sums over warps say where its first of each digit goes; then it puts them there, 32 at a
 * time, of which lanes of one digit find each other.
 */

enum {
    NDFT_SORT_WARPS = 8, /* of a block */
    NDFT_SORT_THREADS = 32 * NDFT_SORT_WARPS,
    NDFT_SORT_BITS = 10, /* of a digit at most */
    NDFT_SORT_BINS = 1 << NDFT_SORT_BITS,
    NDFT_SORT_LOADS = 4, /* of a lane at a time */
    NDFT_SORT_RUN = 128  /* numbers of a warp at least, where there are so many */
};

struct ndft_sort {
    int64_t count;
    int passes, bits;
    uint64_t *key[2];
    int32_t *number[2];
    int32_t *before; /* [bins][warps]: how many of a digit other warps have before this one */
    int32_t *all;    /* [bins] */

    /* Where the sorted ones are. */
    __host__ __device__ int last() const { return passes % 2; }
};

/* What blocks have in shared memory. */
struct ndft_sort_shared {
    int32_t own[NDFT_SORT_WARPS][NDFT_SORT_BINS];
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

/* Two on each multiprocessor, where there is enough to do. */
inline unsigned ndft_sort_blocks(const ndft_exec *exec, int64_t count)
{
    const unsigned most = 2 * (unsigned)exec->device.units;
    const unsigned all = ndft_blocks(count, NDFT_SORT_RUN * NDFT_SORT_WARPS);
    return all < most ? all : most;
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
__device__ inline int64_t warps() { return (int64_t)gridDim.x * NDFT_SORT_WARPS; }
__device__ inline int64_t warp_of_all() { return (int64_t)blockIdx.x * NDFT_SORT_WARPS + warp(); }

/* f(number, whether it is one) of a warp's run, all lanes together. */
template <class F> __device__ void each(const ndft_sort &s, F f)
{
    const int64_t begin = s.count * warp_of_all() / warps();
    const int64_t end = s.count * (warp_of_all() + 1) / warps();
    for (int64_t at = begin; at < end; at += 32 * NDFT_SORT_LOADS) f(at, end);
}

__device__ inline int digit_of(const ndft_sort &s, int pass, uint64_t key)
{
    return (int)(key >> (pass * s.bits)) & ((1 << s.bits) - 1);
}

/* key_of(number) is asked once of each. */
template <class KeyOf>
__device__ void count(const ndft_sort &s, int pass, KeyOf key_of, ndft_sort_shared *shared)
{
    const int bins = 1 << s.bits;
    for (int i = threadIdx.x; i < bins * NDFT_SORT_WARPS; i += NDFT_SORT_THREADS)
        shared->own[i >> s.bits][i & (bins - 1)] = 0;
    __syncthreads();
    each(s, [&](int64_t at, int64_t end) {
#pragma unroll
        for (int l = 0; l < NDFT_SORT_LOADS; l++) {
            const int64_t i = at + 32 * l + lane();
            if (i >= end) continue;
            uint64_t key;
            if (pass == 0)
                s.key[0][i] = key = key_of(i);
            else
                key = s.key[pass % 2][i];
            atomicAdd(&shared->own[warp()][digit_of(s, pass, key)], 1);
        }
    });
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += NDFT_SORT_THREADS)
#pragma unroll
        for (int w = 0; w < NDFT_SORT_WARPS; w++)
            s.before[bin * warps() + (int64_t)blockIdx.x * NDFT_SORT_WARPS + w] =
                shared->own[w][bin];
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

/* Warp = digit: from what warps have to what those before them have. */
__device__ inline void add_warps(const ndft_sort &s)
{
    for (int64_t bin = warp_of_all(); bin < 1 << s.bits; bin += warps()) {
        int32_t *row = s.before + bin * warps(), before = 0;
        for (int64_t at = 0; at < warps(); at += 32) {
            const int64_t i = at + lane();
            const int32_t own = i < warps() ? row[i] : 0, sum = sum_to(own);
            if (i < warps()) row[i] = before + sum - own;
            before += __shfl_sync(~0u, sum, 31);
        }
        if (lane() == 0) s.all[bin] = before;
    }
}

/* Where each warp's first of each digit goes. */
__device__ inline void add_digits(const ndft_sort &s, ndft_sort_shared *shared)
{
    const int bins = 1 << s.bits;
    int32_t above = 0;
    for (int first = 0; first < bins; first += NDFT_SORT_THREADS) {
        const int bin = first + (int)threadIdx.x;
        const int32_t own = bin < bins ? s.all[bin] : 0;
        int32_t sum = sum_to(own), all = 0;
        if (lane() == 31) shared->sums[warp()] = sum;
        __syncthreads();
        for (int w = 0; w < NDFT_SORT_WARPS; w++) {
            if (w == warp()) sum += all;
            all += shared->sums[w];
        }
        if (bin < bins)
#pragma unroll
            for (int w = 0; w < NDFT_SORT_WARPS; w++)
                shared->own[w][bin] =
                    above + sum - own +
                    s.before[bin * warps() + (int64_t)blockIdx.x * NDFT_SORT_WARPS + w];
        above += all;
        __syncthreads();
    }
}

__device__ inline void move(const ndft_sort &s, int pass, ndft_sort_shared *shared)
{
    const int from = pass % 2, to = 1 - from;
    int32_t *next = shared->own[warp()];
    each(s, [&](int64_t at, int64_t end) {
        uint64_t key[NDFT_SORT_LOADS];
        int32_t number[NDFT_SORT_LOADS];
#pragma unroll
        for (int l = 0; l < NDFT_SORT_LOADS; l++) {
            const int64_t i = at + 32 * l + lane();
            if (i >= end) continue;
            key[l] = s.key[from][i];
            number[l] = pass ? s.number[from][i] : (int32_t)i;
        }
#pragma unroll
        for (int l = 0; l < NDFT_SORT_LOADS; l++) {
            const bool is = at + 32 * l + lane() < end;
            const int digit = is ? digit_of(s, pass, key[l]) : -1;
            const unsigned same = __match_any_sync(~0u, digit);
            const int32_t before = __popc(same & ((1u << lane()) - 1));
            const int32_t place = is ? next[digit] + before : 0;
            __syncwarp();
            if (is && before == 0) next[digit] = place + __popc(same);
            __syncwarp();
            if (!is) continue;
            s.key[to][place] = key[l];
            s.number[to][place] = number[l];
        }
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
        grid.sync();
        ndft_sorting::add_warps(s);
        grid.sync();
        ndft_sorting::add_digits(s, shared);
        ndft_sorting::move(s, pass, shared);
        grid.sync();
    }
}

#endif
