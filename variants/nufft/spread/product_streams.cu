/* SPDX-License-Identifier: Apache-2.0 */
#include "product_streams.cuh"

#include "core/shares.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

namespace
{

/* Thread = units of a block's warps: their visits. */
__global__ void weigh_groups(ndft_nufft_lists lists, int groups, uint32_t *visits, int32_t *group)
{
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    uint32_t sum = 0;
    for (int u = g * NDFT_PRODUCT_WARPS; u < min(lists.n_units, (g + 1) * NDFT_PRODUCT_WARPS); u++)
        sum += (uint32_t)ndft_product_filled(lists.unit[u].to - lists.unit[u].from);
    visits[g] = sum;
    group[g] = g;
}

/* Thread = stream: its tiles, and room for their visits, wherever there is some; group: sorted. */
__global__ void deal_tiles(ndft_nufft_lists lists, const int32_t *group, int groups, bool zeros,
                           ndft_product_streams streams, unsigned long long *used)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= streams.count) return;
    const int block = s / NDFT_PRODUCT_WARPS, blocks = streams.count / NDFT_PRODUCT_WARPS;
    int count = 0;
    for (int l = 0; l < streams.layers; l++) {
        const int rank = l * blocks + (l % 2 ? blocks - 1 - block : block);
        const int in_group = (s + l) % NDFT_PRODUCT_WARPS; /* in turn */
        ndft_product_tile tile = {{0, 0, 0}, NDFT_PRODUCT_NONE, 0, lists.n_units, count};
        if (rank < groups) tile.unit = group[rank] * NDFT_PRODUCT_WARPS + in_group;
        if (tile.unit < lists.n_units) {
            const ndft_nufft_unit unit = lists.unit[tile.unit];
            for (int d = 0; d < 3; d++) tile.at[d] = unit.at[d];
            if (unit.slot >= 0)
                tile.slot = unit.slot;
            else if (zeros || unit.to > unit.from)
                tile.slot = NDFT_PRODUCT_WHOLE;
            tile.count = ndft_product_filled(unit.to - unit.from);
        }
        streams.tile[(int64_t)l * streams.count + s] = tile;
        count += tile.count;
    }
    const int64_t first = (int64_t)atomicAdd(used, (unsigned long long)count);
    for (int l = 0; l < streams.layers; l++)
        streams.tile[(int64_t)l * streams.count + s].first += first;
    streams.stream[s] = {first, count};
}

/* Groups of units, heaviest first; what is needed only meanwhile is released. */
ndft_status sort_groups(ndft_arrays *meanwhile, const ndft_nufft_lists &lists, int groups,
                        int32_t **sorted)
{
    const ndft_exec *exec = meanwhile->exec;
    uint32_t *visits = nullptr, *sorted_visits = nullptr;
    int32_t *group = nullptr;
    char *storage = nullptr;
    size_t bytes = 0;
    NDFT_TRY(ndft_reserve(meanwhile, "visits of groups", groups, &visits));
    NDFT_TRY(ndft_reserve(meanwhile, "visits of groups", groups, &sorted_visits));
    NDFT_TRY(ndft_reserve(meanwhile, "groups of tiles", groups, &group));
    NDFT_TRY(ndft_reserve(meanwhile, "groups of tiles", groups, sorted));
    weigh_groups<<<ndft_blocks(groups, 128), 128, 0, ndft_stream(exec)>>>(lists, groups, visits,
                                                                          group);
    NDFT_TRY(ndft_launched(exec, "visits of groups"));
    const auto sort = [&] {
        return ndft_checked(
            exec,
            cub::DeviceRadixSort::SortPairsDescending(storage, bytes, visits, sorted_visits, group,
                                                      *sorted, groups, 0, 16, ndft_stream(exec)),
            "sorting tiles");
    };
    NDFT_TRY(sort());
    NDFT_TRY(ndft_reserve(meanwhile, "sorting tiles", (int64_t)bytes, &storage));
    return sort();
}

ndft_status make(ndft_arrays *arrays, ndft_arrays *meanwhile, const ndft_nufft_lists &lists,
                 int64_t blocks, bool zeros, ndft_product_streams *made, int64_t *visits)
{
    const ndft_exec *exec = arrays->exec;
    const int groups = (int)ndft_blocks(lists.n_units, NDFT_PRODUCT_WARPS);
    ndft_product_streams streams = {};
    int32_t *sorted = nullptr;
    unsigned long long *used = nullptr, all = 0;
    NDFT_TRY(sort_groups(meanwhile, lists, groups, &sorted));
    NDFT_TRY(ndft_reserve_zeros(meanwhile, "numbers of visits", 1, &used));
    blocks = std::min<int64_t>(blocks, groups);
    streams.count = (int)blocks * NDFT_PRODUCT_WARPS;
    streams.layers = (int)((groups + blocks - 1) / blocks);
    NDFT_TRY(ndft_reserve(arrays, "tiles",
                          ndft_length_for_more(exec, (int64_t)streams.layers * streams.count),
                          &streams.tile));
    NDFT_TRY(ndft_reserve(arrays, "streams", ndft_length_for_more(exec, streams.count),
                          &streams.stream));
    deal_tiles<<<ndft_blocks(streams.count, 128), 128, 0, ndft_stream(exec)>>>(
        lists, sorted, groups, zeros, streams, used);
    NDFT_TRY(ndft_launched(exec, "streams of tiles"));
    NDFT_TRY(ndft_fetch(exec, used, &all, "numbers of visits"));
    *visits = (int64_t)all;
    *made = streams;
    return NDFT_OK;
}

} // namespace

ndft_status ndft_product_streams_make(ndft_arrays *arrays, const ndft_nufft_lists &lists,
                                      int64_t blocks, bool zeros, ndft_product_streams *streams,
                                      int64_t *visits)
{
    ndft_arrays meanwhile = {};
    meanwhile.exec = arrays->exec;
    const ndft_status status = make(arrays, &meanwhile, lists, blocks, zeros, streams, visits);
    return ndft_release_meanwhile(&meanwhile, status);
}
