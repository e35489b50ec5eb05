/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_LINES_CUH
#define NDFT_NUFFT_PLANAR_LINES_CUH

#include "fft/mixed_fft.cuh"
#include "interleaved_fft.cuh"
#include "planar_shape.h"

/*
 * Lines as kernels of planar grids see them: a block has lines, and threads at places in them.
 * Before a transform a thread has FIRST cells, after it LAST, cell<FIRST>(i) and cell<LAST>(i). And
 * the rows of voxels that lines along x are. Lengths are known to the compiler, numbers are f32.
 */

namespace
{

/* Where there are few lines, which wait for latencies: by mixed_fft.cuh. */
template <int N, int LINES> struct short_line {
    using mixed = mixed_line<N>;
    static constexpr bool EARLY = N > 128; /* what does not depend on data is fetched */
    static constexpr int FIRST = mixed::FIRST, LAST = mixed::LAST, PLACES = mixed::THREADS;
    static constexpr int THREADS = LINES * PLACES, BLOCKS = 1;
    static constexpr size_t BYTES =
        sizeof(ndft_complex<float>) * LINES * mixed::BUFFERS * mixed::ROOM;
    const ndft_complex<float> *turns;

    static dim3 block() { return dim3(LINES, PLACES); }
    __device__ static constexpr int n() { return N; }
    __host__ __device__ static constexpr int lines() { return LINES; }
    __device__ static int line() { return (int)threadIdx.x; }

    /* Of a thread's cell i of CELLS: the cell, N where it has none. */
    template <int CELLS> __device__ static __forceinline__ int cell(int i)
    {
        constexpr int apart = N / CELLS;
        return apart == PLACES || (int)threadIdx.y < apart ? (int)threadIdx.y + i * apart : N;
    }

    template <int SIGN> __device__ __forceinline__ mixed_turns<N, float> fetch() const
    {
        mixed_turns<N, float> fetched;
        fetch_turns<SIGN, N>(turns, threadIdx.y, fetched);
        return fetched;
    }
    template <int SIGN>
    __device__ __forceinline__ void transform(const mixed_turns<N, float> &fetched,
                                              ndft_complex<float> (&v)[FIRST],
                                              ndft_complex<float> (&out)[LAST]) const
    {
        mixed_fft<SIGN, N, LINES>(threadIdx.y, fetched, line_memory<float>() + threadIdx.x,
                                  mixed::ROOM * LINES, v, out);
    }
};

/* Where there are many, which wait for memory: by fixed_fft.cuh, rows with the threads of each side
 * by side, others of 128 bytes side by side. */
template <int N, bool ROWS> struct many_line {
    static constexpr bool EARLY = false;
    static constexpr int CELLS = fixed_cells(N), FIRST = CELLS, LAST = CELLS, PLACES = N / CELLS;
    static constexpr int LINES = ROWS && PLACES >= 16 ? 8 : 16;
    static constexpr int THREADS = LINES * PLACES, BLOCKS = 65536 / (80 * THREADS);
    static constexpr size_t BYTES = sizeof(ndft_complex<float>) * LINES * line_room(N, CELLS);
    const ndft_complex<float> *turns;

    struct no_turns {
    };

    static dim3 block() { return ROWS ? dim3(PLACES, LINES) : dim3(LINES, PLACES); }
    __device__ static constexpr int n() { return N; }
    __host__ __device__ static constexpr int lines() { return LINES; }
    __device__ static int line() { return (int)(ROWS ? threadIdx.y : threadIdx.x); }
    __device__ static int place() { return (int)(ROWS ? threadIdx.x : threadIdx.y); }
    template <int> __device__ static __forceinline__ int cell(int i)
    {
        return place() + i * PLACES;
    }
    template <int SIGN> __device__ __forceinline__ no_turns fetch() const { return {}; }
    template <int SIGN>
    __device__ __forceinline__ void transform(no_turns, ndft_complex<float> (&v)[CELLS],
                                              ndft_complex<float> (&out)[CELLS]) const
    {
        constexpr int step = ROWS ? 1 : LINES, apart = ROWS ? line_room(N, CELLS) : 1;
        fixed_fft<SIGN, N, step>(place(), line_memory<float>() + line() * apart, turns, v);
#pragma unroll
        for (int i = 0; i < CELLS; i++) out[i] = v[i];
    }
};

/* Of a block of short lines: a row, or as many as make a warp; or a sector of 32 bytes. */
template <int N> constexpr int short_lines(bool rows)
{
    if (!rows) return 4;
    return mixed_line<N>::THREADS < 32 ? 32 / mixed_line<N>::THREADS : 1;
}

using short_lengths = std::integer_sequence<int, NDFT_PLANE_LINES>;

/* Others of usual length are transformed as if there were few: kernels take room. */
using many_lengths = std::integer_sequence<int, 96, 128, 160, 192, 256, 320, 400, 512>;

template <bool ROWS, class F, int... N>
bool by_short_line(const ndft_nufft_line &line, const F &f, std::integer_sequence<int, N...>)
{
    const auto *turns = (const ndft_complex<float> *)line.turns;
    return ((line.n == N && (f(short_line<N, short_lines<N>(ROWS)>{turns}), true)) || ...);
}

template <bool ROWS, class F, int... N>
bool by_many_line(const ndft_nufft_line &line, const F &f, std::integer_sequence<int, N...>)
{
    const auto *turns = (const ndft_complex<float> *)line.turns;
    return ((line.n == N && (f(many_line<N, ROWS>{turns}), true)) || ...);
}

/* f(line), as one of many or of few; false where the compiler does not know its length. */
template <bool ROWS, class F>
bool by_planar_line(const ndft_nufft_line &line, bool many, const F &f)
{
    return many ? by_many_line<ROWS>(line, f, many_lengths())
                : by_short_line<ROWS>(line, f, short_lengths());
}

/* Rows of voxels of a pass, and the rows of the grid that they lie on. */
struct row_work {
    ndft_nufft_image image;
    int coil; /* the first */
    int n[3];
    ndft_complex<float> *from, *to; /* [coil][z][y][x]: the same, or from has zeros left */
};

/* A row's first cell. */
__device__ __forceinline__ int64_t first_cell(const row_work &w, const image_row &row)
{
    const int64_t rows = (int64_t)w.n[1] * w.n[2];
    return (blockIdx.y * rows + grid_row_of(w.image, row, w.n)) * w.n[0];
}

/* The voxel of a row at a cell, -1: there is none. */
__device__ __forceinline__ int voxel_of(const row_work &w, const image_row &row, int cell)
{
    const int x = ndft_voxel_at(cell, w.n[0], w.image.n[0]);
    return row.inside && cell < w.n[0] ? x : -1;
}

/* Deapodisation of the voxels at a thread's cells, which EARLY lines fetch before data is there. */
template <class Line, int CELLS>
__device__ __forceinline__ void fetch_scale(const row_work &w, const image_row &row,
                                            const Line &line, float (&scale)[CELLS])
{
    const int y = row.inside ? row.y : 0, z = row.inside ? row.z : 0;
    const float of_row =
        ((const float *)w.image.scale[1])[y] * ((const float *)w.image.scale[2])[z];
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int x = voxel_of(w, row, line.template cell<CELLS>(i));
        scale[i] = ((const float *)w.image.scale[0])[max(x, 0)] * of_row;
    }
}

__device__ __forceinline__ ndft_complex<float> scaled(float scale, ndft_complex<float> value)
{
    return {scale * value.re, scale * value.im};
}

} // namespace

#endif
