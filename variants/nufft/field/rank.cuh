/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_CUH
#define NDFT_NUFFT_RANK_CUH

#include "core/complex.cuh"
#include "core/device.cuh"
#include "rank.h"

/* The weights of rank.h on the device. */

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

/* A field map's tables (rank.h) in device memory; all NULL without one. */
struct ndft_nufft_rank {
    int terms, nodes, degree;
    int64_t n_voxels;
    const int32_t *row;
    const void *b, *turn, *c, *place;
};

template <class R> ndft_rank_view<R> ndft_rank_of(const ndft_nufft_rank &rank)
{
    return {rank.terms,
            rank.nodes,
            rank.terms * rank.nodes,
            rank.degree,
            rank.n_voxels,
            rank.row,
            (const ndft_complex<R> *)rank.b,
            (const ndft_complex<R> *)rank.turn,
            (const R *)rank.c,
            (const ndft_rank_place<R> *)rank.place};
}

/* Arrays of the plan, made by kernels but for what is small, or for gradients alone. All but turn
 * are shared by engines of a plan. */
ndft_status ndft_nufft_rank_make(ndft_arrays *, const ndft_problem *, const int *knobs,
                                 ndft_nufft_rank *);

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

/* Weight of voxel v in column q*terms + l. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_rank_voxel(const ndft_rank_view<R> &rank, int64_t v,
                                                           int q, int l)
{
    if (!rank.place) return {1, 0};
    ndft_rank_place<R> at = rank.place[q * rank.n_voxels + v];
    R c = ndft_rank_c(rank, at, l);
    return {c * at.phase.re, c * at.phase.im};
}

/* Weight of sample j in column q*terms + l. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_rank_sample(const ndft_rank_view<R> &rank,
                                                            int64_t j, int q, int l)
{
    if (!rank.place) return {1, 0};
    ndft_complex<R> weight = rank.b[(int64_t)rank.row[j] * rank.terms + l];
    if (rank.turn) {
        ndft_complex<R> product;
        ndft_rotate(product, rank.turn[j * rank.nodes + q], weight);
        return product;
    }
    return weight;
}

#endif
