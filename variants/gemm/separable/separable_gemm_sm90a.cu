/* SPDX-License-Identifier: Apache-2.0 */
#include "separable_adjoint_wgmma.cuh"
#include "separable_cost.h"
#include "separable_forward_wgmma.cuh"
#include "separable_kernels.cuh"

/* The kernels of separable_gemm whose products are compute capability 9.0's: in double of
 * 16 x 8 x 16, and f16x3 by wgmma. */

ndft_separable_kernels<double> ndft_separable_f64_sm90a(const ndft_problem *p, ndft_op op,
                                                        int tiles)
{
    return ndft_separable_mma<ndft_mode_f64>(p, op, tiles);
}

ndft_separable_kernels<float> ndft_separable_wgmma_sm90a(const ndft_problem *p, ndft_op op,
                                                         int tiles)
{
    using kernels = ndft_separable_kernels<float>;
    return ndft_choose<1, 2, 3>(tiles, [&](auto count) -> kernels {
        constexpr int TILES = decltype(count)::value;
        using forward = ndft_separable_forward_wgmma<TILES, false>;
        using adjoint = ndft_separable_adjoint_wgmma<TILES>;
        const bool to_image = op == NDFT_ADJOINT;
        kernels k = {ndft_slabs_wgmma(p, to_image), ndft_separable_wgmma::THREADS};
        k.own = to_image ? (int)adjoint::OWN : (int)forward::OWN;
        k.shared = to_image ? sizeof(typename adjoint::stage) : sizeof(typename forward::stage);
        if (to_image)
            k.to_voxels = ndft_separable_to_voxels_wgmma<TILES>;
        else if (ndft_separable_units(p, TILES) > ndft_separable_times(p))
            k.to_samples = ndft_separable_to_samples_wgmma<TILES, true>;
        else
            k.to_samples = ndft_separable_to_samples_wgmma<TILES, false>;
        k.voxel = ndft_own_voxel_wgmma;
        k.build = to_image ? ndft_build_phasors_wgmma<true> : ndft_build_phasors_wgmma<false>;
        k.build_babies = ndft_build_babies;
        k.unit_threads = k.slabs.chunks * 16 * TILES * 2;
        k.thread_vecs = ndft_separable_wgmma::PARTS;
        return k;
    });
}
