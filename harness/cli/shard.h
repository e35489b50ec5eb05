/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHARD_H
#define NDFT_SHARD_H

#include "work.h"

/*
 * One of several parts that a workload falls into, so that as many machines can share it. A part
 * follows from the case alone: not from the order or the rest of the workload, the device, or the
 * build. Whatever is compared with each other stays together.
 */
typedef struct ndft_shard {
    int index, count; /* 1 <= index <= count; count 0: all of it */
} ndft_shard;

/* Reads "2/8". NDFT_EINVAL. */
ndft_status ndft_shard_parse(const char *text, ndft_shard *, ndft_error *);

/* Drops what is not in the shard. */
void ndft_shard_keep(const ndft_shard *, ndft_workload *);

#endif
