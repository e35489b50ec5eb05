/* SPDX-License-Identifier: Apache-2.0 */
#include "shard.h"

#include "case/expand.h"
#include "records/record.h"

#include <stdlib.h>

ndft_status ndft_shard_parse(const char *text, ndft_shard *shard, ndft_error *err)
{
    long index, count;
    char rest;
    if (sscanf(text, "%ld/%ld%c", &index, &count, &rest) != 2 || index < 1 || index > count)
        return ndft_fail(err, NDFT_EINVAL,
                         "--shard '%s' is not I/N with 1 <= I <= N; write e.g. 1/4", text);
    if (count > NDFT_POINTS_MAX)
        return ndft_fail(err, NDFT_EINVAL, "--shard '%s': N is at most %d; nearest: %ld/%d", text,
                         NDFT_POINTS_MAX, index < NDFT_POINTS_MAX ? index : NDFT_POINTS_MAX,
                         NDFT_POINTS_MAX);
    *shard = (ndft_shard){(int)index, (int)count};
    return NDFT_OK;
}

static bool holds(const ndft_shard *shard, const char *text)
{
    uint64_t hash = ndft_case_hash(text);
    return (hash ^ hash >> 32) % (uint64_t)shard->count == (uint64_t)shard->index - 1;
}

void ndft_shard_keep(const ndft_shard *shard, ndft_workload *load)
{
    int kept = 0;
    if (!shard->count) return;
    load->candidates = 0;
    for (int i = 0; i < load->size; i++) {
        ndft_work *work = &load->items[i];
        if (holds(shard, work->text)) {
            load->candidates += work->n;
            load->items[kept++] = *work;
            continue;
        }
        free(work->candidates);
        free(work->text);
    }
    load->size = kept;
    kept = 0;
    for (int i = 0; i < load->divided.n; i++)
        if (holds(shard, load->divided.items[i].text))
            load->divided.items[kept++] = load->divided.items[i];
    load->divided.n = kept;
}
