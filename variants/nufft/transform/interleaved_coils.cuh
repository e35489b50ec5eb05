/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_COILS_CUH
#define NDFT_NUFFT_INTERLEAVED_COILS_CUH

#include "interleaved_rows.cuh"

/*
 * Rows of voxels of as many coils as a block has lines, which are all lanes of a group, whose
 * images are planar and whole, without coil maps: thread (coil, place). Where a thread's cells and
 * voxels lie from its first is known to the compiler then. Weights of a row's cells, zeros where
 * there is no voxel, are in shared memory.
 */

namespace
{

/* Whether rows of a pass are such. */
template <class Line> bool are_coils(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes)
{
    return lanes.coils == Line::LINES && lanes.terms == 1 && !plan->image.maps &&
           !plan->image.inside && plan->image.strides.element == 1;
}

/* A block's row. */
template <class Line, class R> struct coil_row {
    static constexpr int LINES = Line::LINES, PLACES = Line::PLACES, CELLS = Line::CELLS;
    const row_work<R> &w;
    const image_row row;

    __device__ explicit coil_row(const row_work<R> &w) : w(w), row(row_of(w.image, blockIdx.x)) {}

    /* The thread's first cell in a group's grid; the others are PLACES * LINES apart. */
    __device__ __forceinline__ ndft_complex<R> *cells(int group) const
    {
        return row_cells(w, row, group) + threadIdx.y * LINES + threadIdx.x;
    }

    /* f(i, voxel) for the thread's cells that are voxels, of its coil. */
    template <class C, class F>
    __device__ __forceinline__ void each(int place, int coil, C *image, F f) const
    {
        const int n = w.image.n[0], below = coil < w.pass.coils ? (n + 1) / 2 : 0;
        const int above = coil < w.pass.coils ? Line::LENGTH - n / 2 : Line::LENGTH;
        C *const right =
            image + (w.pass.coil + coil) * w.image.strides.coil + row.first + n / 2 + place;
        C *const left = right - Line::LENGTH;
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const int cell = place + i * PLACES;
            if (cell < below) f(i, right[i * PLACES]);
            if (cell >= above) f(i, left[i * PLACES]);
        }
    }

    /* Weights of all cells, deapodised; with FIELD in a term of the pass. */
    template <bool FIELD>
    __device__ __forceinline__ void put_weights(int term, ndft_complex<R> *to) const
    {
        for (int cell = threadIdx.y * LINES + threadIdx.x; cell < Line::LENGTH;
             cell += LINES * PLACES) {
            const int x = ndft_voxel_at(cell, Line::LENGTH, w.image.n[0]);
            ndft_rank_view<R> rank = {};
            if (FIELD) rank = w.rank;
            to[cell] = {0, 0};
            if (x >= 0)
                to[cell] = weight_in_row(w.image, rank, row, x, row.first + x, w.pass.term + term);
        }
    }
};

} // namespace

#endif
