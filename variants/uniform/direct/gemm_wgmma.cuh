/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_CUH
#define NDFT_GEMM_WGMMA_CUH

#include "core/early.cuh"
#include "core/shares.cuh"
#include "folded.h"
#include "gemm_tile.cuh"

/* How lines are multiplied by wgmma: uniform_gemm_sm90a.cu has the kernels. */

enum { NDFT_WGMMA_LINES = 32, NDFT_WGMMA_LEAST = 33 };

/* Bytes of both matrices of `steps` times 16 inputs and outputs, in two parts of f16. */
__host__ __device__ constexpr int ndft_wgmma_matrix(int steps) { return 2048 * steps * steps; }

using ndft_wgmma_kernel = void (*)(ndft_gemm_lines, int64_t tiles, int stages, const float *,
                                   float *);
ndft_wgmma_kernel ndft_wgmma_choose(int steps);

/* Fills a pass' matrices. */
ndft_status ndft_wgmma_build(ndft_exec *exec, const ndft_pass &pass, int steps, uint4 *matrix);

/* A pass as it is launched. */
struct ndft_wgmma_launch {
    ndft_wgmma_kernel kernel;
    ndft_gemm_lines lines;
    int64_t tiles;
    int stages;
    unsigned blocks;
    size_t shared;

    static bool serves(const ndft_pass &p, ndft_prec prec)
    {
        return prec == NDFT_F32 && p.domain == NDFT_C2C && p.length >= NDFT_WGMMA_LEAST;
    }

    ndft_status place(ndft_arrays *arrays, const ndft_pass &pass)
    {
        ndft_exec *exec = arrays->exec;
        const int steps = ((int)ndft_even_rows(pass.length) + 15) / 16;
        const int pitch = 2 * ((int)pass.length | 1); /* odd numbers apart: no two meet in a bank */
        uint4 *matrix = nullptr;
        NDFT_TRY(
            ndft_reserve(arrays, "folded DFT matrices", ndft_wgmma_matrix(steps) / 16, &matrix));
        NDFT_TRY(ndft_wgmma_build(exec, pass, steps, matrix));
        kernel = ndft_wgmma_choose(steps);
        lines = {pass,
                 matrix,
                 steps,
                 NDFT_WGMMA_LINES,
                 pitch,
                 ndft_tile_side::of(pass, pass.in, NDFT_WGMMA_LINES, pitch),
                 ndft_tile_side::of(pass, pass.out, NDFT_WGMMA_LINES, pitch)};
        tiles = (pass.lines + NDFT_WGMMA_LINES - 1) / NDFT_WGMMA_LINES;
        NDFT_TRY(launch_with(exec, 1));
        return tiles <= blocks ? NDFT_OK : launch_with(exec, 2);
    }

    /* At most a wave of blocks. stages: 2, or 1 where no block has a next tile. */
    ndft_status launch_with(ndft_exec *exec, int of_stages)
    {
        stages = of_stages;
        shared = (size_t)ndft_wgmma_matrix(lines.steps) +
                 (size_t)(stages * NDFT_WGMMA_LINES * lines.pitch) * sizeof(float);
        NDFT_TRY(ndft_allow_shared(exec, (const void *)kernel, shared));
        const int64_t wave = ndft_wave((const void *)kernel, NDFT_GEMM_THREADS, shared, exec);
        blocks = (unsigned)min(wave, tiles);
        return NDFT_OK;
    }

    ndft_status launch(const ndft_exec *exec, const void *from, void *to) const
    {
        ndft_gemm_lines own = lines;
        own.in.flat &= (uintptr_t)from % sizeof(uint4) == 0;
        own.out.flat &= (uintptr_t)to % sizeof(uint4) == 0;
        return ndft_launch_early(exec, dim3(blocks), dim3(NDFT_GEMM_THREADS), shared, kernel, own,
                                 tiles, stages, (const float *)from, (float *)to);
    }
};

#endif
