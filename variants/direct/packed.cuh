/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PACKED_CUH
#define NDFT_PACKED_CUH

#include "inner_loop.cuh"

/*
 * Tiles of floats that lie as a thread reads them: four inputs of each row in turn. One address and
 * constant offsets serve the whole loop, where rows of a stride need an address each.
 */

/* Place of number `row` of input i. */
template <int ROWS> __device__ __forceinline__ int ndft_packed_place(int row, int i)
{
    return (i / 4 * ROWS + row) * 4 + i % 4;
}

/* each(in) for `count` inputs, a multiple of 4. */
template <int ROWS, class EACH>
__device__ __forceinline__ void ndft_each_packed(const float *tile, int count, EACH each)
{
    for (int i = 0; i < count; i += 4, tile += 4 * ROWS) {
        ndft_pack<float, 4> row[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) row[r] = ((const ndft_pack<float, 4> *)tile)[r];
#pragma unroll
        for (int v = 0; v < 4; v++) {
            float in[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; r++) in[r] = row[r].v[v];
            each(in);
        }
    }
}

/* ndft_inner_loop in f32 over such tiles. */
template <int DIMS, int DEPHASING, bool TO_VOXELS, int OUTS>
struct ndft_packed_inner_loop : ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true> {
    using base = ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true>;
    using base::ROWS;

    static __device__ __forceinline__ int place(int, int row, int i)
    {
        return ndft_packed_place<ROWS>(row, i);
    }

    __device__ __forceinline__ void over(const float *tile, int, int count)
    {
        ndft_each_packed<ROWS>(tile, count, [&](const float in[ROWS]) {
#pragma unroll
            for (int o = 0; o < OUTS; o++) this->pair(o, in);
        });
    }
};

#endif
