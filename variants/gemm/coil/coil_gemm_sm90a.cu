/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_mma.cuh"
#include "coil_wgmma.cuh"

/* The kernels of coil_gemm for compute capability 9.0a, whose instructions no other has. */

namespace
{

template <int MODE> ndft_coil_kernel by_wgmma(const ndft_coil_shape &want, bool to_voxels)
{
    using few = ndft_coil_wgmma<3>; /* warpgroups, for want of registers */
    if constexpr (ndft_coil_built(MODE, true))
        if (want.dephasing == NDFT_SINC_POLY)
            return want.dim == 2
                       ? ndft_coil_choose_direction<few, 2, NDFT_SINC_POLY, MODE, 4>(to_voxels)
                       : ndft_coil_choose_direction<few, 3, NDFT_SINC_POLY, MODE, 4>(to_voxels);
    return want.blocks == 8 ? ndft_coil_choose<few, MODE, 8>(want, to_voxels)
                            : ndft_coil_choose<ndft_coil_wgmma<4>, MODE, 4>(want, to_voxels);
}

} // namespace

ndft_coil_kernel ndft_coil_choose_sm90a(const ndft_coil_shape &want, bool to_voxels)
{
    using gauss = ndft_coil_mma<ndft_coil_bulk, ndft_coil_gauss, 384, 1>;
    if (want.gauss) return ndft_coil_choose<gauss, NDFT_COIL_F16X3, 4>(want, to_voxels);
    if (!want.wgmma) return ndft_coil_choose_mma<ndft_coil_bulk>(want, to_voxels);
    return want.mode == NDFT_COIL_F16X1 ? by_wgmma<NDFT_COIL_F16X1>(want, to_voxels)
                                        : by_wgmma<NDFT_COIL_F16X3>(want, to_voxels);
}
