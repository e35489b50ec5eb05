/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

namespace
{

/* What places samples and numbers cells: per axis the problem's k, voxels and cells. */
struct axes {
    const void *k[3];
    int64_t voxels[3];
    int32_t cells[3], tile[3], tiles[3];
    int dim, width;
    bool f64;
};

__device__ ndft_grid_position place(const axes &a, int d, int64_t j)
{
    const double k = a.f64 ? ((const double *)a.k[d])[j] : (double)((const float *)a.k[d])[j];
    return ndft_grid_place(k, a.voxels[d], a.cells[d], a.width);
}

/* Keys that sort by tile, then by cell inside it. */
__global__ void number(axes a, int64_t count, uint64_t *key, int32_t *sample)
{
    const int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (j >= count) return;
    uint64_t tile = 0, inside = 0, volume = 1;
    for (int d = a.dim - 1; d >= 0; d--) {
        const int32_t first = place(a, d, j).first;
        tile = tile * a.tiles[d] + first / a.tile[d];
        inside = inside * a.tile[d] + first % a.tile[d];
        volume *= a.tile[d];
    }
    key[j] = tile * volume + inside;
    sample[j] = (int32_t)j;
}

template <class R> struct placed {
    int32_t *first[3];
    R *s[3];
};

template <class R>
__global__ void put_places(axes a, int64_t count, const int32_t *sample, placed<R> out)
{
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (int d = 0; d < a.dim; d++) {
        const ndft_grid_position at = place(a, d, sample[i]);
        out.first[d][i] = at.first;
        out.s[d][i] = (R)at.s;
    }
}

/* begin[t]: how many keys are below tile t's. */
__global__ void put_begins(const uint64_t *key, int64_t count, uint64_t volume, int64_t n_tiles,
                           int32_t *begin)
{
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (t > n_tiles) return;
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (key[middle] < t * volume)
            low = middle + 1;
        else
            high = middle;
    }
    begin[t] = (int32_t)low;
}

/* Keys and sample numbers before and after sorting. */
struct sorting {
    uint64_t *key[2];
    int32_t *sample[2];
};

ndft_status sort(ndft_arrays *scratch, const sorting &keys, int64_t count, uint64_t keys_end)
{
    int bits = 1;
    while (bits < 64 && keys_end >> bits) bits++;
    size_t bytes = 0;
    const cudaStream_t stream = ndft_stream(scratch->exec);
    cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.key[0], keys.key[1], keys.sample[0],
                                    keys.sample[1], count, 0, bits, stream);
    char *memory = nullptr;
    NDFT_TRY(ndft_reserve(scratch, "sorting samples", (int64_t)bytes, &memory));
    cub::DeviceRadixSort::SortPairs(memory, bytes, keys.key[0], keys.key[1], keys.sample[0],
                                    keys.sample[1], count, 0, bits, stream);
    return ndft_launched(scratch->exec, "sorting samples");
}

template <class R>
ndft_status put_samples(ndft_arrays *arrays, const axes &a, const int32_t *sample,
                        ndft_nufft_samples *samples)
{
    placed<R> out = {};
    for (int d = 0; d < a.dim; d++) {
        NDFT_TRY(ndft_reserve(arrays, "cells of samples", samples->count, &out.first[d]));
        NDFT_TRY(ndft_reserve(arrays, "places of samples", samples->count, &out.s[d]));
        samples->first[d] = out.first[d];
        samples->s[d] = out.s[d];
    }
    put_places<<<ndft_blocks(samples->count, 256), 256, 0, ndft_stream(arrays->exec)>>>(
        a, samples->count, sample, out);
    return ndft_launched(arrays->exec, "placing samples");
}

ndft_status sort_with(ndft_arrays *arrays, ndft_arrays *scratch, const ndft_problem *p, axes a,
                      ndft_nufft_samples *samples)
{
    ndft_exec *exec = arrays->exec;
    const int64_t m = p->n_samples;
    sorting keys = {};
    int32_t *begin = nullptr;
    for (int d = 0; d < p->dim; d++) {
        char *k = nullptr;
        NDFT_TRY(ndft_reserve(scratch, "trajectory", m * (int64_t)ndft_real_size(p->prec), &k));
        NDFT_TRY(exec->upload(exec, k, p->k[d], (size_t)m * ndft_real_size(p->prec)));
        a.k[d] = k;
    }
    for (int i = 0; i < 2; i++) NDFT_TRY(ndft_reserve(scratch, "keys", m, &keys.key[i]));
    NDFT_TRY(ndft_reserve(scratch, "sample numbers", m, &keys.sample[0]));
    NDFT_TRY(ndft_reserve(arrays, "sample numbers", m, &keys.sample[1]));
    NDFT_TRY(ndft_reserve(arrays, "tiles", samples->n_tiles + 1, &begin));

    number<<<ndft_blocks(m, 256), 256, 0, ndft_stream(exec)>>>(a, m, keys.key[0], keys.sample[0]);
    const uint64_t volume = (uint64_t)a.tile[0] * a.tile[1] * a.tile[2];
    NDFT_TRY(sort(scratch, keys, m, samples->n_tiles * volume));
    put_begins<<<ndft_blocks(samples->n_tiles + 1, 256), 256, 0, ndft_stream(exec)>>>(
        keys.key[1], m, volume, samples->n_tiles, begin);
    samples->number = keys.sample[1];
    samples->begin = begin;
    NDFT_TRY(p->prec == NDFT_F32 ? put_samples<float>(arrays, a, keys.sample[1], samples)
                                 : put_samples<double>(arrays, a, keys.sample[1], samples));
    const cudaError_t error = cudaStreamSynchronize(ndft_stream(exec));
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "sorting samples: %s", cudaGetErrorString(error));
}

} // namespace

ndft_status ndft_nufft_sort(ndft_arrays *arrays, const ndft_problem *p,
                            const ndft_nufft_shape *shape, const int tile[3],
                            ndft_nufft_samples *samples)
{
    axes a = {};
    a.dim = p->dim;
    a.width = shape->window.width;
    a.f64 = p->prec == NDFT_F64;
    *samples = {};
    samples->count = p->n_samples;
    samples->n_tiles = 1;
    for (int d = 0; d < 3; d++) {
        const int cells = (int)shape->grid[d], edge = std::min(tile[d], cells);
        a.voxels[d] = p->n[d];
        a.cells[d] = cells;
        a.tile[d] = samples->tile[d] = d < p->dim ? edge : 1;
        a.tiles[d] = samples->tiles[d] = d < p->dim ? (cells + edge - 1) / edge : 1;
        samples->n_tiles *= samples->tiles[d];
    }
    ndft_arrays scratch = {};
    scratch.exec = arrays->exec;
    const ndft_status status = sort_with(arrays, &scratch, p, a, samples);
    ndft_arrays_release(&scratch);
    return status;
}

ndft_status ndft_nufft_parts(ndft_arrays *arrays, const ndft_nufft_samples *samples, int most,
                             const ndft_nufft_part **parts, int *count, bool dealt)
{
    ndft_exec *exec = arrays->exec;
    std::vector<int32_t> begin((size_t)samples->n_tiles + 1);
    const cudaError_t error = cudaMemcpy(begin.data(), samples->begin,
                                         begin.size() * sizeof(int32_t), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        return ndft_fail(exec->error, NDFT_EDEVICE, "reading tiles: %s", cudaGetErrorString(error));
    std::vector<ndft_nufft_part> list;
    for (int32_t t = 0; t < samples->n_tiles; t++) {
        const int64_t size = begin[t + 1] - begin[t];
        const int32_t pieces = (int32_t)((size + most - 1) / most);
        for (int32_t i = 0; i < pieces; i++)
            if (dealt)
                list.push_back({t, begin[t] + i, begin[t + 1], pieces});
            else
                list.push_back({t, begin[t] + (int32_t)(size * i / pieces),
                                begin[t] + (int32_t)(size * (i + 1) / pieces), 1});
    }
    std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
        return (a.end - a.begin) / a.step > (b.end - b.begin) / b.step;
    });
    *count = (int)list.size();
    return ndft_place(arrays, "parts of tiles", *count, parts, [&](int64_t i) { return list[i]; });
}
