/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CACHE_H
#define NDFT_CACHE_H

#include "reference.h"

/*
 * ndft_reference with its results kept on disk (base/cache_file.h). Only results that took more
 * than 2^22 pairs are kept.
 *
 * hash: the content hash of the problem and of its vectors; seed: that of ndft_sample_outputs.
 */
ndft_status ndft_reference_cached(const ndft_problem *, ndft_op, const void *in,
                                  const uint64_t hash[2], uint64_t seed, const int64_t *outputs,
                                  int64_t n_outputs, double *result, int threads, ndft_error *);

/* A result by what it is of: the content hash of problem and vectors, the operation, how its
 * outputs were chosen, and the doubles that it has. */
typedef struct ndft_kept {
    uint64_t hash[2], op, seed;
    int64_t doubles;
} ndft_kept;

/* Reads what was kept; false: nothing, or nothing whole. */
bool ndft_cache_load(const ndft_kept *, double *result);

/* Keeps it, where that is possible. Nothing larger than 2^28 bytes is kept. */
void ndft_cache_store(const ndft_kept *, const double *result);

#endif
