/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace
{

/* Tiles and how they are cut: parts are numbered tile by tile, and sorted by their lengths. */
struct cutting {
    const int32_t *begin; /* [n_tiles + 1] */
    int64_t n_tiles;
    int most;
    bool dealt;

    /* Parts of tile t, for whoever sums them; one more has none. */
    __host__ __device__ int32_t operator()(int64_t t) const
    {
        if (t >= n_tiles) return 0;
        return (int32_t)(((int64_t)begin[t + 1] - begin[t] + most - 1) / most);
    }
    __device__ ndft_nufft_part part(int32_t t, int32_t i) const
    {
        const int32_t at = begin[t], end = begin[t + 1], parts = (*this)(t);
        const int64_t size = end - at;
        if (dealt) return {t, at + i, end, parts};
        return {t, at + (int32_t)(size * i / parts), at + (int32_t)(size * (i + 1) / parts), 1};
    }
};

/* start[t]: the number of tile t's first part. */
__device__ ndft_nufft_part numbered(const cutting &cut, const int32_t *start, int32_t number)
{
    int32_t low = 0, high = (int32_t)cut.n_tiles - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (start[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return cut.part(low, number - start[low]);
}

/* Keys that sort by length, the longest first. */
__global__ void key_parts(cutting cut, const int32_t *start, int32_t count, ndft_keyed keyed)
{
    const int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const ndft_nufft_part part = numbered(cut, start, i);
    keyed.key[0][i] = cut.most - (part.end - part.begin) / part.step;
    keyed.number[0][i] = i;
}

__global__ void put_parts(cutting cut, const int32_t *start, int32_t count, const int32_t *number,
                          ndft_nufft_part *part)
{
    const int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) part[i] = numbered(cut, start, number[i]);
}

/* What is needed only meanwhile. */
struct scratch {
    int32_t *start;
    ndft_keyed keyed;
    char *storage;
    size_t scan_bytes, sort_bytes;
};

void lay(ndft_shelf *shelf, int64_t n_tiles, int64_t bound, scratch *s)
{
    s->start = shelf->take<int32_t>(n_tiles + 1);
    for (int i = 0; i < 2; i++) {
        s->keyed.key[i] = shelf->take<uint64_t>(bound);
        s->keyed.number[i] = shelf->take<int32_t>(bound);
    }
    s->storage =
        shelf->take<char>((int64_t)(s->scan_bytes > s->sort_bytes ? s->scan_bytes : s->sort_bytes));
}

/* storage NULL: only finds its bytes. */
ndft_status scan(const ndft_exec *exec, const cutting &cut, scratch *s)
{
    const auto parts =
        thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0), cut);
    return ndft_checked(exec,
                        cub::DeviceScan::ExclusiveSum(s->storage, s->scan_bytes, parts, s->start,
                                                      cut.n_tiles + 1, ndft_stream(exec)),
                        "parts of tiles");
}

/* `bound`: as many as there can be of so many samples. */
ndft_status make(ndft_arrays *arrays, ndft_arrays *meanwhile, const cutting &cut, int64_t bound,
                 ndft_nufft_part **parts, int *count)
{
    const ndft_exec *exec = arrays->exec;
    const uint64_t keys_end = (uint64_t)cut.most + 1;
    scratch s = {};
    ndft_shelf shelf = {};
    NDFT_TRY(scan(exec, cut, &s));
    NDFT_TRY(ndft_sort_keyed(exec, nullptr, &s.sort_bytes, &s.keyed, bound, keys_end));
    lay(&shelf, cut.n_tiles, bound, &s);
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles", bound, parts));
    NDFT_TRY(ndft_reserve(meanwhile, "sorting parts", (int64_t)shelf.used, &shelf.memory));
    shelf.used = 0;
    lay(&shelf, cut.n_tiles, bound, &s);
    NDFT_TRY(scan(exec, cut, &s));
    NDFT_TRY(ndft_fetch(exec, s.start + cut.n_tiles, count, "parts of tiles"));
    const unsigned blocks = ndft_blocks(*count, 128);
    key_parts<<<blocks, 128, 0, ndft_stream(exec)>>>(cut, s.start, *count, s.keyed);
    NDFT_TRY(ndft_sort_keyed(exec, s.storage, &s.sort_bytes, &s.keyed, *count, keys_end));
    put_parts<<<blocks, 128, 0, ndft_stream(exec)>>>(cut, s.start, *count, s.keyed.number[1],
                                                     *parts);
    return ndft_launched(exec, "parts of tiles");
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
