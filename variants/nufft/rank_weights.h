/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_WEIGHTS_H
#define NDFT_NUFFT_RANK_WEIGHTS_H

#include "loop.h"
#include "nufft/rank.h"

/* The weights of rank.h in loops of one precision. */

/* c[l] = c_l at a place, for all terms. */
NDFT_INLINE void ndft_rank_c(const ndft_rank *rank, const ndft_real place[4], ndft_real *restrict c)
{
    int terms = rank->terms;
    const ndft_real *a =
        (const ndft_real *)rank->c + (int64_t)place[0] * (rank->degree + 1) * terms;
    for (int l = 0; l < terms; l++) c[l] = a[l];
    for (int d = 1; d <= rank->degree; d++)
        for (int l = 0; l < terms; l++) c[l] = c[l] * place[1] + a[d * terms + l];
}

/* Weights of voxel v, complex [columns]. */
NDFT_INLINE void ndft_rank_voxel(const ndft_rank *rank, int64_t n_voxels, int64_t v,
                                 ndft_real *restrict weight)
{
    for (int q = 0; q < rank->nodes; q++) {
        const ndft_real *place = (const ndft_real *)rank->place + 4 * (q * n_voxels + v);
        ndft_real c[NDFT_RANK_TERMS];
        ndft_rank_c(rank, place, c);
        for (int l = 0; l < rank->terms; l++) {
            *weight++ = c[l] * place[2];
            *weight++ = c[l] * place[3];
        }
    }
}

/* Weights of sample j, complex [columns]. */
NDFT_INLINE void ndft_rank_sample(const ndft_rank *rank, int64_t j, ndft_real *restrict weight)
{
    const ndft_real *b = (const ndft_real *)rank->b + 2 * (int64_t)rank->row[j] * rank->terms;
    for (int q = 0; q < rank->nodes; q++) {
        const ndft_real one[2] = {1, 0};
        const ndft_real *turn =
            rank->turn ? (const ndft_real *)rank->turn + 2 * (j * rank->nodes + q) : one;
        for (int l = 0; l < rank->terms; l++) {
            *weight++ = b[2 * l] * turn[0] - b[2 * l + 1] * turn[1];
            *weight++ = b[2 * l] * turn[1] + b[2 * l + 1] * turn[0];
        }
    }
}

#endif
