/* SPDX-License-Identifier: Apache-2.0 */
#include "device/backend.h"
#include "nufft/order/samples.cuh"
#include "nufft/order/sort.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

/*
 * Samples in order: numbers that a kernel sorts by keys are as std::stable_sort has them, and tiles
 * in parts are whole, the longest parts first. Exit status 0: they are, 1: they are not, 77: there
 * is no device.
 */

namespace
{

int failed;

void expect(bool is, const char *what, long long a, long long b)
{
    if (is) return;
    printf("failed: %s (%lld, %lld)\n", what, a, b);
    failed++;
}

/* Splitmix64. */
uint64_t drawn(uint64_t i)
{
    i += 0x9e3779b97f4a7c15;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9;
    i = (i ^ (i >> 27)) * 0x94d049bb133111eb;
    return i ^ (i >> 31);
}

enum { BOUNDS = 1000 };

struct sorting {
    ndft_sort sort;
    const uint64_t *keys;
    uint64_t keys_end;
    int32_t *below; /* [BOUNDS + 1]: keys below so many thousandths of their end */

    __host__ __device__ uint64_t bound(int i) const { return keys_end / BOUNDS * i + i % 3; }
};

__global__ void __launch_bounds__(NDFT_SORT_THREADS, 1) sort_keys(const __grid_constant__ sorting w)
{
    __shared__ ndft_sort_shared shared;
    ndft_sort_together(
        w.sort, [&](int64_t i) { return w.keys[i]; }, &shared);
    if (blockIdx.x + 1 < gridDim.x) return;
    for (int i = threadIdx.x; i <= BOUNDS; i += NDFT_SORT_THREADS)
        w.below[i] = ndft_sort_below(w.sort, &shared, w.bound(i));
}

template <class T> T *managed(int64_t count)
{
    T *memory = nullptr;
    if (cudaMallocManaged(&memory, (size_t)count * sizeof(T)) == cudaSuccess) return memory;
    printf("no memory\n");
    exit(1);
}

/* few: keys that most numbers share. blocks: as many as are asked for; 0: as a plan does. */
void sorted(const ndft_exec *exec, int64_t count, uint64_t keys_end, bool few, unsigned blocks = 0)
{
    sorting w = {};
    ndft_sort &s = w.sort;
    ndft_sort_plan(count, keys_end, &s);
    if (!blocks) blocks = ndft_sort_blocks(exec, count);
    auto *keys = managed<uint64_t>(count);
    std::vector<int32_t> wanted((size_t)count);
    for (int64_t i = 0; i < count; i++)
        keys[i] = few && i % 16 ? keys_end - 1 : drawn((uint64_t)i + keys_end) % keys_end;
    for (int i = 0; i < 2; i++) {
        s.key[i] = managed<uint64_t>(count);
        s.number[i] = managed<int32_t>(count);
    }
    s.of_block = managed<int32_t>(ndft_sort_counts(s.passes, s.bits, blocks));
    w.below = managed<int32_t>(BOUNDS + 1);
    w.keys = keys;
    w.keys_end = keys_end;
    const ndft_status status =
        ndft_launch_together(exec, sort_keys, blocks, NDFT_SORT_THREADS, w, "sorting");
    expect(status == NDFT_OK && cudaDeviceSynchronize() == cudaSuccess, "sorting", count, status);
    std::iota(wanted.begin(), wanted.end(), 0);
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });
    expect(cudaPeekAtLastError() == cudaSuccess, "an error stays", count, blocks);
    const bool same = std::equal(wanted.begin(), wanted.end(), s.number[s.last()]);
    expect(same, "numbers sorted by keys", count, (long long)keys_end);
    for (int i = 0; i <= BOUNDS; i++) {
        const auto at = std::partition_point(wanted.begin(), wanted.end(),
                                             [&](int32_t j) { return keys[j] < w.bound(i); });
        expect(w.below[i] == at - wanted.begin(), "keys below", i, w.below[i]);
    }
    void *all[] = {keys, s.key[0], s.key[1], s.number[0], s.number[1], s.of_block, w.below};
    for (void *memory : all) (void)cudaFree(memory);
}

void cut(ndft_exec *exec, int64_t n_tiles, int most, bool dealt)
{
    ndft_nufft_samples samples = {};
    auto *begin = managed<int32_t>(n_tiles + 1);
    begin[0] = 0;
    for (int64_t t = 0; t < n_tiles; t++) {
        const uint64_t chance = drawn((uint64_t)(t + most));
        const uint64_t full = chance % 61 == 0 ? 60 * (uint64_t)most : 2 * (uint64_t)most;
        begin[t + 1] = begin[t] + (chance % 3 ? (int32_t)(chance / 64 % full) : 0);
    }
    samples.begin = begin;
    samples.n_tiles = n_tiles;
    samples.count = begin[n_tiles];
    ndft_arrays arrays = {exec};
    const ndft_nufft_part *device = nullptr;
    int count = 0;
    expect(ndft_nufft_parts(&arrays, &samples, most, &device, &count, dealt) == NDFT_OK, "parts",
           n_tiles, most);
    std::vector<ndft_nufft_part> parts((size_t)count);
    const cudaError_t error =
        cudaMemcpy(parts.data(), device, parts.size() * sizeof parts[0], cudaMemcpyDefault);
    expect(error == cudaSuccess, "a copy of parts", n_tiles, most);
    std::vector<int> met((size_t)samples.count, 0);
    int before = most;
    for (const ndft_nufft_part &part : parts) {
        const int length = (part.end - part.begin + part.step - 1) / part.step;
        expect(length > 0 && length <= before, "the longest first", length, before);
        before = length;
        for (int i = part.begin; i < part.end; i += part.step) {
            expect(i >= begin[part.tile] && i < begin[part.tile + 1], "of its tile", i, part.tile);
            met[(size_t)i]++;
        }
    }
    expect(std::all_of(met.begin(), met.end(), [](int n) { return n == 1; }), "each sample once",
           n_tiles, most);
    ndft_arrays_release(&arrays);
    (void)cudaFree(begin);
}

template <class T> std::vector<T> fetched(const T *device, int64_t count)
{
    std::vector<T> host((size_t)count);
    const cudaError_t error =
        cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDefault);
    expect(error == cudaSuccess, "a copy", count, error);
    return host;
}

/* A plan's samples: each once, in its tile, where it says. */
void ordered(ndft_exec *exec, int64_t count)
{
    enum { N = 64, CELLS = 96, WIDTH = 6, TILE = 16 };
    std::vector<float> k[2];
    for (int d = 0; d < 2; d++)
        for (int64_t j = 0; j < count; j++)
            k[d].push_back((float)(drawn((uint64_t)(2 * j + d)) % 6400) / 100.0F - 32);
    ndft_problem p = {};
    ndft_nufft_shape shape = {};
    p.dim = shape.dim = 2;
    p.prec = NDFT_F32;
    p.n_samples = count;
    shape.window.width = WIDTH;
    for (int d = 0; d < 3; d++) {
        p.n[d] = d < 2 ? N : 1;
        shape.grid[d] = d < 2 ? CELLS : 1;
        if (d < 2) p.k[d] = k[d].data();
    }
    const int tile[3] = {TILE, TILE, 1};
    ndft_arrays arrays = {exec};
    ndft_nufft_samples samples = {};
    expect(ndft_nufft_sort(&arrays, &p, &shape, tile, 1, &samples) == NDFT_OK &&
               cudaDeviceSynchronize() == cudaSuccess,
           "samples in order", count, 0);
    const auto number = fetched(samples.number, count);
    const auto begin = fetched(samples.begin, samples.n_tiles + 1);
    std::vector<int> met((size_t)count, 0);
    expect(begin[0] == 0 && begin[(size_t)samples.n_tiles] == count, "tiles' ends", begin[0],
           count);
    for (int d = 0; d < 2; d++) {
        const auto first = fetched(samples.first[d], count);
        for (int64_t t = 0; t < samples.n_tiles; t++)
            for (int64_t i = begin[(size_t)t]; i < begin[(size_t)t + 1]; i++) {
                const int32_t j = number[(size_t)i];
                const double u = k[d][(size_t)j] * (CELLS / (double)N); /* exact */
                const int32_t cell = ((int32_t)std::ceil(u - WIDTH / 2) + CELLS) % CELLS;
                const int64_t at = d ? t / samples.tiles[0] : t % samples.tiles[0];
                expect(first[(size_t)i] == cell && cell / TILE == at, "its cell", j, cell);
                if (d == 0) met[(size_t)j]++;
            }
    }
    expect(std::all_of(met.begin(), met.end(), [](int n) { return n == 1; }), "each of them once",
           count, 0);
    ndft_arrays_release(&arrays);
}

} // namespace

int main()
{
    const ndft_backend *cuda = ndft_backend_find("cuda");
    ndft_exec *exec = nullptr;
    ndft_error err = {};
    if (!cuda || cuda->missing() || cuda->open(0, &exec, &err) != NDFT_OK) {
        printf("skipped: no CUDA device\n");
        return 77;
    }
    for (int64_t count : {1, 31, 1000, 65536, 300007, 2000003})
        for (uint64_t end : {1ull, 2ull, 1000ull, 1ull << 18, 1ull << 23, (1ull << 33) + 5})
            for (bool few : {false, true}) sorted(exec, count, end, few);
    sorted(exec, 65536, 2, false, 8192); /* more blocks than run at once */
    for (int64_t n_tiles : {1, 33, 1000, 100003})
        for (int most : {1, 64, 128, 1024})
            for (bool dealt : {false, true})
                if (n_tiles * most < 20000000) cut(exec, n_tiles, most, dealt);
    for (int64_t count : {5000, 300000}) ordered(exec, count); /* by one kernel, and by several */
    cuda->close(exec);
    printf("%d failed\n", failed);
    return failed ? 1 : 0;
}
