/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RNG_H
#define NDFT_RNG_H

#include <stdint.h>

/*
 * Counter-based random numbers: a value depends on (seed, stream, index) alone, so that arrays can
 * be filled in any order and by any number of threads, and a mask or a layout changes no value.
 */
typedef enum ndft_stream {
    NDFT_STREAM_K, /* and the two after it, one per axis */
    NDFT_STREAM_FIELD = 3,
    NDFT_STREAM_GRADIENT, /* and the two after it, one per axis */
    NDFT_STREAM_IMAGE = 7,
    NDFT_STREAM_KSPACE,
    NDFT_STREAM_DECAY,
    NDFT_STREAM_KERNEL,
    NDFT_STREAM_MAPS = 16,
    NDFT_STREAM_PHASE_C = 32, /* and one for each term, of b alike */
    NDFT_STREAM_PHASE_B = 48,
} ndft_stream;

/* Uniform in [low, high), 53 bits. */
double ndft_rng_uniform(uint64_t seed, uint64_t stream, uint64_t index, double low, double high);

/* Standard complex normal, E|z|^2 = 1, never 0. G. E. P. Box, M. E. Muller, "A note on the
 * generation of random normal deviates", Ann. Math. Statist. 29, 1958. */
void ndft_rng_normal(uint64_t seed, uint64_t stream, uint64_t index, double z[2]);

#endif
