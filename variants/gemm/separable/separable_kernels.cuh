/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_KERNELS_CUH
#define NDFT_SEPARABLE_KERNELS_CUH

#include "core/dispatch.cuh"
#include "separable_adjoint.cuh"
#include "separable_forward.cuh"

/* The kernels of separable_gemm by mode and by the tiles of 16 samples in a unit. Those in double
 * are in a file of their own, since only compute capability 9.0 has their products. */

template <class R>
using ndft_to_samples = void (*)(ndft_separable<R>, ndft_shares, const ndft_complex<R> *,
                                 ndft_complex<R> *);
template <class R>
using ndft_to_voxels = void (*)(ndft_separable<R>, ndft_split<R>, const ndft_complex<R> *,
                                const float *, ndft_complex<double> *, ndft_complex<R> *);

template <class M> ndft_to_samples<typename M::R> ndft_choose_to_samples(int tiles)
{
    return ndft_choose<1, 2, 3>(tiles, [](auto count) -> ndft_to_samples<typename M::R> {
        return ndft_separable_to_samples<M, decltype(count)::value>;
    });
}

template <class M> ndft_to_voxels<typename M::R> ndft_choose_to_voxels(int tiles)
{
    return ndft_choose<1, 2, 3>(tiles, [](auto count) -> ndft_to_voxels<typename M::R> {
        return ndft_separable_to_voxels<M, decltype(count)::value>;
    });
}

template <> ndft_to_samples<double> ndft_choose_to_samples<ndft_mode_f64>(int tiles);
template <> ndft_to_voxels<double> ndft_choose_to_voxels<ndft_mode_f64>(int tiles);

#endif
