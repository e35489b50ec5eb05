/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_KERNELS_CUH
#define NDFT_SEPARABLE_KERNELS_CUH

#include "core/dispatch.cuh"
#include "separable_adjoint.cuh"
#include "separable_forward.cuh"

/* The kernels of separable_gemm by mode, direction and the tiles of 16 samples in a unit. */

template <class R>
using ndft_to_samples = void (*)(ndft_separable<R>, ndft_shares, const ndft_complex<R> *,
                                 ndft_complex<R> *);
template <class R>
using ndft_to_voxels = void (*)(ndft_separable<R>, ndft_split<R>, const ndft_complex<R> *,
                                const float *, ndft_complex<double> *, ndft_complex<R> *);

/* A direction's, and what launches and tables of the plan need to know of them. */
template <class R> struct ndft_separable_kernels {
    ndft_slabs slabs;
    int threads, own; /* of a block; voxels of a thread */
    size_t shared;
    ndft_to_samples<R> to_samples;
    ndft_to_voxels<R> to_voxels;
    int64_t (*voxel)(const ndft_slabs &, int64_t slab, int thread, int i, ndft_op);
    void (*build)(ndft_slabs, int64_t n_units, int tiles, const double2 *, const int32_t *,
                  uint4 *); /* phasors along x */
    void (*build_babies)(const ndft_sample_turns<R> *, int size, int64_t count,
                         ndft_complex<R> *); /* row phasors; NULL: none */
    int unit_threads, thread_vecs;           /* its threads for a unit, what each makes */
};

/* By mma.sync. */
template <class M>
ndft_separable_kernels<typename M::R> ndft_separable_mma(const ndft_problem *p, ndft_op op,
                                                         int tiles)
{
    using kernels = ndft_separable_kernels<typename M::R>;
    return ndft_choose<1, 2, 3>(tiles, [&](auto count) -> kernels {
        constexpr int TILES = decltype(count)::value;
        kernels k = {ndft_slabs_of(p, M::WARPS), 32 * M::WARPS, NDFT_OWN};
        if (op == NDFT_ADJOINT) {
            k.shared = ndft_separable_adjoint<M, TILES>::shared_bytes(k.slabs);
            k.to_voxels = ndft_separable_to_voxels<M, TILES>;
            k.build = ndft_build_phasors<M, true>;
        } else {
            k.shared = ndft_separable_forward<M, TILES>::shared_bytes(k.slabs);
            k.to_samples = ndft_separable_to_samples<M, TILES>;
            k.build = ndft_build_phasors<M, false>;
        }
        k.voxel = ndft_own_voxel;
        k.unit_threads = 32 * NDFT_RUN * k.slabs.runs * TILES;
        k.thread_vecs = ndft_separable_sizes<M, 1>::TILE_VECS / 32;
        return k;
    });
}

/* Of separable_gemm_sm90a.cu, for compute capability 9.0: in double, and f16x3 by wgmma. */
ndft_separable_kernels<double> ndft_separable_f64_sm90a(const ndft_problem *p, ndft_op op,
                                                        int tiles);
ndft_separable_kernels<float> ndft_separable_wgmma_sm90a(const ndft_problem *p, ndft_op op,
                                                         int tiles);

/* code: the compute capability that kernels were compiled for. */
template <class M>
ndft_separable_kernels<typename M::R> ndft_choose_separable(const ndft_problem *p, ndft_op op,
                                                            int tiles, int code)
{
    if constexpr (sizeof(typename M::R) == sizeof(double)) {
        return ndft_separable_f64_sm90a(p, op, tiles);
    } else {
        if (code == 90 && std::is_same<M, ndft_mode_f16x3>::value)
            return ndft_separable_wgmma_sm90a(p, op, tiles);
        return ndft_separable_mma<M>(p, op, tiles);
    }
}

#endif
