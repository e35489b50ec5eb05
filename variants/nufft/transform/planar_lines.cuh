/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_LINES_CUH
#define NDFT_NUFFT_PLANAR_LINES_CUH

#include "fft/mixed_fft.cuh"
#include "interleaved_fft.cuh"

/*
 * Lines as kernels of planar grids see them: threads of a block are (line, place in it). Before a
 * transform a thread has FIRST cells, after it LAST, cell<FIRST>(i) and cell<LAST>(i). And the rows
 * of voxels that lines along x are.
 */

namespace
{

/* Lines side by side of a block: in f32 a sector of 32 bytes. */
enum { COLUMNS = 4 };

/* Lines of usual lengths in f32, of which a block has LINES, by mixed_fft.cuh. */
template <class R, int N, int LINES> struct short_line {
    using mixed = mixed_line<N>;
    static constexpr bool SHORT = true;
    static constexpr int FIRST = mixed::FIRST, LAST = mixed::LAST, PLACES = mixed::THREADS;
    static constexpr int THREADS = LINES * PLACES, BLOCKS = 1;
    const ndft_complex<R> *turns;

    explicit short_line(const ndft_nufft_line &line) : turns((const ndft_complex<R> *)line.turns) {}
    static dim3 block(const ndft_device *, int64_t) { return dim3(LINES, PLACES); }
    static size_t bytes(const dim3 &)
    {
        return sizeof(ndft_complex<R>) * LINES * mixed::BUFFERS * mixed::ROOM;
    }
    __device__ constexpr int n() const { return N; }
    __device__ constexpr int lines() const { return LINES; }

    /* Of a thread's cell i of CELLS: the cell, N where it has none. */
    template <int CELLS> __device__ __forceinline__ int cell(int i) const
    {
        constexpr int apart = N / CELLS;
        return apart == PLACES || (int)threadIdx.y < apart ? (int)threadIdx.y + i * apart : N;
    }

    template <int SIGN> struct line_turns {
        mixed_turns<N, R> pass;
    };
    template <int SIGN> __device__ __forceinline__ line_turns<SIGN> fetch() const
    {
        line_turns<SIGN> fetched;
        fetch_turns<SIGN, N>(turns, threadIdx.y, fetched.pass);
        return fetched;
    }
    template <int SIGN>
    __device__ __forceinline__ void transform(const line_turns<SIGN> &fetched,
                                              ndft_complex<R> (&v)[FIRST],
                                              ndft_complex<R> (&out)[LAST]) const
    {
        mixed_fft<SIGN, N, LINES>(threadIdx.y, fetched.pass, line_memory<R>() + threadIdx.x,
                                  mixed::ROOM * LINES, v, out);
    }
};

/* All others. */
template <class R, int CELLS> struct long_line : any_line<R, CELLS> {
    using any = any_line<R, CELLS>;
    static constexpr bool SHORT = false;
    static constexpr int FIRST = CELLS, LAST = CELLS;

    using any::any;
    /* Fewer lines where blocks are few. */
    dim3 block(const ndft_device *device, int64_t lines) const
    {
        dim3 threads = any::block(device);
        while (threads.x > COLUMNS && lines / threads.x < device->units) threads.x /= 2;
        return threads;
    }
    static size_t bytes(const dim3 &threads) { return shared_bytes<any>(threads); }
    template <int> __device__ __forceinline__ int cell(int i) const
    {
        return threadIdx.y + i * any::places();
    }
    template <int SIGN> struct line_turns {
    };
    template <int SIGN> __device__ __forceinline__ line_turns<SIGN> fetch() const { return {}; }
    template <int SIGN>
    __device__ __forceinline__ void transform(const line_turns<SIGN> &, ndft_complex<R> (&v)[CELLS],
                                              ndft_complex<R> (&out)[CELLS]) const
    {
        any::template transform<SIGN>(v);
#pragma unroll
        for (int i = 0; i < CELLS; i++) out[i] = v[i];
    }
};

/* Of a block: a row, or as many as make a warp; or COLUMNS. */
template <int N> constexpr int lines_of_block(bool rows)
{
    if (!rows) return COLUMNS;
    return mixed_line<N>::THREADS < 32 ? 32 / mixed_line<N>::THREADS : 1;
}

template <class R, bool ROWS, class F, int... N>
bool by_short_line(const ndft_nufft_line &line, const F &f, std::integer_sequence<int, N...>)
{
    return ((line.n == N ? f(short_line<R, N, lines_of_block<N>(ROWS)>(line)), true : false) ||
            ...);
}

/* f(line), of a line whose length the compiler knows if it may be. */
template <class R, bool ROWS, class F>
void by_planar_line(const ndft_nufft_line &line, bool may, const F &f)
{
    if constexpr (sizeof(R) == sizeof(float)) {
        if (may && by_short_line<R, ROWS>(line, f, fixed_lengths())) return;
    }
    if (line.passes.cells == 12)
        f(long_line<R, 12>(line));
    else if (line.passes.cells == 20)
        f(long_line<R, 20>(line));
    else
        f(long_line<R, 16>(line));
}

/* Kernels serve lines of several lengths and plans: all are allowed what a block can have. */
template <class Line, class... Kernel>
ndft_status allow_blocks(ndft_exec *exec, const Line &line, Kernel... kernels)
{
    const size_t most = exec->device.shared_bytes;
    if constexpr (!Line::SHORT)
        return allow_lines<typename Line::any>(exec, line, line.length, kernels...);
    ndft_status status = NDFT_OK;
    ((status = status == NDFT_OK ? ndft_allow_shared(exec, (const void *)kernels, most) : status),
     ...);
    return status;
}

/* Rows of voxels of a pass, and the rows of the grid that they lie on. */
template <class R> struct row_work {
    ndft_nufft_image image;
    ndft_nufft_pass pass;
    ndft_rank_view<R> rank;
    int n[3];
    ndft_complex<R> *from, *to; /* [column][z][y][x]: the same, or from has zeros left */
    bool crops;                 /* to the image, not to cells */
};

/* What a block has of a pass: a column, the coil and the term of it, counted from the first. */
struct pass_column {
    int column, coil, term;
};

__device__ __forceinline__ pass_column column_of(const ndft_nufft_pass &pass, int column)
{
    const int term = pass.terms > 1 ? column / pass.coils : 0;
    return {column, column - term * pass.coils, term};
}

/* A row's first cell. */
template <class R>
__device__ __forceinline__ int64_t first_cell(const row_work<R> &w, const image_row &row,
                                              const pass_column &at)
{
    const int64_t rows = (int64_t)w.n[1] * w.n[2];
    return (at.column * rows + grid_row_of(w.image, row, w.n)) * w.n[0];
}

/* A row's voxel at a cell, and its place in the image; -1: there is none in use. Of short lines all
 * are. */
struct row_voxel {
    int x;
    int64_t at;
};

template <class Line, class R>
__device__ __forceinline__ row_voxel voxel_of(const row_work<R> &w, const image_row &row, int cell)
{
    const int x = ndft_voxel_at(cell, w.n[0], w.image.n[0]);
    if (!row.inside || cell >= w.n[0] || x < 0) return {x, -1};
    return {x, Line::SHORT ? row.first + x : place_in_row(w.image, row, x)};
}

/* A value times what alone weighs voxels of short lines. */
template <class R>
__device__ __forceinline__ ndft_complex<R> deapodised(const row_work<R> &w, const image_row &row,
                                                      int x, ndft_complex<R> value)
{
    const R scale = ((const R *)w.image.scale[0])[x] * ((const R *)w.image.scale[1])[row.y] *
                    ((const R *)w.image.scale[2])[row.z];
    return {scale * value.re, scale * value.im};
}

} // namespace

#endif
