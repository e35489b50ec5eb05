/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_MODES_CUH
#define NDFT_GEMM_MODES_CUH

#include "gemm/separable/separable_block.cuh"

/* separable_gemm's arithmetics for lines: tiles of 8 columns that a warp has at a time, and whether
 * data have to be scaled into the format's range. */

struct ndft_lines_f16x3 : ndft_mode_f16x3 {
    static constexpr int COLUMN_TILES = 2;
    static constexpr bool SCALED = true;
};

struct ndft_lines_tf32x3 : ndft_mode_tf32x3 {
    static constexpr int COLUMN_TILES = 2;
    static constexpr bool SCALED = false;
};

/* In double by steps of 4 inputs, which compute capability 8.0 has. */
struct ndft_lines_f64 : ndft_mode_f64 {
    static constexpr int COLUMN_TILES = 1;
    static constexpr bool SCALED = false;

    static __device__ __forceinline__ void multiply(ndft_tile_sum<double> &sum, const operand_a &a,
                                                    const operand_b &b)
    {
        double upper[2] = {sum.d[0], sum.d[1]}, lower[2] = {sum.d[2], sum.d[3]};
#pragma unroll
        for (int s = 0; s < 4; s++) {
            ndft_mma_f64::multiply(upper, {a.v[2 * s]}, {b.v[s]});
            ndft_mma_f64::multiply(lower, {a.v[2 * s + 1]}, {b.v[s]});
        }
        sum = {{upper[0], upper[1], lower[0], lower[1]}};
    }
};

#endif
