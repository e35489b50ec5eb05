/* SPDX-License-Identifier: Apache-2.0 */
#include "separable_kernels.cuh"

/* The kernels of separable_gemm in double, whose products of 16 x 8 x 16 are compute capability
 * 9.0's. */

template <> ndft_to_samples<double> ndft_choose_to_samples<ndft_mode_f64>(int tiles)
{
    return ndft_choose<1, 2, 3>(tiles, [](auto count) -> ndft_to_samples<double> {
        return ndft_separable_to_samples<ndft_mode_f64, decltype(count)::value>;
    });
}

template <> ndft_to_voxels<double> ndft_choose_to_voxels<ndft_mode_f64>(int tiles)
{
    return ndft_choose<1, 2, 3>(tiles, [](auto count) -> ndft_to_voxels<double> {
        return ndft_separable_to_voxels<ndft_mode_f64, decltype(count)::value>;
    });
}
