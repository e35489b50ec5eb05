/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TENSOR_COPY_CUH
#define NDFT_TENSOR_COPY_CUH

#include "bulk.cuh"
#include "device.cuh"

#include <cstring>
#include <cuda.h>

/* Copies of boxes of an array of f32 in three dimensions to shared memory, a box by one thread, of
 * compute capability 9.0 (PTX ISA, cp.async.bulk.tensor). */
struct ndft_tensor_map {
    uint64_t of[16];
};

/* Of so many numbers per dimension, the first of which lie side by side, the others so many bytes
 * apart; and of boxes of so many. */
static inline ndft_status ndft_tensor_map_make(const ndft_exec *exec, void *numbers,
                                               const uint64_t size[3], const uint64_t apart[2],
                                               const uint32_t box[3], ndft_tensor_map *made)
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    NDFT_TRY(ndft_checked(exec,
                          cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                                           cudaEnableDefault, &found),
                          "tensor maps"));
#else
    NDFT_TRY(ndft_checked(
        exec, cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found),
        "tensor maps"));
#endif
    const auto encode = (decltype(&cuTensorMapEncodeTiled))entry;
    const cuuint32_t steps[3] = {1, 1, 1};
    CUtensorMap map;
    if (!encode ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, numbers, size, apart, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return ndft_fail(exec->error, NDFT_EDEVICE, "the driver makes no tensor map");
    memcpy(made, &map, sizeof map);
    return NDFT_OK;
}

/* Of the box that begins there; what it has beyond the array is zero. Maps are parameters of
 * kernels, which begin at multiples of 64. */
__device__ __forceinline__ void ndft_tensor_copy(void *to, const ndft_tensor_map *map,
                                                 const int (&at)[3], const ndft_bulk_barrier &come)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(ndft_shared_address(to)),
                 "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(ndft_shared_address(&come.state))
                 : "memory");
}

#endif
