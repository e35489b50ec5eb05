/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_RANDOM_H
#define NDFT_BASE_RANDOM_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood 2014): one word of state, any seed, the same on every machine. */
typedef struct ndft_random {
    uint64_t state;
} ndft_random;

/* splitmix64's finalizer: a bijection in which every bit of z moves about half of the result's. */
static inline uint64_t ndft_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static inline uint64_t ndft_random_bits(ndft_random *r)
{
    return ndft_mix(r->state += 0x9e3779b97f4a7c15);
}

/* Uniform in [0, 1), 53 bits. */
static inline double ndft_uniform(ndft_random *r)
{
    return (double)(ndft_random_bits(r) >> 11) * 0x1p-53;
}

#endif
