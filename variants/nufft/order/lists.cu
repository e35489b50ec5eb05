/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.cuh"

#include <cub/device/device_scan.cuh>

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

/* Writes the runs of a tile. */
__device__ void walk(const reach &r, int64_t t, writer *runs)
{
    const ndft_nufft_samples &s = r.samples;
    const int tx = (int)(t % s.tiles[0]), ty = (int)(t / s.tiles[0] % s.tiles[1]);
    const int tz = (int)(t / s.tiles[0] / s.tiles[1]);
    span at[3];
    for (at[2] = reaching(r, 2, tz); at[2].left; at[2].next()) {
        for (at[1] = reaching(r, 1, ty); at[1].left; at[1].next()) {
            for (at[0] = reaching(r, 0, tx); at[0].left; at[0].next()) {
                const int row = at[2].at / s.tile[2] * s.tiles[1] + at[1].at / s.tile[1];
                const int tile = row * s.tiles[0] + at[0].at / s.tile[0];
                if (s.begin[tile] < s.begin[tile + 1])
                    add_rows(r, at, s.begin[tile], s.begin[tile + 1], runs);
            }
        }
    }
    runs->close();
}

/* What tiles have: of each its own, then of all before it. Those in several units have slots. */
struct tally {
    int32_t runs, slots, joints, wholes;
};

struct add {
    __host__ __device__ tally operator()(const tally &a, const tally &b) const
    {
        return {a.runs + b.runs, a.slots + b.slots, a.joints + b.joints, a.wholes + b.wholes};
    }
};

/* Thread = tile; one more has nothing. */
__global__ void count_tiles(const __grid_constant__ reach r, int most, tally *count)
{
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (t > r.samples.n_tiles) return;
    writer runs = {nullptr, {0, 0}, 0, 0};
    if (t < r.samples.n_tiles) walk(r, t, &runs);
    const int pieces = (int)(((int64_t)runs.samples + most - 1) / most);
    count[t] = {runs.runs, pieces > 1 ? pieces : 0, pieces > 1,
                pieces <= 1 && t < r.samples.n_tiles};
}

/* Thread = tile. Long lists first; else neighbours together, whose cells share lines of the cache.
 */
__global__ void put_tiles(const __grid_constant__ reach r, const tally *before, ndft_nufft_run *run,
                          ndft_nufft_unit *unit, ndft_nufft_joint *joint)
{
    const ndft_nufft_samples &s = r.samples;
    const int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (t >= s.n_tiles) return;
    const tally mine = before[t], next = before[t + 1];
    writer runs = {run + mine.runs, {0, 0}, 0, 0};
    walk(r, t, &runs);
    const int x = (int)(t % s.tiles[0]) * s.tile[0];
    const int y = (int)(t / s.tiles[0] % s.tiles[1]) * s.tile[1];
    const int z = (int)(t / s.tiles[0] / s.tiles[1]) * s.tile[2];
    const int pieces = next.slots - mine.slots;
    if (pieces == 0) {
        unit[before[s.n_tiles].slots + mine.wholes] = {{x, y, z}, mine.runs,    next.runs,
                                                       0,         runs.samples, -1};
        return;
    }
    joint[mine.joints] = {{x, y, z}, mine.slots, next.slots};
    for (int i = 0; i < pieces; i++)
        unit[mine.slots + i] = {{x, y, z},
                                mine.runs,
                                next.runs,
                                (int)((int64_t)runs.samples * i / pieces),
                                (int)((int64_t)runs.samples * (i + 1) / pieces),
                                mine.slots + i};
}

/* From each tile's own to that of all before it. */
ndft_status scan(ndft_arrays *meanwhile, tally *count, int64_t n_tiles)
{
    const cudaStream_t stream = ndft_stream(meanwhile->exec);
    size_t bytes = 0;
    char *storage = nullptr;
    const auto run = [&] {
        return ndft_checked(meanwhile->exec,
                            cub::DeviceScan::ExclusiveScan(storage, bytes, count, count, add(),
                                                           tally{}, n_tiles + 1, stream),
                            "lengths of lists");
    };
    NDFT_TRY(run());
    NDFT_TRY(ndft_reserve(meanwhile, "sums of lengths", (int64_t)bytes, &storage));
    return run();
}

/* With room for what other samples have, where there are to be some. */
template <class T>
ndft_status reserve(ndft_arrays *arrays, const char *what, int32_t count, T **memory)
{
    return ndft_reserve(arrays, what, ndft_length_for_more(arrays->exec, (int64_t)count + 1),
                        memory);
}

ndft_status make(ndft_arrays *arrays, ndft_arrays *meanwhile, const reach &r, int most,
                 ndft_nufft_lists *lists)
{
    const ndft_exec *exec = arrays->exec;
    const cudaStream_t stream = ndft_stream(exec);
    const int64_t n_tiles = r.samples.n_tiles;
    tally *before = nullptr, all = {};
    ndft_nufft_run *run = nullptr;
    ndft_nufft_unit *unit = nullptr;
    ndft_nufft_joint *joint = nullptr;
    NDFT_TRY(ndft_reserve(meanwhile, "lengths of lists", n_tiles + 1, &before));
    count_tiles<<<ndft_blocks(n_tiles + 1, 128), 128, 0, stream>>>(r, most, before);
    NDFT_TRY(ndft_launched(exec, "lengths of lists"));
    NDFT_TRY(scan(meanwhile, before, n_tiles));
    NDFT_TRY(ndft_fetch(exec, before + n_tiles, &all, "lengths of lists"));
    NDFT_TRY(reserve(arrays, "runs of samples", all.runs, &run));
    NDFT_TRY(reserve(arrays, "units of work", all.slots + all.wholes, &unit));
    NDFT_TRY(reserve(arrays, "tiles in parts", all.joints, &joint));
    put_tiles<<<ndft_blocks(n_tiles, 128), 128, 0, stream>>>(r, before, run, unit, joint);
    lists->run = run;
    lists->unit = unit;
    lists->joint = joint;
    lists->n_units = all.slots + all.wholes;
    lists->n_joints = all.joints;
    lists->n_slots = all.slots;
    return ndft_launched(exec, "lists of tiles");
}

} // namespace

ndft_status ndft_nufft_lists_make(ndft_arrays *arrays, const ndft_nufft_samples *samples,
                                  const ndft_nufft_shape *shape, int most, ndft_nufft_lists *lists)
{
    reach r = {*samples, {1, 1, 1}, shape->dim, shape->window.width};
    ndft_arrays meanwhile = {};
    meanwhile.exec = arrays->exec;
    *lists = {};
    for (int d = 0; d < 3; d++) {
        r.n[d] = (int)shape->grid[d];
        lists->tile[d] = samples->tile[d];
    }
    const ndft_status status = make(arrays, &meanwhile, r, most, lists);
    return ndft_release_meanwhile(&meanwhile, status);
}
