/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_CHOICE_CUH
#define NDFT_COIL_CHOICE_CUH

#include "coil_kernel.cuh"
#include "core/dispatch.cuh"

/* Which of coil_gemm's kernels serves a problem. */

enum ndft_coil_unit { NDFT_COIL_AUTO, NDFT_COIL_MMA, NDFT_COIL_WGMMA };

/* What decides. */
struct ndft_coil_shape {
    int mode, dim, dephasing;
    int blocks; /* of eight columns, for the coils of a group */
    int tile;
    bool wgmma;
    bool gauss; /* three products for four */

    ndft_coil_shape(const ndft_problem *p, const ndft_device &device, int mode, int unit, int tile)
        : mode(mode), dim(p->dim < 3 ? 2 : 3),
          dephasing(p->decay ? NDFT_DECAY : ndft_dephasing_of(p)), tile(tile)
    {
        const int needed = (int)ndft_blocks(p->coils, NDFT_COIL_COLUMNS);
        const bool f16 = mode != NDFT_COIL_TF32X3, exact = dephasing >= NDFT_SINC_EXACT;
        if (exact) dim = 3;
        const bool plain = mode == NDFT_COIL_F16X3 && dephasing == NDFT_NO_SINC;
        wgmma = unit == NDFT_COIL_AUTO ? device.code == 90 && f16 && !exact && (plain || needed > 2)
                                       : unit == NDFT_COIL_WGMMA;
        gauss = device.code == 90 && plain && needed > 2;
        /* Phasors serve 64 coils where few of those columns are left over. */
        const int64_t groups = ndft_blocks(needed, 4);
        const bool wide = wgmma && gauss && (groups % 2 == 0 || groups > 4);
        blocks = !f16 ? 2 : wide ? 8 : (wgmma && !plain) || needed > 2 ? 4 : needed;
        if (f16 && dephasing != NDFT_NO_SINC && blocks == 2) blocks = 4; /* 2 is not built */
        if (!tile) this->tile = auto_tile(p, device.units);
    }

    int form() const
    {
        if (wgmma && gauss) return blocks == 4 ? NDFT_COIL_THREE_SMALL : NDFT_COIL_THREE_WGMMA;
        if (wgmma) return NDFT_COIL_FOUR_NEGATED;
        return gauss ? NDFT_COIL_THREE : NDFT_COIL_FOUR;
    }
    /* Outputs of a block. */
    int block() const
    {
        if (wgmma && blocks < 4) return blocks == 2 ? 320 : 384;
        return wgmma && gauss && blocks == 4 ? 256 : blocks >= 4 ? 192 : 128;
    }
    int chunk() const { return ndft_coil_chunk_of(mode, form(), blocks); }

    /* The longest tile that is chosen: rounding of the phase left in it is felt with three parts,
     * less where their products are cut off seldom. */
    int longest() const
    {
        const bool apart = wgmma && blocks < 4;
        return mode == NDFT_COIL_F16X1 || gauss || apart ? 512 : 256;
    }

    /* Long tiles are turned seldom, but the device wants many of them. */
    int auto_tile(const ndft_problem *p, int units) const
    {
        const double pairs = (double)p->n_voxels * (double)p->n_samples * groups(p);
        const int most = longest();
        return pairs / (128 * most) >= 32.0 * units ? most : chunk() < 128 && wgmma ? 128 : chunk();
    }

    int rows(bool to_voxels) const
    {
        if (dephasing == NDFT_NO_SINC || dephasing == NDFT_DECAY)
            return dim + 1 + (dephasing == NDFT_DECAY);
        return dim + 1 + (to_voxels ? dim + 1 : dim);
    }
    int groups(const ndft_problem *p) const
    {
        return (int)ndft_blocks(p->coils, blocks * NDFT_COIL_COLUMNS);
    }
};

struct ndft_coil_kernel {
    void (*run)(ndft_coil_side, ndft_complex<float> *);
    int threads, block, shared; /* block: its outputs; shared: bytes */
    ndft_coil_form form;
    int cuts; /* see ndft_coil_unscale */
};

/* Whether there are kernels of a mode; weighted: with gradients or decay. */
constexpr bool ndft_coil_built(int mode, bool weighted)
{
    return NDFT_ALL || !weighted || mode == NDFT_COIL_F16X3;
}

template <class UNIT, class C>
constexpr int ndft_coil_shared_bytes =
    UNIT::template pipe<C>::SHARED + UNIT::template store<C>::SHARED;

template <class UNIT, int DIM, int DEPHASING, int MODE, int BLOCKS>
ndft_coil_kernel ndft_coil_choose_direction(bool to_voxels)
{
    using forward = ndft_coil_config<DIM, DEPHASING, false, MODE, BLOCKS, UNIT::FORM>;
    /* Without gradients the kernel knows no direction. */
    using adjoint =
        ndft_coil_config<DIM, DEPHASING, DEPHASING != NDFT_NO_SINC, MODE, BLOCKS, UNIT::FORM>;
    ndft_coil_kernel kernel = {
        ndft_coil_gemm<UNIT, forward>,         UNIT::THREADS, ndft_coil_block<UNIT>,
        ndft_coil_shared_bytes<UNIT, forward>, UNIT::FORM,    UNIT::CUTS};
    if (to_voxels) {
        kernel.run = ndft_coil_gemm<UNIT, adjoint>;
        kernel.shared = ndft_coil_shared_bytes<UNIT, adjoint>;
    }
    return kernel;
}

template <class UNIT, int MODE, int BLOCKS>
ndft_coil_kernel ndft_coil_choose(const ndft_coil_shape &want, bool to_voxels)
{
    constexpr bool sinc =
        UNIT::SINC && (BLOCKS != 2 || MODE == NDFT_COIL_TF32X3) && ndft_coil_built(MODE, true);
    if constexpr (sinc && UNIT::EXACT_SINC) {
        if (want.dephasing == NDFT_DECAY)
            return ndft_coil_choose_direction<UNIT, 3, NDFT_DECAY, MODE, BLOCKS>(to_voxels);
        if (want.dephasing == NDFT_SINC_EXACT)
            return ndft_coil_choose_direction<UNIT, 3, NDFT_SINC_EXACT, MODE, BLOCKS>(to_voxels);
    }
    if constexpr (sinc)
        if (want.dephasing == NDFT_SINC_POLY)
            return want.dim == 2
                       ? ndft_coil_choose_direction<UNIT, 2, NDFT_SINC_POLY, MODE, BLOCKS>(
                             to_voxels)
                       : ndft_coil_choose_direction<UNIT, 3, NDFT_SINC_POLY, MODE, BLOCKS>(
                             to_voxels);
    return want.dim == 2
               ? ndft_coil_choose_direction<UNIT, 2, NDFT_NO_SINC, MODE, BLOCKS>(to_voxels)
               : ndft_coil_choose_direction<UNIT, 3, NDFT_NO_SINC, MODE, BLOCKS>(to_voxels);
}

/* Of coil_gemm_sm90a.cu, for compute capability 9.0. */
ndft_coil_kernel ndft_coil_choose_sm90a(const ndft_coil_shape &want, bool to_voxels);

#endif
