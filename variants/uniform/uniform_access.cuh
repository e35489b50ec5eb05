/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_ACCESS_CUH
#define NDFT_UNIFORM_ACCESS_CUH

#include "uniform/callback/uniform_index.cuh"

/* How a kernel reads and writes elements of a tensor, place and modes given: as they are. Where a
 * transform has load or store functions, ndft_called_access is compiled in its place. */
struct ndft_plain_access {
    template <class R>
    __device__ void load(const ndft_tensor &t, const R *in, int64_t place, const int64_t *,
                         R z[2]) const
    {
        z[0] = in[t.real ? place : 2 * place];
        z[1] = t.real ? (R)0 : in[2 * place + 1];
    }

    template <class R>
    __device__ void store(const ndft_tensor &t, R *out, int64_t place, const int64_t *,
                          const R z[2]) const
    {
        out[t.real ? place : 2 * place] = z[0];
        if (!t.real) out[2 * place + 1] = z[1];
    }
};

#endif
