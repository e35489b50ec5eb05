/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SPREAD_INTERLEAVED_CUH
#define NDFT_NUFFT_SPREAD_INTERLEAVED_CUH

#include "core/copies.cuh"
#include "core/early.cuh"
#include "nufft/transform/interleaved_fft.cuh"
#include "product_visits.cuh"

/*
 * Spreading into grids whose columns lie side by side (transform/interleaved_fft.cuh), as products
 * on tensor cores: a warp owns a tile and goes through the list of all samples that reach it
 * (product_visits.cuh), eight at a time,
 *
 *     16 cells x reals of columns += weights (16 x 8) data (8 x reals of columns),
 *
 * for each plane of the tile. A weight is the product of those of the axes, which come to shared
 * memory 32 visits ahead, formed in registers. In f32 both operands are two parts of tf32, of which
 * three products are formed. Every cell is written once, in whole sectors; nothing is zeroed, and
 * sums are the same from run to run.
 *
 * A warp has 4 P NB columns: a lane reads P reals at a time of a sample, NB times.
 */
template <int DIM, class R> struct ndft_nufft_product {
    ndft_nufft_lists lists;
    ndft_product_streams streams;
    ndft_product_visits<R> visits;
    ndft_rank_view<R> rank; /* with place NULL: the buffer's are weighed */
    int n[3];               /* cells of the grid */
    int columns, log_lanes; /* of a term's groups, or all; log2 of those side by side */
    int chunks, terms;      /* warps that share a term's columns; terms, or 1 */
    int term;               /* the first */
    int64_t pitch;          /* columns of a sample in the buffer, a multiple of a warp's */
    const ndft_complex<R> *value;
    ndft_complex<R> *cells;
    ndft_complex<R> *part; /* [slot][cell of the tile][term][pitch] */

    /* Where a cell of a group's grid lies in a column of the term's. */
    __device__ __forceinline__ ndft_complex<R> *at(int of_term, int column, int64_t place) const
    {
        const int group = (of_term * columns + column) >> log_lanes;
        const int64_t group_cells = (int64_t)n[0] * n[1] * n[2];
        return cells + ((group * group_cells + place) << log_lanes) +
               (column & ((1 << log_lanes) - 1));
    }
};

namespace
{

/* Block = a tile in parts; each thread adds the parts of some of its cells' columns in order. */
template <int DIM, class R>
__global__ void join_products(const __grid_constant__ ndft_nufft_product<DIM, R> p)
{
    constexpr int X = ndft_product_edge(DIM, 0), Y = ndft_product_edge(DIM, 1);
    const ndft_nufft_joint joint = p.lists.joint[blockIdx.x];
    const int pitch = (int)p.pitch, all = ndft_product_cells(DIM) * p.terms * pitch;
    ndft_wait_for_kernel_before();
    for (int at = blockIdx.y * blockDim.x + threadIdx.x; at < all; at += gridDim.y * blockDim.x) {
        const int row = at / pitch, column = at - row * pitch;
        const int cell = row / p.terms;
        const int x = joint.at[0] + cell % X, y = joint.at[1] + cell / X % Y;
        const int z = joint.at[2] + cell / (X * Y);
        if (column >= p.columns || x >= p.n[0] || y >= p.n[1] || z >= p.n[2]) continue;
        ndft_complex<R> sum = {0, 0};
#pragma unroll 8
        for (int s = joint.begin; s < joint.end; s++) {
            const ndft_complex<R> next = p.part[s * (int64_t)all + at];
            sum.re += next.re;
            sum.im += next.im;
        }
        *p.at(row - cell * p.terms, column, ((int64_t)z * p.n[1] + y) * p.n[0] + x) = sum;
    }
}

} // namespace

#endif
