/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORKERS_H
#define NDFT_WORKERS_H

#include "device/backend.h"

/*
 * A sweep in shards at once, one for each device: as many processes of this program, each of which
 * sees one GPU, or has its share of a processor's threads, and writes a file of its own. Once all
 * have ended their records are in one file; of a process that died those that it had written.
 */
typedef struct ndft_workers {
    const ndft_backend *backend;
    int n;
    const char *output; /* the file of all, ends in .jsonl */
    bool force;         /* replace what it holds */
    const char *const
        *argument; /* of `ndft sweep`, without -o, --shard and --force; NULL ends it */
} ndft_workers;

/* "auto" or "auto:N": N workers; of a GPU no more than there are, and auto is all. NDFT_EINVAL with
 * the nearest. */
ndft_status ndft_workers_parse(const char *text, const ndft_backend *, int *n, ndft_error *);

/* *failed: some ended with another exit code than 0, which standard error is told. NDFT_EIO where a
 * record cannot be kept: then the shards' files stay. */
ndft_status ndft_workers_run(const ndft_workers *, bool *failed, ndft_error *);

#endif
