/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BULK_CUH
#define NDFT_BULK_CUH

#include <cstdint>
#include <cuda_runtime.h>

/* Bulk copies between global and shared memory, of compute capability 9.0: by one thread, of
 * multiples of 16 bytes that begin at such. */

__device__ __forceinline__ unsigned ndft_shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* A barrier in shared memory: of bulk copies by one thread, told that all has come, or of threads
 * that arrive. */
struct ndft_bulk_barrier {
    uint64_t state;

    __device__ __forceinline__ void begin()
    {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(ndft_shared_address(&state)));
    }
    __device__ __forceinline__ void begin(unsigned arrivals)
    {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ndft_shared_address(&state)),
                     "r"(arrivals));
    }
    __device__ __forceinline__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(ndft_shared_address(&state))
                     : "memory");
    }
    __device__ __forceinline__ void expect(int bytes)
    {
        asm volatile(
            "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(ndft_shared_address(&state)),
            "r"(bytes)
            : "memory");
    }
    __device__ __forceinline__ void copy(void *to, const void *from, int bytes)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(ndft_shared_address(to)),
                     "l"(from), "r"(bytes), "r"(ndft_shared_address(&state))
                     : "memory");
    }
    /* Until phase `round` is complete. */
    __device__ __forceinline__ void wait(unsigned round) const
    {
        asm volatile("{\n.reg .pred done;\nagain:\n"
                     "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                     "@!done bra again;\n}\n" ::"r"(ndft_shared_address(&state)),
                     "r"(round & 1)
                     : "memory");
    }
};

/* What one thread did to barriers is seen by copies. */
__device__ __forceinline__ void ndft_bulk_barriers_begun()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void ndft_bulk_store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(ndft_shared_address(from)), "r"(bytes)
                 : "memory");
}

/* Until what this thread stores in bulk has been read. */
__device__ __forceinline__ void ndft_bulk_stores_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

#endif
