/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_STRIP_COPIES_CUH
#define NDFT_NUFFT_STRIP_COPIES_CUH

#include "core/bulk.cuh"
#include "core/copies.cuh"
#include "core/tensor_copy.cuh"

#include <nv/target>

namespace
{

/* Copies of pieces to shared memory, a thread each, which a block waits for together: in bulk, and
 * where code is older than that, 16 bytes at a time. */
struct strip_copies {
    ndft_bulk_barrier come;

    /* By one thread, before all others. */
    __device__ __forceinline__ void begin()
    {
        NV_IF_TARGET(NV_PROVIDES_SM_90, (come.begin(); ndft_bulk_barriers_begun();))
    }
    /* By one thread: bytes of a round, before or after they are asked for. */
    __device__ __forceinline__ void expect(int bytes)
    {
        NV_IF_TARGET(NV_PROVIDES_SM_90, (come.expect(bytes);))
    }
    __device__ __forceinline__ void ask(void *to, const void *from, int bytes)
    {
        NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (come.copy(to, from, bytes);),
                          (for (int at = 0; at < bytes; at += 16)
                               ndft_copy_ahead((char *)to + at, (const char *)from + at);))
    }
    /* By one thread; false: older code has none. */
    static constexpr __device__ bool boxes()
    {
        NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (return true;), (return false;))
    }
    __device__ __forceinline__ void ask_box(void *to, const ndft_tensor_map *map,
                                            const int (&at)[3])
    {
        NV_IF_TARGET(NV_PROVIDES_SM_90, (ndft_tensor_copy(to, map, at, come);))
    }
    __device__ __forceinline__ void wait(int round)
    {
        NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (come.wait(round);),
                          (ndft_close_copies(); ndft_wait_for_copies<0>(); __syncthreads();))
    }
};

} // namespace

#endif
