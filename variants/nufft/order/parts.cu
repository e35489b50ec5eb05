/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"
#include "sort.cuh"

namespace
{

/* Tiles and how they are cut: in parts of two lengths, one sample apart. */
struct cutting {
    const int32_t *begin; /* [n_tiles + 1] */
    int64_t n_tiles;
    int most;
    bool dealt;

    __device__ int32_t parts(int64_t t) const
    {
        return (int32_t)(((int64_t)begin[t + 1] - begin[t] + most - 1) / most);
    }
    __device__ ndft_nufft_part part(int32_t t, int32_t i, int32_t parts) const
    {
        const int32_t at = begin[t], end = begin[t + 1];
        const int64_t size = end - at;
        if (dealt) return {t, at + i, end, parts};
        return {t, at + (int32_t)(size * i / parts), at + (int32_t)(size * (i + 1) / parts), 1};
    }
};

/* The shorter parts of a tile, and how many of its parts have one sample more. */
struct lengths {
    int32_t parts, shorter, longer;

    __device__ lengths(const cutting &cut, int64_t t) : parts(cut.parts(t)), shorter(0), longer(0)
    {
        if (parts == 0) return;
        const int32_t size = cut.begin[t + 1] - cut.begin[t];
        shorter = size / parts;
        longer = size - shorter * parts;
    }
};

/* of[n]: parts of n samples, and then how many are longer, at [0] all of them; at last where the
 * next one goes. */
struct work {
    cutting cut;
    int32_t *of; /* [most + 1] */
    ndft_nufft_part *part;
};

/* f(tile), of all threads of a warp together, beyond the last one too. */
template <class F> __device__ void each_tile(const cutting &cut, F f)
{
    const int64_t step = (int64_t)gridDim.x * NDFT_SORT_THREADS;
    for (int64_t at = blockIdx.x * (int64_t)NDFT_SORT_THREADS; at < cut.n_tiles; at += step)
        f(at + threadIdx.x);
}

__device__ void count_parts(const work &w, int64_t t)
{
    if (t >= w.cut.n_tiles) return;
    const lengths l(w.cut, t);
    if (l.parts == 0) return;
    atomicAdd(&w.of[l.shorter], l.parts - l.longer);
    if (l.longer) atomicAdd(&w.of[l.shorter + 1], l.longer);
}

/* One block. */
__device__ void add_longer(const work &w)
{
    __shared__ int32_t sums[NDFT_SORT_WARPS];
    const int warp = ndft_sorting::warp();
    int32_t above = 0;
    for (int end = w.cut.most; end >= 0; end -= NDFT_SORT_THREADS) {
        const int n = end - (int)threadIdx.x;
        const int32_t own = n >= 0 ? w.of[n] : 0;
        int32_t sum = ndft_sorting::sum_to(own), all = 0;
        if (ndft_sorting::lane() == 31) sums[warp] = sum;
        __syncthreads();
        for (int i = 0; i < NDFT_SORT_WARPS; i++) {
            if (i == warp) sum += all;
            all += sums[i];
        }
        if (n >= 0) w.of[n] = above + sum - own;
        above += all;
        __syncthreads();
    }
}

/* Where a tile's parts go. */
struct places {
    int32_t tile, parts, shorter; /* samples of the shorter ones */
    int32_t to_shorter, to_longer;
};

/* Every `step`-th part of a tile from `first` on; of neighbours as many are longer as the samples
 * before are more than those of shorter ones. */
__device__ void put(const cutting &cut, const places &p, int first, int step, ndft_nufft_part *part)
{
    const int64_t size = cut.begin[p.tile + 1] - cut.begin[p.tile];
    const int32_t longer = (int32_t)(size - (int64_t)p.shorter * p.parts);
    for (int32_t i = first; i < p.parts; i += step) {
        const int32_t before =
            cut.dealt ? min(i, longer) : (int32_t)(size * i / p.parts - (int64_t)p.shorter * i);
        const int32_t next =
            cut.dealt ? min(i + 1, longer)
                      : (int32_t)(size * (i + 1) / p.parts - (int64_t)p.shorter * (i + 1));
        part[next > before ? p.to_longer + before : p.to_shorter + i - before] =
            cut.part(p.tile, i, p.parts);
    }
}

enum { ALONE = 8 }; /* parts that a thread puts by itself; more are its warp's */

__device__ void put_parts(const work &w, int64_t t)
{
    places own = {};
    if (t < w.cut.n_tiles) {
        const lengths l(w.cut, t);
        own = {(int32_t)t, l.parts, l.shorter, 0, 0};
        if (l.parts) own.to_shorter = atomicAdd(&w.of[l.shorter], l.parts - l.longer);
        if (l.longer) own.to_longer = atomicAdd(&w.of[l.shorter + 1], l.longer);
    }
    if (own.parts <= ALONE) put(w.cut, own, 0, 1, w.part);
    for (unsigned many = __ballot_sync(~0u, own.parts > ALONE); many; many &= many - 1) {
        const int lane = __ffs((int)many) - 1;
        const places p = {__shfl_sync(~0u, own.tile, lane), __shfl_sync(~0u, own.parts, lane),
                          __shfl_sync(~0u, own.shorter, lane),
                          __shfl_sync(~0u, own.to_shorter, lane),
                          __shfl_sync(~0u, own.to_longer, lane)};
        put(w.cut, p, ndft_sorting::lane(), 32, w.part);
    }
}

/* All blocks together. */
__global__ void __launch_bounds__(NDFT_SORT_THREADS) cut_tiles(const __grid_constant__ work w)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int n = (int)grid.thread_rank(); n <= w.cut.most; n += (int)grid.size()) w.of[n] = 0;
    grid.sync();
    each_tile(w.cut, [&](int64_t t) { count_parts(w, t); });
    grid.sync();
    if (blockIdx.x == 0) add_longer(w);
    grid.sync();
    each_tile(w.cut, [&](int64_t t) { put_parts(w, t); });
}

/* `bound`: as many as there can be of so many samples. No part is empty, so that [0] of the counts
 * stays how many there are. */
ndft_status make(ndft_arrays *arrays, ndft_arrays *meanwhile, const cutting &cut, int64_t bound,
                 ndft_nufft_part **parts, int *count)
{
    const ndft_exec *exec = arrays->exec;
    const unsigned all = ndft_blocks(cut.n_tiles, NDFT_SORT_THREADS);
    const unsigned most = (unsigned)exec->device.units;
    work w = {cut, nullptr, nullptr};
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles", bound, parts));
    NDFT_TRY(ndft_reserve(meanwhile, "numbers of parts", cut.most + 1, &w.of));
    w.part = *parts;
    NDFT_TRY(ndft_launch_together(exec, cut_tiles, all < most ? all : most, NDFT_SORT_THREADS, w,
                                  "parts of tiles"));
    return ndft_fetch(exec, w.of, count, "parts of tiles");
}

} // namespace

ndft_status ndft_nufft_parts(ndft_arrays *arrays, const ndft_nufft_samples *samples, int most,
                             const ndft_nufft_part **parts, int *count, bool dealt)
{
    const cutting cut = {samples->begin, samples->n_tiles, most, dealt};
    ndft_arrays meanwhile = {};
    ndft_nufft_part *memory = nullptr;
    meanwhile.exec = arrays->exec;
    const ndft_status status =
        make(arrays, &meanwhile, cut, samples->count / most + samples->n_tiles, &memory, count);
    *parts = memory;
    return ndft_release_meanwhile(&meanwhile, status);
}
