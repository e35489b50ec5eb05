/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_WEIGHTS_H
#define NDFT_NUFFT_RANK_WEIGHTS_H

#include "core/loop.h"
#include "rank.h"

/* The weights of rank.h, one column at a time, in loops of one precision. */

/* weight = factor times voxel v's. */
NDFT_INLINE void ndft_rank_voxel(const ndft_rank *rank, int64_t n_voxels, int64_t v, int column,
                                 ndft_real factor, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms, powers = rank->degree + 1;
    const ndft_real *place = (const ndft_real *)rank->place + 4 * (node * n_voxels + v);
    const ndft_real *a =
        (const ndft_real *)rank->c + ((int64_t)place[0] * rank->terms + l) * powers;
    ndft_real c = a[0];
    for (int d = 1; d < powers; d++) c = c * place[1] + a[d];
    weight[0] = factor * c * place[2];
    weight[1] = factor * c * place[3];
}

/* weight = sample j's. */
NDFT_INLINE void ndft_rank_sample(const ndft_rank *rank, int64_t j, int column, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms;
    const ndft_real *b = (const ndft_real *)rank->b + 2 * ((int64_t)rank->row[j] * rank->terms + l);
    weight[0] = b[0];
    weight[1] = b[1];
    if (!rank->turn) return;
    const ndft_real *turn = (const ndft_real *)rank->turn + 2 * (j * rank->nodes + node);
    weight[0] = b[0] * turn[0] - b[1] * turn[1];
    weight[1] = b[0] * turn[1] + b[1] * turn[0];
}

#endif
