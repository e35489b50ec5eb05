/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EARLY_CUH
#define NDFT_EARLY_CUH

#include "device.cuh"

#include <nv/target>

/*
 * Kernels of a stream that begin before the one before has ended (programmatic dependent launch,
 * CUDA C++ Programming Guide, section 4.5): when all its blocks have come to their stores. Blocks
 * that began earlier would take places that the one before still needs, unless all of its blocks
 * have theirs at once.
 */

/* Before a kernel touches memory: for what the one before writes. */
__device__ __forceinline__ void ndft_wait_for_kernel_before()
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaGridDependencySynchronize();))
}

/* Before its stores, or at once. */
__device__ __forceinline__ void ndft_let_kernel_after_begin()
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaTriggerProgrammaticLaunchCompletion();))
}

/* Launches a kernel that calls both, early if asked for and where its code does: what devices make
 * of PTX for 8.0 would not wait. */
template <class... Formal, class... Actual>
ndft_status ndft_launch(const ndft_exec *exec, bool early, dim3 blocks, dim3 block, size_t shared,
                        void (*kernel)(Formal...), Actual... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = blocks;
    launch.blockDim = block;
    launch.dynamicSmemBytes = shared;
    launch.stream = ndft_stream(exec);
    launch.attrs = &attribute;
    launch.numAttrs = early && exec->device.code >= 90;
    return ndft_checked(exec, cudaLaunchKernelEx(&launch, kernel, arguments...), "a launch");
}

template <class... Formal, class... Actual>
ndft_status ndft_launch_early(const ndft_exec *exec, dim3 blocks, dim3 block, size_t shared,
                              void (*kernel)(Formal...), Actual... arguments)
{
    return ndft_launch(exec, true, blocks, block, shared, kernel, arguments...);
}

#endif
