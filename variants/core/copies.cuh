/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COPIES_CUH
#define NDFT_COPIES_CUH

#include <cuda_runtime.h>

/* Copies of 16 bytes to shared memory that a thread does not wait for, but for groups of them. */

__device__ __forceinline__ void ndft_copy_ahead(void *to, const void *from)
{
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
}

/* Ends a group. */
__device__ __forceinline__ void ndft_close_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until all groups but the last LATEST have come, as the thread sees it. */
template <int LATEST> __device__ __forceinline__ void ndft_wait_for_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(LATEST) : "memory");
}

#endif
