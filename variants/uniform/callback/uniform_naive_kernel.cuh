/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_NAIVE_KERNEL_CUH
#define NDFT_UNIFORM_NAIVE_KERNEL_CUH

#include "uniform_index.cuh"

/* The device code of uniform_naive.cuda. Access reads and writes elements. */

/* The terms along N1 of the line of these modes; turns: of the other axes. */
template <class R, class Access>
__device__ void naive_add_line(const ndft_transform &t, const Access &access, const R *in,
                               int64_t from[NDFT_MODES], unsigned k, R turns, R acc[2])
{
    const unsigned n = (unsigned)t.shape[NDFT_MODE_N], terms = (unsigned)t.in.shape[NDFT_MODE_N];
    const int64_t stride = t.in.stride[NDFT_MODE_N];
    const R sign = (R)(2 * t.sign);
    int64_t at = ndft_tensor_offset(&t.in, from);
    for (unsigned i = 0, phase = 0; i < terms; i++, at += stride) {
        const R twice = t.domain == NDFT_C2R && i > 0 && 2 * i != n ? 2 : 1;
        R z[2], s, c;
        from[NDFT_MODE_N] = i;
        access.load(t.in, in, at, from, z);
        const R re = twice * z[0], im = twice * z[1];
        const R sum = turns + (R)phase / (R)n;
        sincospi(sign * (sum - rint(sum)), &s, &c);
        acc[0] = fma(c, re, fma(-s, im, acc[0]));
        acc[1] = fma(s, re, fma(c, im, acc[1]));
        phase += k; /* at most 2^31 - 2 */
        if (phase >= n) phase -= n;
    }
}

/* Output element e. */
template <class R, class Access>
__device__ void naive_output(const ndft_transform &t, const Access &access, int64_t e, const R *in,
                             R *out)
{
    int64_t to[NDFT_MODES];
    ndft_tensor_index(&t.out, e, to);
    const int64_t *n = t.shape + NDFT_MODE_N, *k = to + NDFT_MODE_N;
    R acc[2] = {0, 0};
    for (int64_t z = 0; z < n[2]; z++) {
        for (int64_t y = 0; y < n[1]; y++) {
            int64_t from[] = {to[NDFT_MODE_M], 0, y, z, to[NDFT_MODE_K]};
            const R turns = (R)(y * k[1] % n[1]) / (R)n[1] + (R)(z * k[2] % n[2]) / (R)n[2];
            naive_add_line(t, access, in, from, (unsigned)k[0], turns, acc);
        }
    }
    access.store(t.out, out, ndft_tensor_offset(&t.out, to), to, acc);
}

#endif
