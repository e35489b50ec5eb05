/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_CUH
#define NDFT_NUFFT_INTERLEAVED_CUH

#include "nufft/pipeline_cufft.cuh"

#include "interleaved_lanes.h"

/*
 * Grids of several columns interleaved, whatever the layout of image and samples: cells of a group
 * of columns lie side by side, up to 64 bytes of them, and group after group,
 * cells[group][z][y][x][lane]. What a sample reads of a row of cells is then one piece of memory,
 * and lines of an axis are transformed side by side with whole sectors.
 */

/* The coil and the term of a lane, counted from the pass' first. */
__device__ __forceinline__ int ndft_lane_coil(const ndft_nufft_lanes &lanes, int group, int lane)
{
    return group % lanes.coil_groups * lanes.coils + lane % lanes.coils;
}

__device__ __forceinline__ int ndft_lane_term(const ndft_nufft_lanes &lanes, int group, int lane)
{
    return group / lanes.coil_groups * lanes.terms + lane / lanes.coils;
}

/*
 * Weights by column, which with one node, as nearly always, is the term: nothing is divided in
 * loops. Kernels that take rank.cuh's by node and term have their own: changed to these they lose
 * 5 to 10 %, by what the compiler makes of their registers.
 */
template <class R>
__device__ __forceinline__ void ndft_rank_split(const ndft_rank_view<R> &rank, int column, int *q,
                                                int *l)
{
    *q = rank.nodes > 1 ? column / rank.terms : 0;
    *l = column - *q * rank.terms;
}

/* Of voxel v. */
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

/* Sample j's in all terms, before the turn of a node; NULL where all weights are 1. */
template <class R>
__device__ __forceinline__ const ndft_complex<R> *ndft_rank_row(const ndft_rank_view<R> &rank,
                                                                int64_t j)
{
    return rank.place ? rank.b + (int64_t)rank.row[j] * rank.terms : nullptr;
}

/* Of sample j, whose row is given. */
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

#endif
