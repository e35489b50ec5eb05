/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_MATRIX_CUH
#define NDFT_GEMM_WGMMA_MATRIX_CUH

#include "gemm_wgmma.cuh"

#include <cuda_fp16.h>

/* The matrices of folded lines as operand B of wgmma. */

/* The matrices, whose entries are 1024 times as large so that low parts are no subnormals. */
enum { NDFT_WGMMA_TOP = 1024 };

/* Entry `at` of the matrices, [step][cosines, sines][part][8 outputs][8 inputs][output][input]:
 * core matrices without swizzle (PTX ISA, matrix descriptor). */
struct ndft_wgmma_entry {
    int part, sine, input, output;

    static __device__ ndft_wgmma_entry at(int at, int steps)
    {
        const int kk = at % 8, n = at / 8 % 8, half = at / 64 % 2, tile = at / 128 % (2 * steps);
        const int rest = at / (256 * steps);
        return {rest % 2, rest / 2 % 2, rest / 4 * 16 + kk / 2 * 4 + half * 2 + kk % 2,
                tile / 2 * 16 + n / 2 * 4 + tile % 2 * 2 + n % 2};
    }
};

/* The matrices of a transform of that sign, a thread an entry. weight: how often an input that is
 * not its own mirror image counts. */
static __global__ void ndft_build_wgmma(int length, int sign, int steps, double weight,
                                        __half *matrix)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= ndft_wgmma_matrix(steps) / (int)sizeof(__half)) return;
    const auto entry = ndft_wgmma_entry::at(at, steps);
    const int j = entry.input, k = entry.output;
    double cosine = 0, sine = 0;
    if (2 * j <= length) sincospi(2 * (double)(j * k % length) / (double)length, &sine, &cosine);
    if (j == 0 || 2 * j == length) cosine *= 0.5;
    const double value = NDFT_WGMMA_TOP * weight * (entry.sine ? sign * sine : cosine);
    const __half high = __float2half_rn((float)value);
    matrix[at] = entry.part ? __float2half_rn((float)(value - (double)__half2float(high))) : high;
}

#endif
