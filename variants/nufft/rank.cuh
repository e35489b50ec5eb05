/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_CUH
#define NDFT_NUFFT_RANK_CUH

#include "complex.cuh"
#include "nufft/rank.h"

/* The weights of rank.h on the device, from tables uploaded as they are. */

template <class R> struct ndft_rank_place { /* as rank.h's [4] */
    R interval, position;
    ndft_complex<R> phase;
};

template <class R> struct ndft_rank_view {
    int terms, nodes, columns, degree;
    int64_t n_voxels;
    const int32_t *row;
    const ndft_complex<R> *b, *turn; /* turn NULL: one node */
    const R *c;
    const ndft_rank_place<R> *place; /* NULL: all weights are 1 */
};

/* c_l at a place. */
template <class R>
__device__ __forceinline__ R ndft_rank_c(const ndft_rank_view<R> &rank, ndft_rank_place<R> at,
                                         int l)
{
    const R *a = rank.c + ((int64_t)at.interval * rank.terms + l) * (rank.degree + 1);
    R c = a[0];
    for (int d = 1; d <= rank.degree; d++) c = fma(c, at.position, a[d]);
    return c;
}

/* The node and the term of a column. */
template <class R>
__device__ __forceinline__ void ndft_rank_split(const ndft_rank_view<R> &rank, int column, int *q,
                                                int *l)
{
    *q = rank.nodes > 1 ? column / rank.terms : 0;
    *l = column - *q * rank.terms;
}

/* Weight of voxel v in a column. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_rank_voxel(const ndft_rank_view<R> &rank, int64_t v,
                                                           int column)
{
    if (!rank.place) return {1, 0};
    int q, l;
    ndft_rank_split(rank, column, &q, &l);
    const ndft_rank_place<R> at = rank.place[q * rank.n_voxels + v];
    const R c = ndft_rank_c(rank, at, l);
    return {c * at.phase.re, c * at.phase.im};
}

/* Sample j's weights in all terms, before the turn of a node; NULL where all weights are 1. */
template <class R>
__device__ __forceinline__ const ndft_complex<R> *ndft_rank_row(const ndft_rank_view<R> &rank,
                                                                int64_t j)
{
    return rank.place ? rank.b + (int64_t)rank.row[j] * rank.terms : nullptr;
}

/* Weight of sample j, whose row is given, in a column. */
template <class R>
__device__ __forceinline__ ndft_complex<R>
ndft_rank_sample(const ndft_rank_view<R> &rank, const ndft_complex<R> *row, int64_t j, int column)
{
    if (!row) return {1, 0};
    int q, l;
    ndft_rank_split(rank, column, &q, &l);
    if (!rank.turn) return row[l];
    ndft_complex<R> product;
    ndft_rotate(product, rank.turn[j * rank.nodes + q], row[l]);
    return product;
}

/* Weight of sample j in a column. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_rank_sample(const ndft_rank_view<R> &rank,
                                                            int64_t j, int column)
{
    return ndft_rank_sample(rank, ndft_rank_row(rank, j), j, column);
}

#endif
