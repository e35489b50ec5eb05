/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_mma.cuh"
#include "coil_wgmma.cuh"

/* The kernels of coil_gemm for compute capability 9.0a, whose instructions no other has. */

ndft_coil_kernel ndft_coil_choose_sm90a(const ndft_coil_shape &want, bool to_voxels)
{
    using gauss = ndft_coil_mma<ndft_coil_bulk, ndft_coil_gauss, 384, 1>;
    if (want.gauss && !want.wgmma)
        return ndft_coil_choose<gauss, NDFT_COIL_F16X3, 4>(want, to_voxels);
    if (want.gauss)
        return want.blocks == 8
                   ? ndft_coil_choose<ndft_coil_wgmma_64, NDFT_COIL_F16X3, 8>(want, to_voxels)
                   : ndft_coil_choose<ndft_coil_wgmma_32, NDFT_COIL_F16X3, 4>(want, to_voxels);
    if (!want.wgmma) return ndft_coil_choose_mma<ndft_coil_bulk>(want, to_voxels);
    using other = ndft_coil_wgmma_other;
    if (want.blocks == 1)
        return ndft_coil_choose<ndft_coil_wgmma_8, NDFT_COIL_F16X3, 1>(want, to_voxels);
    if (want.blocks == 2)
        return ndft_coil_choose<ndft_coil_wgmma_16, NDFT_COIL_F16X3, 2>(want, to_voxels);
    if (want.mode == NDFT_COIL_F16X1)
        return ndft_coil_choose<other, NDFT_COIL_F16X1, 4>(want, to_voxels);
    return want.dim == 2
               ? ndft_coil_choose_direction<other, 2, NDFT_SINC_POLY, NDFT_COIL_F16X3, 4>(to_voxels)
               : ndft_coil_choose_direction<other, 3, NDFT_SINC_POLY, NDFT_COIL_F16X3, 4>(
                     to_voxels);
}
