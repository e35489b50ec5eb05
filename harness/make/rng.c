/* SPDX-License-Identifier: Apache-2.0 */
#include "rng.h"

#include "base/random.h"

#include <math.h>

static const uint64_t golden = 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio, odd */

/* Element index of SplitMix64's sequence (base/random.h) from the mixed (seed, stream) on. */
static uint64_t bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t start = ndft_mix(ndft_mix(seed + golden) + (stream + 1) * golden);
    return ndft_mix(start + (index + 1) * golden);
}

double ndft_rng_uniform(uint64_t seed, uint64_t stream, uint64_t index, double low, double high)
{
    double u = (double)(bits(seed, stream, index) >> 11) * 0x1p-53;
    return low + (high - low) * u;
}

void ndft_rng_normal(uint64_t seed, uint64_t stream, uint64_t index, double z[2])
{
    /* Both in the open interval (0, 1), so that neither the logarithm nor z can vanish. */
    double u = ((double)(bits(seed, stream, 2 * index) >> 12) + 0.5) * 0x1p-52;
    double v = ((double)(bits(seed, stream, 2 * index + 1) >> 12) + 0.5) * 0x1p-52;
    double radius = sqrt(-log(u));
    z[0] = radius * cos(2 * M_PI * v);
    z[1] = radius * sin(2 * M_PI * v);
}
