/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_ACCESS_CUH
#define NDFT_CALLBACK_ACCESS_CUH

#include "callback_slot.cuh"
#include "uniform_index.cuh"

/*
 * How a kernel that is compiled in plan reads and writes elements: through the functions NDFT_LOAD
 * and NDFT_STORE, which are ndft_load_plain and ndft_store_plain where there are none. It has the
 * members of plain_access (uniform_naive_cuda.cu), which takes its place in kernels that are
 * compiled beforehand.
 */

__device__ inline ndft_value ndft_load_plain(ndft_slot from, const int64_t *, const void *)
{
    return ndft_read(from);
}

__device__ inline void ndft_store_plain(ndft_slot to, ndft_value value, const int64_t *,
                                        const void *)
{
    ndft_write(to, value);
}

struct ndft_called_access {
    const void *load_data, *store_data;

    __device__ void load(const ndft_tensor &t, const ndft_scalar *in, int64_t place,
                         const int64_t *index, ndft_scalar z[2]) const
    {
        ndft_scalar *at = const_cast<ndft_scalar *>(in) + (t.real ? place : 2 * place);
        const ndft_value v = NDFT_LOAD(ndft_slot{at, t.real}, index, load_data);
        z[0] = v.re;
        z[1] = v.im;
    }

    __device__ void store(const ndft_tensor &t, ndft_scalar *out, int64_t place,
                          const int64_t *index, const ndft_scalar z[2]) const
    {
        ndft_scalar *at = out + (t.real ? place : 2 * place);
        NDFT_STORE(ndft_slot{at, t.real}, ndft_value{z[0], z[1]}, index, store_data);
    }
};

#endif
