/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_CUH
#define NDFT_GEMM_WGMMA_CUH

#include "core/early.cuh"
#include "core/shares.cuh"
#include "direct_cost.h"
#include "folded.h"
#include "gemm_tile.cuh"

#include <cmath>

/* How lines are multiplied by wgmma: uniform_gemm_sm90a.cu has the kernels. */

enum { NDFT_WGMMA_LEAST = 33 }; /* so that a step's numbers are the line's own */

/* Lines of a tile. */
__host__ __device__ constexpr int ndft_wgmma_lines(int domain)
{
    return domain == NDFT_C2C ? 32 : 64;
}

/* Bytes of both matrices of `steps` times 16 inputs and outputs, in two parts of f16. */
__host__ __device__ constexpr int ndft_wgmma_matrix(int steps) { return 2048 * steps * steps; }

using ndft_wgmma_kernel = void (*)(ndft_gemm_lines, int64_t tiles, int stages, const float *,
                                   float *);
ndft_wgmma_kernel ndft_wgmma_choose(int domain, int steps);

/* Fills a pass' matrices, and waits for it: a kernel copies them before the one before has ended.
 */
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
        return prec == NDFT_F32 && p.length >= NDFT_WGMMA_LEAST;
    }

    ndft_status place(ndft_arrays *arrays, const ndft_pass &pass)
    {
        ndft_exec *exec = arrays->exec;
        const int rows = (int)ndft_even_rows(pass.length), steps = (rows + 15) / 16;
        const int of_tile = ndft_wgmma_lines(pass.domain);
        /* An odd number of complex numbers: no two lines meet in a bank. */
        const int pitch = 2 * ((pass.domain == NDFT_C2C ? (int)pass.length : rows) | 1);
        uint4 *matrix = nullptr;
        NDFT_TRY(
            ndft_reserve(arrays, "folded DFT matrices", ndft_wgmma_matrix(steps) / 16, &matrix));
        NDFT_TRY(ndft_wgmma_build(exec, pass, steps, matrix));
        kernel = ndft_wgmma_choose(pass.domain, steps);
        lines = {pass,
                 matrix,
                 steps,
                 of_tile,
                 pitch,
                 side_of(pass, pass.in, of_tile, pitch),
                 side_of(pass, pass.out, of_tile, pitch)};
        tiles = (pass.lines + of_tile - 1) / of_tile;
        NDFT_TRY(launch_with(exec, 1));
        return tiles <= blocks ? NDFT_OK : launch_with(exec, 2);
    }

    /* In one piece: complex lines of even length would meet in banks. */
    static ndft_tile_side side_of(const ndft_pass &pass, const ndft_line_side &side, int lines,
                                  int pitch)
    {
        ndft_tile_side made = ndft_tile_side::of(pass, side, lines, pitch);
        made.flat = ndft_side_flat(pass, side) && (pass.domain != NDFT_C2C || pass.length % 2);
        return made;
    }

    /* At most a wave of blocks. stages: 2, or 1 where no block has a next tile. */
    ndft_status launch_with(ndft_exec *exec, int of_stages)
    {
        stages = of_stages;
        shared = (size_t)ndft_wgmma_matrix(lines.steps) +
                 (size_t)(stages * lines.lines * lines.pitch) * sizeof(float);
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

/* Of each number that a tile folds: sums, scaling, parts, outputs, and words in and out of shared
 * memory, four in all for each number of a line. Returns the bytes of both sides. */
inline double ndft_add_wgmma_cost(const ndft_pass &pass, ndft_cost *cost)
{
    const int steps = ((int)ndft_even_rows(pass.length) + 15) / 16;
    const double tiles = ceil((double)pass.lines / ndft_wgmma_lines(pass.domain));
    const double rows = 16. * steps, inputs = tiles * 64 * rows;
    cost->tensor += 3 * 2 * rows * inputs;
    cost->fma += 4 * inputs;
    cost->add += 5 * inputs;
    cost->integer += 4 * inputs;
    cost->issue_slots += 22 * inputs;
    cost->l2_bytes += fmin(tiles, 400) * ndft_wgmma_matrix(steps); /* of a wave of blocks */
    cost->threads = fmax(cost->threads, tiles);
    return ndft_side_bytes(&pass, &pass.in, NDFT_F32) + ndft_side_bytes(&pass, &pass.out, NDFT_F32);
}

#endif
