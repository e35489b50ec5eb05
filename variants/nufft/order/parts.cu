/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

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

/* Thread = tile. of[n]: parts of n samples. */
__global__ void count_parts(cutting cut, int32_t *of)
{
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (t >= cut.n_tiles) return;
    const lengths l(cut, t);
    if (l.parts == 0) return;
    atomicAdd(&of[l.shorter], l.parts - l.longer);
    if (l.longer) atomicAdd(&of[l.shorter + 1], l.longer);
}

/* From parts of so many samples to how many are longer; at [0] all of them. */
__global__ void add_longer(int32_t *of, int most)
{
    __shared__ int32_t sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int32_t above = 0;
    for (int end = most; end >= 0; end -= blockDim.x) {
        const int n = end - (int)threadIdx.x;
        const int32_t own = n >= 0 ? of[n] : 0;
        int32_t sum = own;
        for (int step = 1; step < 32; step *= 2) {
            const int32_t other = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += other;
        }
        if (lane == 31) sums[warp] = sum;
        __syncthreads();
        int32_t all = 0;
        for (unsigned w = 0; w < blockDim.x / 32; w++) {
            if ((int)w == warp) sum += all;
            all += sums[w];
        }
        if (n >= 0) of[n] = above + sum - own;
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

/* Thread = tile. from[n]: where the next part of n samples goes. */
__global__ void put_parts(cutting cut, int32_t *from, ndft_nufft_part *part)
{
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    places own = {};
    if (t < cut.n_tiles) {
        const lengths l(cut, t);
        own = {(int32_t)t, l.parts, l.shorter, 0, 0};
        if (l.parts) own.to_shorter = atomicAdd(&from[l.shorter], l.parts - l.longer);
        if (l.longer) own.to_longer = atomicAdd(&from[l.shorter + 1], l.longer);
    }
    if (own.parts <= ALONE) put(cut, own, 0, 1, part);
    for (unsigned many = __ballot_sync(~0u, own.parts > ALONE); many; many &= many - 1) {
        const int lane = __ffs((int)many) - 1;
        const places p = {__shfl_sync(~0u, own.tile, lane), __shfl_sync(~0u, own.parts, lane),
                          __shfl_sync(~0u, own.shorter, lane),
                          __shfl_sync(~0u, own.to_shorter, lane),
                          __shfl_sync(~0u, own.to_longer, lane)};
        put(cut, p, (int)threadIdx.x % 32, 32, part);
    }
}

/* `bound`: as many as there can be of so many samples. No part is empty, so that [0] of the counts
 * stays how many there are. */
ndft_status make(ndft_arrays *arrays, ndft_arrays *meanwhile, const cutting &cut, int64_t bound,
                 ndft_nufft_part **parts, int *count)
{
    const ndft_exec *exec = arrays->exec;
    const cudaStream_t stream = ndft_stream(exec);
    const unsigned blocks = ndft_blocks(cut.n_tiles, 128);
    int32_t *of = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles", bound, parts));
    NDFT_TRY(ndft_reserve_zeros(meanwhile, "numbers of parts", cut.most + 1, &of));
    count_parts<<<blocks, 128, 0, stream>>>(cut, of);
    add_longer<<<1, 256, 0, stream>>>(of, cut.most);
    put_parts<<<blocks, 128, 0, stream>>>(cut, of, *parts);
    NDFT_TRY(ndft_launched(exec, "parts of tiles"));
    return ndft_fetch(exec, of, count, "parts of tiles");
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
