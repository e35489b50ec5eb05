/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ATOMIC_ADD_CUH
#define NDFT_ATOMIC_ADD_CUH

#include "complex.cuh"

#include <nv/target>

/* Atomic additions of 16 bytes to global memory: of four floats at once from compute capability 9.0
 * on, else one by one. */

__device__ __forceinline__ void ndft_atomic_add(ndft_pack<float, 4> *to, ndft_pack<float, 4> value)
{
    NV_IF_ELSE_TARGET(
        NV_PROVIDES_SM_90,
        (atomicAdd((float4 *)to, make_float4(value.v[0], value.v[1], value.v[2], value.v[3]));),
        (for (int i = 0; i < 4; i++) atomicAdd(&to->v[i], value.v[i]);))
}

__device__ __forceinline__ void ndft_atomic_add(ndft_pack<double, 2> *to,
                                                ndft_pack<double, 2> value)
{
    for (int i = 0; i < 2; i++) atomicAdd(&to->v[i], value.v[i]);
}

/* Of 8 bytes, in the same way. */
__device__ __forceinline__ void ndft_atomic_add(ndft_complex<float> *to, ndft_complex<float> value)
{
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
                      (atomicAdd((float2 *)to, make_float2(value.re, value.im));),
                      (atomicAdd(&to->re, value.re); atomicAdd(&to->im, value.im);))
}

#endif
