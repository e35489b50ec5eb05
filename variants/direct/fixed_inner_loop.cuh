/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXED_INNER_LOOP_CUH
#define NDFT_FIXED_INNER_LOOP_CUH

#include "packed.cuh"

/*
 * The inner loop with phases in fixed point: a turn is 2^32, so that integers wrap around by whole
 * turns and what is left is exact. k/N 2^32 of a sample times the integer x of a voxel is a phase
 * already. Readout times are t = n T + e, n an integer and |e| <= T/2: the integer dw T 2^32/(2 pi)
 * of a voxel times n, and the small rest dw e in float. Sums are short runs, added up with
 * compensation (Kahan, CACM 8 (1965) 40).
 *
 * Rows of a tile: DIM integers, the field's integer, dw or e, re, im, then as in ndft_inner_loop
 * the input's part of the sinc's argument.
 */
template <int DIMS, int DEPHASING, bool TO_VOXELS, int OUTS>
struct ndft_fixed_inner_loop : ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true> {
    using base = ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true>;
    using base::DIM;
    using base::OUTPUTS;
    using base::sum;
    static constexpr int ROWS = base::ROWS + 1;

    int turns[OUTPUTS][DIM + 1];
    float slow[OUTPUTS]; /* dw or e */
    ndft_complex<float> total[OUTPUTS], lost[OUTPUTS];

    static __device__ __forceinline__ int place(int row, int i)
    {
        return ndft_packed_place<ROWS>(row, i);
    }

    __device__ __forceinline__ void fixed_pair(int o, const float in[ROWS])
    {
        const float unit = (float)(6.283185307179586 * 0x1p-32 * ndft_hardware_stretch);
        unsigned u = 0;
#pragma unroll
        for (int d = 0; d <= DIM; d++) u += (unsigned)turns[o][d] * __float_as_uint(in[d]);
        float s, c;
        __sincosf(fmaf((float)(int)u, unit, slow[o] * in[DIM + 1]), &s, &c);
        if constexpr (base::SINC) {
            const float b = this->dephasing(o, in + DIM + 4);
            s *= b;
            c *= b;
        }
        ndft_accumulate(sum[o], c, s, ndft_complex<float>{in[DIM + 2], in[DIM + 3]});
    }

    /* Adds a run of inputs, a multiple of 4, to total. */
    __device__ __forceinline__ void over(const float *tile, int count)
    {
        this->clear();
        ndft_each_packed<ROWS>(tile, count, [&](const float in[ROWS]) {
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) fixed_pair(o, in);
        });
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            compensated(total[o].re, lost[o].re, sum[o].re);
            compensated(total[o].im, lost[o].im, sum[o].im);
        }
    }

    static __device__ __forceinline__ void compensated(float &total, float &lost, float value)
    {
        const float wanted = __fsub_rn(value, lost), next = __fadd_rn(total, wanted);
        lost = __fsub_rn(__fsub_rn(next, total), wanted);
        total = next;
    }
};

#endif
