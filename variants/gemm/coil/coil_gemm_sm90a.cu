/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_mma.cuh"
#include "coil_wgmma.cuh"

/* The kernels of coil_gemm for compute capability 9.0a, whose instructions no other has. */

ndft_coil_kernel ndft_coil_choose_sm90a(const ndft_coil_shape &want, bool to_voxels)
{
    using gauss = ndft_coil_mma<ndft_coil_bulk, ndft_coil_gauss, 384, 1>;
    if (want.gauss) return ndft_coil_choose<gauss, NDFT_COIL_F16X3, 4>(want, to_voxels);
    if (!want.wgmma) return ndft_coil_choose_mma<ndft_coil_bulk>(want, to_voxels);
    return want.mode == NDFT_COIL_F16X1
               ? ndft_coil_choose<ndft_coil_bulk_wgmma, NDFT_COIL_F16X1, 4>(want, to_voxels)
               : ndft_coil_choose<ndft_coil_bulk_wgmma, NDFT_COIL_F16X3, 4>(want, to_voxels);
}
