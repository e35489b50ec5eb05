/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_TILE_CUH
#define NDFT_LINE_TILE_CUH

#include "core/mma_split.cuh"
#include "core/shares.cuh"
#include "line_phase.cuh"

/*
 * Baby steps and giant steps along a line, folded. Sample q = BABIES i1 + i0 of
 * a piece lies at s = +-(j + 1/2) +- BABIES (l + 1/2) of its middle, so with the angles b_j and a_l
 * of half-integer multiples its phasor is
 *
 *     exp(i(+-a +- b)) = cos a cos b -+ sin a sin b + i (+-sin a cos b +- cos a sin b):
 *
 * four real products of few sines and cosines serve the four samples of all signs. With a voxel's
 * value w on one side they are a real matrix product with two multiply-adds per voxel and sample
 * where complex phasors need four. Rows of a product are cosines and sines of b: MT tiles of 16;
 * columns those of a times real and imaginary parts: NT tiles of 8.
 */
template <int MT_, int NT_> struct ndft_line_tile {
    static constexpr int MT = MT_, NT = NT_;
    static constexpr int BABIES = 16 * MT, GIANTS = 4 * NT, SAMPLES = BABIES * GIANTS;
    static constexpr int WORDS = 32 * MT * NT; /* of 16 bytes: a piece's folded data */

    /* Number of the sample with these signs (1 or -1) of a_l and b_j. */
    static __device__ __forceinline__ int sample(int l, int sign_a, int j, int sign_b)
    {
        const int i1 = sign_a > 0 ? GIANTS / 2 + l : GIANTS / 2 - 1 - l;
        const int i0 = sign_b > 0 ? BABIES / 2 + j : BABIES / 2 - 1 - j;
        return BABIES * i1 + i0;
    }
};

enum { NDFT_LINE_WARPS = 4, NDFT_LINE_THREADS = 32 * NDFT_LINE_WARPS };

/* Code for compute capability 9.0 takes the adjoint of one coil and 512 samples from
 * line_gemm_sm90a.cu, and leaves that of mma.sync empty. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
template <class T> constexpr bool ndft_line_by_wgmma = T::SAMPLES == 512;
#else
template <class T> constexpr bool ndft_line_by_wgmma = false;
#endif

/* One direction. */
struct ndft_line_side {
    const ndft_line *lines;
    const ndft_line_voxel *voxels;
    int64_t n_voxels;
    int n_lines;
    ndft_strides in;
    ndft_split<float> split;
    uint4 *folded; /* adjoint: the data as fragments, see line_adjoint.cuh */
    /* forward, where voxels are sorted into boxes, see line_forward_boxes.cuh */
    const int32_t *places;          /* of voxels among the inputs, -1: none */
    const int32_t *box;             /* of each step */
    const ndft_line_voxel *centres; /* of boxes */
    const float *most;              /* largest component of the input */
};

/* The power of two by which data are multiplied: sums of four stay in f16's range. */
__device__ __forceinline__ float ndft_line_scale(const ndft_line_side &side)
{
    return ndft_f16_scale(4 * *side.most);
}

/* d += (a_hi + a_lo)(b_hi + b_lo) without a_lo b_lo, for M by N tiles of the product: sums that
 * depend on each other stand apart. */
template <int M, int N>
__device__ __forceinline__ void
ndft_multiply_split(float (&d)[M][N][4], const unsigned (&a_hi)[M][4], const unsigned (&a_lo)[M][4],
                    const unsigned (&b_hi)[N][2], const unsigned (&b_lo)[N][2])
{
#pragma unroll
    for (int part = 0; part < 3; part++)
#pragma unroll
        for (int m = 0; m < M; m++)
#pragma unroll
            for (int n = 0; n < N; n++) {
                const unsigned(&a)[4] = part == 0 ? a_lo[m] : a_hi[m];
                const unsigned(&b)[2] = part == 1 ? b_lo[n] : b_hi[n];
                ndft_mma_f16::multiply(d[m][n], a, b[0], b[1]);
            }
}

#endif
