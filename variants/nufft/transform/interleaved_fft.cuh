/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_FFT_CUH
#define NDFT_NUFFT_INTERLEAVED_FFT_CUH

#include "nufft/pipeline_cufft.cuh"

#include "convolve/filter_shape.h"
#include "interleaved_shape.h"

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

/*
 * From an image to the transformed, interleaved grids of a pass: along x by a kernel that loads
 * voxels, deapodises and weighs them, so that nothing is padded in memory; then along the other
 * axes in place, lines of voxels alone. Transforms are those of block_fft.cuh.
 */

/* A line's transform: passes, and exp(-2 pi i j/n). */
struct ndft_nufft_line {
    int n;
    ndft_line_passes passes;
    const void *turns;
};

struct ndft_nufft_lines {
    ndft_nufft_line axis[3];
};

ndft_status ndft_nufft_lines_make(ndft_arrays *, ndft_prec, int dim, const int n[3],
                                  ndft_nufft_lines *);

ndft_status ndft_nufft_lines_run(const ndft_nufft_plan *, const ndft_nufft_lines *,
                                 const ndft_nufft_pass *, const ndft_nufft_lanes &, const void *in);

#endif
