/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CACHE_H
#define NDFT_CACHE_H

#include "reference.h"

/*
 * ndft_reference with its results kept on disk, in $NDFT_CACHE, else $XDG_CACHE_HOME/ndft, else
 * $HOME/.cache/ndft; an empty $NDFT_CACHE switches it off. Only results that took more than 2^22
 * pairs are kept. A cache that is missing, damaged or cannot be written is as good as none.
 *
 * hash: the content hash of the problem and of its vectors; seed: that of ndft_sample_outputs.
 */
ndft_status ndft_reference_cached(const ndft_problem *, ndft_op, const void *in,
                                  const uint64_t hash[2], uint64_t seed, const int64_t *outputs,
                                  int64_t n_outputs, double *result, int threads, ndft_error *);

enum { NDFT_CACHE_PATH = 1024 };

/* Writes the folder in use, NDFT_CACHE_PATH bytes at most; false when the cache is off. */
bool ndft_cache_directory(char *path);

#endif
