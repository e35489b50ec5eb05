/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include "base/memo.h"
#include "base/original.h"
#include "sort.cuh"

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
    int32_t box; /* of a tile: samples are in the order of such edges before that of their cells */
    int dim, width;
    bool f64;
};

/* Boxes of a tile along an axis. */
__host__ __device__ int boxes(const axes &a, int d) { return (a.tile[d] + a.box - 1) / a.box; }

/* Keys of a tile. */
uint64_t volume_of(const axes &a)
{
    uint64_t volume = 1;
    for (int d = 0; d < a.dim; d++) volume *= (uint64_t)boxes(a, d) * a.box;
    return volume;
}

__device__ ndft_grid_position place(const axes &a, int d, int64_t j)
{
    const double k = a.f64 ? ((const double *)a.k[d])[j] : (double)((const float *)a.k[d])[j];
    return ndft_grid_place(k, a.voxels[d], a.cells[d], a.width);
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

template <class R> struct order {
    axes a;
    ndft_sort sort;
    uint64_t volume;
    int64_t n_tiles;
    placed<R> out;
    bool narrow; /* keys of many are of 32 bits */
};

/* By tile, then by box inside it, then by cell. */
__device__ uint64_t key_of(const axes &a, uint64_t volume, int64_t j)
{
    uint64_t tile = 0, box = 0, inside = 0, of_box = 1;
    for (int d = a.dim - 1; d >= 0; d--) {
        const int32_t first = place(a, d, j).first;
        tile = tile * a.tiles[d] + first / a.tile[d];
        box = box * boxes(a, d) + first % a.tile[d] / a.box;
        inside = inside * a.box + first % a.tile[d] % a.box;
        of_box *= a.box;
    }
    return tile * volume + box * of_box + inside;
}

/* Where tiles begin, of whose keys so many are below, and places of sorted samples, by all threads.
 */
template <class R, class Below> __device__ void put_places(const order<R> &w, Below below)
{
    const int64_t first = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t t = first; t <= w.n_tiles; t += step) w.out.begin[t] = below(t * w.volume);
    for (int64_t i = first; i < w.sort.count; i += step)
        for (int d = 0; d < w.a.dim; d++) {
            const ndft_grid_position at = place(w.a, d, w.out.number[i]);
            w.out.first[d][i] = at.first;
            w.out.s[d][i] = (R)at.s;
        }
}

template <class R>
__global__ void __launch_bounds__(NDFT_SORT_THREADS, 1)
    put_in_order(const __grid_constant__ order<R> w)
{
    __shared__ ndft_sort_shared shared;
    ndft_sort_together(
        w.sort, [&](int64_t j) { return key_of(w.a, w.volume, j); }, &shared);
    put_places(w, [&](uint64_t key) { return ndft_sort_below(w.sort, &shared, key); });
}

/* The same around a sort of CUB's. */
template <class R> __global__ void number_samples(const __grid_constant__ order<R> w)
{
    const int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (j >= w.sort.count) return;
    const uint64_t key = key_of(w.a, w.volume, j);
    if (w.narrow)
        ((uint32_t *)w.sort.key[0])[j] = (uint32_t)key;
    else
        w.sort.key[0][j] = key;
    w.sort.number[0][j] = (int32_t)j;
}

template <class Key> __device__ int32_t below(const Key *key, int64_t count, uint64_t bound)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (key[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

template <class R> __global__ void put_sorted(const __grid_constant__ order<R> w)
{
    const uint64_t *key = w.sort.key[w.sort.last()];
    put_places(w, [&](uint64_t bound) {
        return w.narrow ? below((const uint32_t *)key, w.sort.count, bound)
                        : below(key, w.sort.count, bound);
    });
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

/* What the caller has on the device is read there. */
bool find_originals(const ndft_exec *exec, const ndft_problem *p, const void *k[3])
{
    bool found = true;
    for (int d = 0; d < p->dim; d++) {
        k[d] = ndft_original_of(exec, p->k[d]);
        found = found && k[d] != p->k[d];
    }
    return found;
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

/* Samples from which CUB's ten launches sort them again: for 262144 they take as long as the one
 * kernel, for two millions half as long. */
enum { MANY = 1 << 18 };

struct scratch {
    bool many;
    int key_bits;
    char *storage; /* CUB's, or counts of the one kernel's */
    size_t storage_bytes;
};

/* storage NULL: only finds its bytes. */
template <class Key> ndft_status sort_by(const ndft_exec *exec, const ndft_sort &sort, scratch *s)
{
    return ndft_checked(
        exec,
        cub::DeviceRadixSort::SortPairs(s->storage, s->storage_bytes, (const Key *)sort.key[0],
                                        (Key *)sort.key[1], sort.number[0], sort.number[1],
                                        sort.count, 0, s->key_bits, ndft_stream(exec)),
        "sorting samples");
}

ndft_status sort_many(const ndft_exec *exec, const ndft_sort &sort, bool narrow, scratch *s)
{
    return narrow ? sort_by<uint32_t>(exec, sort, s) : sort_by<uint64_t>(exec, sort, s);
}

template <class R> ndft_status choose(const ndft_exec *exec, order<R> *w, scratch *s)
{
    ndft_sort *sort = &w->sort;
    *s = {sort->count >= MANY, std::min(64, sort->passes * sort->bits), nullptr, 0};
    if (!s->many) return NDFT_OK;
    w->narrow = s->key_bits <= 32;
    sort->passes = 1; /* from the first arrays to the others */
    return sort_many(exec, *sort, w->narrow, s);
}

/* What is needed only meanwhile: all but the sorted numbers, which stay. More samples take no less,
 * whoever sorts them. */
void lay(ndft_shelf *shelf, const ndft_exec *exec, int passes, ndft_sort *sort, scratch *s)
{
    const int64_t most = std::min<int64_t>(sort->count, MANY);
    const int64_t counts = ndft_sort_counts(passes, sort->bits, ndft_sort_blocks(exec, most));
    for (uint64_t *&key : sort->key) key = shelf->take<uint64_t>(sort->count);
    sort->number[1 - sort->last()] = shelf->take<int32_t>(sort->count);
    s->storage =
        shelf->take<char>(std::max(counts * (int64_t)sizeof(int32_t), (int64_t)s->storage_bytes));
    sort->of_block = (int32_t *)s->storage;
}

template <class R> ndft_status run(const ndft_exec *exec, const order<R> &w, scratch *s)
{
    const unsigned blocks = ndft_blocks(w.sort.count, NDFT_SORT_THREADS);
    if (!s->many)
        return ndft_launch_together(exec, put_in_order<R>, ndft_sort_blocks(exec, w.sort.count),
                                    NDFT_SORT_THREADS, w, "sorting samples");
    number_samples<<<blocks, NDFT_SORT_THREADS, 0, ndft_stream(exec)>>>(w);
    NDFT_TRY(sort_many(exec, w.sort, w.narrow, s));
    put_sorted<<<blocks, NDFT_SORT_THREADS, 0, ndft_stream(exec)>>>(w);
    return ndft_launched(exec, "sorting samples");
}

template <class R> void say(const placed<R> &out, ndft_nufft_samples *samples)
{
    samples->number = out.number;
    samples->begin = out.begin;
    for (int d = 0; d < 3; d++) {
        samples->first[d] = out.first[d];
        samples->s[d] = out.s[d];
    }
}

/* All that stays in one allocation, all that does not in another: each costs what a kernel does. */
template <class R>
ndft_status sort_with(ndft_arrays *arrays, ndft_arrays *meanwhile, const axes &a,
                      ndft_nufft_samples *samples)
{
    ndft_exec *exec = arrays->exec;
    order<R> w = {a};
    ndft_shelf kept = {}, left = {};
    w.volume = volume_of(a);
    w.n_tiles = samples->n_tiles;
    ndft_sort_plan(samples->count, (uint64_t)w.n_tiles * w.volume, &w.sort);
    const int passes = w.sort.passes;
    scratch by;
    NDFT_TRY(choose(exec, &w, &by));
    lay<R>(&kept, a.dim, samples);
    lay(&left, exec, passes, &w.sort, &by);
    NDFT_TRY(ndft_reserve(arrays, "places of samples", (int64_t)kept.used, &kept.memory));
    NDFT_TRY(ndft_reserve(meanwhile, "sorting samples", (int64_t)left.used, &left.memory));
    kept.used = left.used = 0;
    w.out = lay<R>(&kept, a.dim, samples);
    lay(&left, exec, passes, &w.sort, &by);
    w.sort.number[w.sort.last()] = w.out.number;
    say(w.out, samples);
    return run(exec, w, &by);
}

} // namespace

ndft_status ndft_nufft_sort(ndft_arrays *arrays, const ndft_problem *p,
                            const ndft_nufft_shape *shape, const int tile[3], int box,
                            ndft_nufft_samples *samples)
{
    axes a = {};
    a.dim = p->dim;
    a.box = box;
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
    if (!find_originals(arrays->exec, p, a.k)) {
        NDFT_TRY(take_copied(arrays->exec, p, &k));
        memcpy(a.k, k->k, sizeof a.k);
    }
    ndft_arrays meanwhile = {};
    meanwhile.exec = arrays->exec;
    ndft_status status = p->prec == NDFT_F32 ? sort_with<float>(arrays, &meanwhile, a, samples)
                                             : sort_with<double>(arrays, &meanwhile, a, samples);
    status = ndft_release_meanwhile(&meanwhile, status);
    if (k) ndft_let_go(arrays->exec, &k->retained);
    return status;
}
