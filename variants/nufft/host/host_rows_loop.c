/* SPDX-License-Identifier: Apache-2.0 */
#include "fft/lanes_turn.h"
#include "host_nufft.h"

#include <string.h>

/* Rows of a grid: what they have in its halo, and NDFT_LINES of them as lines side by side. */

typedef ndft_real real;

static real *row_of(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    return (real *)grid + 2 * (y * g->step[1] + z * g->step[2]);
}

void NDFT_LOOP(nufft_fold_row)(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    real *restrict to = row_of(g, grid, y, z);
    const int64_t reals = 2 * g->held[0], period = 2 * g->cells[0];
    for (int64_t iz = z; iz < g->held[2]; iz += g->cells[2]) {
        for (int64_t iy = y; iy < g->held[1]; iy += g->cells[1]) {
            const real *restrict from = row_of(g, grid, iy, iz);
            if (iy == y && iz == z) continue;
#pragma omp simd
            for (int64_t i = 0; i < reals; i++) to[i] += from[i];
        }
    }
    for (int64_t i = period; i < reals; i++) to[i % period] += to[i];
}

void NDFT_LOOP(nufft_repeat_row)(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    real *row = row_of(g, grid, y, z);
    const int64_t reals = 2 * g->held[0], period = 2 * g->cells[0];
    for (int64_t i = period; i < reals; i++) row[i] = row[i - period];
    for (int64_t iz = z; iz < g->held[2]; iz += g->cells[2])
        for (int64_t iy = y; iy < g->held[1]; iy += g->cells[1])
            if (iy != y || iz != z)
                memcpy(row_of(g, grid, iy, iz), row, (size_t)reals * sizeof(real));
}

NDFT_INLINED void turn_rows(const ndft_host_grid *g, void *const row[], real *lines, bool blocks,
                            const bool to_lines)
{
    const int64_t count = blocks ? ndft_blocks(g) : (g->cells[0] + NDFT_LINES - 1) / NDFT_LINES;
    for (int64_t i = 0; i < count; i++)
        ndft_turn_block(row, lines, blocks ? ndft_block_start(g, i) : i * NDFT_LINES, to_lines);
}

void NDFT_LOOP(nufft_rows_to_lines)(const ndft_host_grid *g, void *const row[], void *lines,
                                    bool blocks)
{
    const int64_t first = ndft_first_blocks(g), one = NDFT_LINES * 2 * (int64_t)sizeof(real);
    const int64_t end = ndft_blocks(g) > first ? ndft_last_start(g) : g->cells[0];
    turn_rows(g, row, lines, blocks, true);
    if (blocks && end > first * NDFT_LINES)
        memset((char *)lines + first * NDFT_LINES * one, 0,
               (size_t)((end - first * NDFT_LINES) * one));
}

void NDFT_LOOP(nufft_lines_to_rows)(const ndft_host_grid *g, void *const row[], void *lines,
                                    bool blocks)
{
    turn_rows(g, row, lines, blocks, false);
}
