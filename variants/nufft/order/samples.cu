/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include "base/memo.h"

#include <algorithm>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>

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
    int32_t *number, *begin, *first[3];
    R *s[3];
};

template <class R> placed<R> lay(ndft_shelf *shelf, int dim, const ndft_nufft_samples *samples)
{
    placed<R> out = {};
    out.number = shelf->take<int32_t>(samples->count);
    out.begin = shelf->take<int32_t>(samples->n_tiles + 1);
    for (int d = 0; d < dim; d++) {
        out.first[d] = shelf->take<int32_t>(samples->count);
        out.s[d] = shelf->take<R>(samples->count);
    }
    return out;
}

/* How many keys are below tile t's. */
__device__ int32_t begin_of(const uint64_t *key, int64_t count, uint64_t volume, int64_t t)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (key[middle] < t * volume)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

enum { THREADS = 256 };

/* Blocks from `sample_blocks` on have tiles, and one that is behind the last. */
template <class R>
__global__ void put_order(axes a, const uint64_t *key, int64_t count, uint64_t volume,
                          int64_t n_tiles, unsigned sample_blocks, placed<R> out)
{
    if (blockIdx.x >= sample_blocks) {
        const int64_t t = (blockIdx.x - sample_blocks) * (int64_t)THREADS + threadIdx.x;
        if (t <= n_tiles) out.begin[t] = begin_of(key, count, volume, t);
        return;
    }
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i >= count) return;
    for (int d = 0; d < a.dim; d++) {
        const ndft_grid_position at = place(a, d, out.number[i]);
        out.first[d][i] = at.first;
        out.s[d][i] = (R)at.s;
    }
}

/* A problem's k on the device: engines that are prepared in a row read one copy. */
struct copied {
    ndft_retained retained; /* first */
    uint64_t number;
    const void *of[3];
    int64_t count;
    ndft_arrays arrays;
    const void *k[3];
};

ndft_status copy(copied *c, const ndft_problem *p)
{
    const size_t bytes = (size_t)p->n_samples * ndft_real_size(p->prec);
    for (int d = 0; d < p->dim; d++) {
        char *memory = nullptr;
        NDFT_TRY(ndft_reserve(&c->arrays, "positions of samples", (int64_t)bytes, &memory));
        NDFT_TRY(ndft_queue_upload(c->arrays.exec, memory, p->k[d], bytes));
        c->k[d] = memory;
    }
    return NDFT_OK;
}

ndft_status take_copied(ndft_exec *exec, const ndft_problem *p, copied **out)
{
    const uint64_t number = ndft_memo_number(p->memo);
    return ndft_take_retained<copied>(
        exec, out,
        [&](const copied &c) {
            return number && c.number == number && c.count == p->n_samples &&
                   !memcmp(c.of, p->k, sizeof c.of);
        },
        [&](copied *c) {
            c->number = number;
            c->count = p->n_samples;
            memcpy(c->of, p->k, sizeof c->of);
            return copy(c, p);
        });
}

/* What is needed only meanwhile. */
struct scratch {
    ndft_keyed keyed; /* but the sorted numbers, which stay */
    char *sorting;
    size_t sorting_bytes;
};

void lay(ndft_shelf *shelf, const ndft_problem *p, scratch *s)
{
    const int64_t m = p->n_samples;
    for (uint64_t *&key : s->keyed.key) key = shelf->take<uint64_t>(m);
    s->keyed.number[0] = shelf->take<int32_t>(m);
    s->sorting = shelf->take<char>((int64_t)s->sorting_bytes);
}

template <class R>
ndft_status place_and_sort(ndft_exec *exec, const axes &a, scratch *w, const placed<R> &out,
                           ndft_nufft_samples *samples)
{
    const cudaStream_t stream = ndft_stream(exec);
    const int64_t m = samples->count, volume = (int64_t)a.tile[0] * a.tile[1] * a.tile[2];
    const unsigned blocks = ndft_blocks(m, THREADS);
    number<<<blocks, THREADS, 0, stream>>>(a, m, w->keyed.key[0], w->keyed.number[0]);
    w->keyed.number[1] = out.number;
    NDFT_TRY(ndft_sort_keyed(exec, w->sorting, &w->sorting_bytes, &w->keyed, m,
                             samples->n_tiles * volume));
    put_order<<<blocks + ndft_blocks(samples->n_tiles + 1, THREADS), THREADS, 0, stream>>>(
        a, w->keyed.key[1], m, volume, samples->n_tiles, blocks, out);
    samples->number = out.number;
    samples->begin = out.begin;
    for (int d = 0; d < a.dim; d++) {
        samples->first[d] = out.first[d];
        samples->s[d] = out.s[d];
    }
    return ndft_launched(exec, "sorting samples");
}

/* All that stays in one allocation, all that does not in another: each costs what a kernel does. */
template <class R>
ndft_status sort_with(ndft_arrays *arrays, ndft_arrays *meanwhile, const ndft_problem *p,
                      const axes &a, ndft_nufft_samples *samples)
{
    ndft_exec *exec = arrays->exec;
    const uint64_t volume = (uint64_t)a.tile[0] * a.tile[1] * a.tile[2];
    scratch w = {};
    ndft_shelf kept = {}, left = {};
    NDFT_TRY(ndft_sort_keyed(exec, nullptr, &w.sorting_bytes, &w.keyed, p->n_samples,
                             samples->n_tiles * volume));
    lay<R>(&kept, p->dim, samples);
    lay(&left, p, &w);
    NDFT_TRY(ndft_reserve(arrays, "places of samples", (int64_t)kept.used, &kept.memory));
    NDFT_TRY(ndft_reserve(meanwhile, "sorting samples", (int64_t)left.used, &left.memory));
    kept.used = left.used = 0;
    const placed<R> out = lay<R>(&kept, p->dim, samples);
    lay(&left, p, &w);
    return place_and_sort(exec, a, &w, out, samples);
}

} // namespace

ndft_status ndft_sort_keyed(const ndft_exec *exec, void *storage, size_t *bytes,
                            const ndft_keyed *keyed, int64_t count, uint64_t keys_end)
{
    int bits = 1;
    while (bits < 64 && keys_end >> bits) bits++;
    return ndft_checked(exec,
                        cub::DeviceRadixSort::SortPairs(
                            storage, *bytes, keyed->key[0], keyed->key[1], keyed->number[0],
                            keyed->number[1], count, 0, bits, ndft_stream(exec)),
                        "sorting samples");
}

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
    copied *k = nullptr;
    NDFT_TRY(take_copied(arrays->exec, p, &k));
    memcpy(a.k, k->k, sizeof a.k);
    ndft_arrays meanwhile = {};
    meanwhile.exec = arrays->exec;
    ndft_status status = p->prec == NDFT_F32 ? sort_with<float>(arrays, &meanwhile, p, a, samples)
                                             : sort_with<double>(arrays, &meanwhile, p, a, samples);
    status = ndft_release_meanwhile(&meanwhile, status);
    ndft_let_go(arrays->exec, &k->retained);
    return status;
}
