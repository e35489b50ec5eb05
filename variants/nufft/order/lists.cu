/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include <algorithm>
#include <vector>

namespace
{

struct reach {
    ndft_nufft_samples samples;
    int n[3], dim, width;
};

/* First cells that are left along an axis, around its edge, cut where tiles end. */
struct span {
    int at, left, tile, n;

    __device__ int length() const
    {
        const int end = min((at / tile + 1) * tile, n) - at;
        return min(left, end);
    }
    __device__ bool whole() const { return length() == min(tile, n - at) && at % tile == 0; }
    __device__ void next()
    {
        const int step = length();
        left -= step;
        at += step;
        if (at == n) at = 0;
    }
};

/* The first cells from which a window reaches into tile t of an axis. */
__device__ span reaching(const reach &r, int d, int t)
{
    const int tile = r.samples.tile[d], n = r.n[d], begin = t * tile, end = min(begin + tile, n);
    const int before = d < r.dim ? r.width - 1 : 0;
    return {begin >= before ? begin - before : begin - before + n, min(end - begin + before, n),
            tile, n};
}

/* The first sample of [begin, end), all of one tile, whose cell inside it is not below `key`. */
__device__ int lower(const ndft_nufft_samples &s, int dim, int begin, int end, int key)
{
    while (begin < end) {
        const int middle = (begin + end) / 2;
        int inside = 0;
        for (int d = dim - 1; d >= 0; d--)
            inside = inside * s.tile[d] + s.first[d][middle] % s.tile[d];
        if (inside < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Joins samples that follow each other to runs; out NULL: only counts. */
struct writer {
    ndft_nufft_run *out, open;
    int runs, samples;

    __device__ void add(int first, int count)
    {
        if (count == 0) return;
        samples += count;
        if (open.count && open.first + open.count == first) {
            open.count += count;
            return;
        }
        close();
        open = {first, count};
    }
    __device__ void close()
    {
        if (open.count == 0) return;
        if (out) out[runs] = open;
        runs++;
        open.count = 0;
    }
};

/* The samples of one tile of first cells that lie in the spans. */
__device__ void add_rows(const reach &r, const span at[3], int begin, int end, writer *runs)
{
    const ndft_nufft_samples &s = r.samples;
    if (at[0].whole() && at[1].whole() && at[2].whole()) {
        runs->add(begin, end - begin);
        return;
    }
    int from[3];
    for (int d = 0; d < 3; d++) from[d] = at[d].at % s.tile[d];
    for (int z = from[2]; z < from[2] + at[2].length(); z++) {
        for (int y = from[1]; y < from[1] + at[1].length(); y++) {
            const int key = (z * s.tile[1] + y) * s.tile[0] + from[0];
            const int first = lower(s, r.dim, begin, end, key);
            runs->add(first, lower(s, r.dim, first, end, key + at[0].length()) - first);
        }
    }
}

/* Thread = tile. count[t]: its runs and samples. */
__global__ void walk_tiles(const __grid_constant__ reach r, const int32_t *start, int2 *count,
                           ndft_nufft_run *run)
{
    const ndft_nufft_samples &s = r.samples;
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (t >= s.n_tiles) return;
    const int tx = (int)(t % s.tiles[0]), ty = (int)(t / s.tiles[0] % s.tiles[1]);
    const int tz = (int)(t / s.tiles[0] / s.tiles[1]);
    writer runs = {run ? run + start[t] : nullptr, {0, 0}, 0, 0};
    span at[3];
    for (at[2] = reaching(r, 2, tz); at[2].left; at[2].next()) {
        for (at[1] = reaching(r, 1, ty); at[1].left; at[1].next()) {
            for (at[0] = reaching(r, 0, tx); at[0].left; at[0].next()) {
                const int row = at[2].at / s.tile[2] * s.tiles[1] + at[1].at / s.tile[1];
                const int tile = row * s.tiles[0] + at[0].at / s.tile[0];
                if (s.begin[tile] < s.begin[tile + 1])
                    add_rows(r, at, s.begin[tile], s.begin[tile + 1], &runs);
            }
        }
    }
    runs.close();
    if (!run) count[t] = {runs.runs, runs.samples};
}

/* What tiles have: the first run of each, and their samples. */
struct lengths {
    std::vector<int32_t> run, samples;
};

/* The units of all tiles. */
std::vector<ndft_nufft_unit> cut(const ndft_nufft_samples &s, const lengths &lengths, int most,
                                 std::vector<ndft_nufft_joint> *joints, int *n_slots)
{
    std::vector<ndft_nufft_unit> units;
    units.reserve((size_t)s.n_tiles);
    for (int32_t t = 0; t < s.n_tiles; t++) {
        const int64_t samples = lengths.samples[t], pieces = (samples + most - 1) / most;
        const int32_t x = t % s.tiles[0] * s.tile[0], y = t / s.tiles[0] % s.tiles[1] * s.tile[1];
        const int32_t z = t / s.tiles[0] / s.tiles[1] * s.tile[2];
        const int32_t run = lengths.run[t], end = lengths.run[t + 1];
        if (pieces <= 1) units.push_back({{x, y, z}, run, end, 0, (int32_t)samples, -1});
        if (pieces <= 1) continue;
        joints->push_back({{x, y, z}, *n_slots, *n_slots + (int32_t)pieces});
        for (int64_t i = 0; i < pieces; i++)
            units.push_back({{x, y, z},
                             run,
                             end,
                             (int32_t)(samples * i / pieces),
                             (int32_t)(samples * (i + 1) / pieces),
                             (*n_slots)++});
    }
    /* Long ones first; else neighbours together, whose cells share lines of the cache. */
    std::stable_partition(units.begin(), units.end(), [](const auto &u) { return u.slot >= 0; });
    return units;
}

ndft_status put_units(ndft_arrays *arrays, const ndft_nufft_samples &samples,
                      const lengths &lengths, int most, ndft_nufft_lists *lists)
{
    std::vector<ndft_nufft_joint> joints;
    const std::vector<ndft_nufft_unit> units =
        cut(samples, lengths, most, &joints, &lists->n_slots);
    lists->n_units = (int)units.size();
    lists->n_joints = (int)joints.size();
    NDFT_TRY(ndft_put_list(arrays, "units of work", units, &lists->unit));
    if (joints.empty() && !arrays->exec->more_to_come) return NDFT_OK;
    return ndft_put_list(arrays, "tiles in parts", joints, &lists->joint);
}

} // namespace

ndft_status ndft_nufft_lists_make(ndft_arrays *arrays, const ndft_nufft_samples *samples,
                                  const ndft_nufft_shape *shape, int most, ndft_nufft_lists *lists)
{
    const cudaStream_t stream = ndft_stream(arrays->exec);
    reach r = {*samples, {1, 1, 1}, shape->dim, shape->window.width};
    *lists = {};
    for (int d = 0; d < 3; d++) {
        r.n[d] = (int)shape->grid[d];
        lists->tile[d] = samples->tile[d];
    }
    int2 *device = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "lengths of lists", samples->n_tiles, &device));
    const unsigned blocks = ndft_blocks(samples->n_tiles, 128);
    walk_tiles<<<blocks, 128, 0, stream>>>(r, nullptr, device, nullptr);
    std::vector<int2> count((size_t)samples->n_tiles);
    NDFT_TRY(ndft_launched(arrays->exec, "lengths of lists"));
    cudaError_t error = cudaMemcpyAsync(count.data(), device, count.size() * sizeof(int2),
                                        cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    NDFT_TRY(ndft_checked(arrays->exec, error, "lengths of lists"));
    lengths lengths = {{0}, {}};
    for (const int2 &c : count) {
        lengths.run.push_back(lengths.run.back() + c.x);
        lengths.samples.push_back(c.y);
    }
    NDFT_TRY(put_units(arrays, *samples, lengths, most, lists));
    const int32_t *start = nullptr;
    ndft_nufft_run *run = nullptr;
    NDFT_TRY(ndft_put_list(arrays, "lists of tiles", lengths.run, &start));
    NDFT_TRY(ndft_reserve(arrays, "runs of samples",
                          ndft_length_for_more(arrays->exec, (int64_t)lengths.run.back() + 1),
                          &run));
    walk_tiles<<<blocks, 128, 0, stream>>>(r, start, nullptr, run);
    lists->run = run;
    return ndft_launched(arrays->exec, "lists of tiles");
}
