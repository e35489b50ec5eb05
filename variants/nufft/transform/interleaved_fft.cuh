/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_FFT_CUH
#define NDFT_NUFFT_INTERLEAVED_FFT_CUH

#include "convolve/filter_run.cuh"
#include "convolve/filter_shape.h"
#include "fft/fixed_fft.cuh"
#include "interleaved_shape.h"
#include "nufft/pipeline_cufft.cuh"

#include <utility>

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
    const unsigned *reached; /* by ndft_nufft_reached_make, in two dimensions */
};

/* Which cells samples reach in two dimensions: bit i of word [x][place] is of cell y that is place
 * and i times a line's places. Others need not be written before samples are read, nor where they
 * are spread. */
ndft_status ndft_nufft_reached_make(ndft_nufft_plan *, ndft_nufft_lines *);

ndft_status ndft_nufft_lines_make(ndft_arrays *, ndft_prec, int dim, const int n[3],
                                  ndft_nufft_lines *);

/* For lines that are to run. */
ndft_status ndft_nufft_lines_allow_forward(ndft_exec *, ndft_prec, int dim, const int n[3],
                                           const ndft_nufft_lines *);

ndft_status ndft_nufft_lines_run(const ndft_nufft_plan *, const ndft_nufft_lines *,
                                 const ndft_nufft_pass *, const ndft_nufft_lanes &, const void *in);

/* The other way (interleaved_adjoint.cu), for lines that are allowed it: from a pass' grids to the
 * image, deapodised, summed over terms with conjugate weights, and with coil maps over coils. */

ndft_status ndft_nufft_lines_allow_adjoint(ndft_exec *, ndft_prec, int dim, const int n[3],
                                           const ndft_nufft_lines *);

ndft_status ndft_nufft_lines_adjoint(const ndft_nufft_plan *, const ndft_nufft_lines *,
                                     const ndft_nufft_pass *, const ndft_nufft_lanes &, void *out);

/*
 * Lines as kernels see them: a block has LINES() of them side by side, threads (line, place in it).
 * Usual lengths in f32 are known to the compiler, all others and f64 have a kernel for any length.
 */

namespace
{

template <class R> __device__ __forceinline__ ndft_complex<R> *line_memory()
{
    extern __shared__ __align__(16) unsigned char line_bytes[];
    return (ndft_complex<R> *)line_bytes;
}

/* Of a length that the compiler knows: FEW lines, more where they are short. */
template <class R, int N, int FEW> struct fixed_line {
    static constexpr bool FIXED = true;
    static constexpr int LENGTH = N, CELLS = fixed_cells(N), PLACES = N / CELLS;
    static constexpr int LINES = FEW * (PLACES >= 16 ? 1 : PLACES >= 8 ? 2 : 4);
    static constexpr int THREADS = LINES * PLACES;
    /* of a multiprocessor; four of 640 cells, 8 lines, leave too little of the first cache */
    static constexpr int BLOCKS = 65536 / ((N == 400 || THREADS == 512 ? 64 : 80) * THREADS);
    static constexpr int ROOM = line_room(N, CELLS); /* complex numbers of shared memory */
    static constexpr bool OF_GROUP = LINES == 8;     /* as many as a group has lanes at most */
    static constexpr bool OF_SQUARE = OF_GROUP || N >= 400; /* has square_lines */
    const ndft_complex<R> *turns;

    explicit fixed_line(const ndft_nufft_line &line) : turns((const ndft_complex<R> *)line.turns) {}
    static dim3 block(const ndft_device *) { return dim3(LINES, PLACES); }
    __device__ constexpr int n() const { return N; }
    __device__ constexpr int lines() const { return LINES; }
    __device__ constexpr int places() const { return PLACES; }
    template <int SIGN = -1>
    __device__ __forceinline__ void transform(ndft_complex<R> (&v)[CELLS]) const
    {
        fixed_fft<SIGN, N, LINES>(threadIdx.y, line_memory<R>() + threadIdx.x, turns, v);
    }
};

/* Of any length, of which a thread has CELLS cells. */
template <class R, int CELLS_OF_THREAD> struct any_line {
    static constexpr bool FIXED = false, OF_GROUP = false, OF_SQUARE = false;
    static constexpr int CELLS = CELLS_OF_THREAD;
    static constexpr int THREADS = filter_threads<R>(CELLS), BLOCKS = filter_blocks<R>(CELLS);
    int length, first, rest;
    const ndft_complex<R> *turns;

    explicit any_line(const ndft_nufft_line &line)
        : length(line.n), first(line.passes.first), rest(line.passes.rest),
          turns((const ndft_complex<R> *)line.turns)
    {
    }
    /* So many lines, a power of two, as make a block of some 256 threads and fit in it. */
    dim3 block(const ndft_device *device) const
    {
        const int places = length / CELLS;
        const size_t room = (size_t)line_room(length, CELLS) * sizeof(ndft_complex<R>);
        int lines = 1;
        while (2 * lines * places <= THREADS && lines * places < 256 &&
               2 * lines * room <= device->shared_bytes)
            lines *= 2;
        return dim3((unsigned)lines, (unsigned)places);
    }
    __device__ int n() const { return length; }
    __device__ int lines() const { return (int)blockDim.x; }
    __device__ int places() const { return (int)blockDim.y; }
    template <int SIGN = -1>
    __device__ __forceinline__ void transform(ndft_complex<R> (&v)[CELLS]) const
    {
        const block_part<R> part = {
            length, first, rest, (int)threadIdx.y, (int)blockDim.x, line_memory<R>() + threadIdx.x,
            turns};
        block_fft<SIGN>(part, v);
    }
};

using fixed_lengths = std::integer_sequence<int, NDFT_USUAL_LINES>;

/* Whether a line's passes are those that the compiler takes for its length. */
template <int N> bool is_fixed(const ndft_nufft_line &line)
{
    return line.n == N && line.passes.cells == fixed_cells(N) &&
           line.passes.rest == fixed_rest(N, fixed_cells(N)) &&
           line.passes.first == fixed_first(N, fixed_cells(N));
}

/* f of a line of one of the lengths N; false where it has none of them. */
template <class R, int FEW, class F, int... N>
bool by_fixed_line(const ndft_nufft_line &line, F f, std::integer_sequence<int, N...>)
{
    return ((is_fixed<N>(line) && (f(fixed_line<R, N, FEW>(line)), true)) || ...);
}

/* f of a line as kernels see it; those of a known length are so FEW in a block. */
template <class R, int FEW = 8, class F> void by_line(const ndft_nufft_line &line, F f)
{
    if constexpr (sizeof(R) == sizeof(float)) {
        if (by_fixed_line<R, FEW>(line, f, fixed_lengths())) return;
    }
    if (line.passes.cells == 12)
        f(any_line<R, 12>(line));
    else if (line.passes.cells == 20)
        f(any_line<R, 20>(line));
    else
        f(any_line<R, 16>(line));
}

template <class Line> size_t shared_bytes(const dim3 &threads)
{
    const int room = line_room((int)threads.y * Line::CELLS, Line::CELLS);
    return (size_t)threads.x * room * sizeof(*Line::turns);
}

/* A line's passes and turns. */
template <class R> ndft_status make_line(ndft_arrays *arrays, int n, ndft_nufft_line *line)
{
    line->n = n;
    line->passes = ndft_line_passes_of(n, NDFT_LINE_SHARE);
    return place_turns<R>(arrays, n, 1, n, &line->turns);
}

/* Kernels serve lines of several lengths and plans: all are allowed what a block can have. */
template <class Line, class... Kernel>
ndft_status allow_lines(ndft_exec *exec, const Line &line, int n, Kernel... kernels)
{
    const size_t most = exec->device.shared_bytes;
    const size_t bytes = shared_bytes<Line>(line.block(&exec->device));
    if (bytes > most)
        return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                         "lines of %d cells take %zu bytes of shared memory, a block has %zu", n,
                         bytes, most);
    ndft_status status = NDFT_OK;
    ((status = status == NDFT_OK ? ndft_allow_shared(exec, (const void *)kernels, most) : status),
     ...);
    return status;
}

/* A row of the image. */
struct image_row {
    bool inside;
    int y, z;
    int64_t first; /* voxel */
};

__device__ __forceinline__ image_row row_of(const ndft_nufft_image &image, int row)
{
    const int z = row / image.n[1];
    return {row < image.n[1] * image.n[2], row - z * image.n[1], z, (int64_t)row * image.n[0]};
}

/* The place in the image of a row's voxel, -1: it is not in use. */
__device__ __forceinline__ int64_t place_in_row(const ndft_nufft_image &image, const image_row &row,
                                                int x)
{
    return image.inside ? image.inside[row.first + x] : row.first + x;
}

/* The weight, deapodised, of a row's voxel, which is at a place in the image, in a column. */
template <class R>
__device__ __forceinline__ ndft_complex<R>
weight_in_row(const ndft_nufft_image &image, const ndft_rank_view<R> &rank, const image_row &row,
              int x, int64_t at, int column)
{
    const ndft_complex<R> weight = ndft_rank_voxel(rank, at, column);
    const R scale = ((const R *)image.scale[0])[x] * ((const R *)image.scale[1])[row.y] *
                    ((const R *)image.scale[2])[row.z];
    return {scale * weight.re, scale * weight.im};
}

/* The row of the grid on which a row of the image lies, counted through all planes. */
__device__ __forceinline__ int64_t grid_row_of(const ndft_nufft_image &image, const image_row &row,
                                               const int (&n)[3])
{
    const int64_t y = ndft_grid_cell(row.y - image.n[1] / 2, n[1]);
    return ndft_grid_cell(row.z - image.n[2] / 2, n[2]) * n[1] + y;
}

} // namespace

#endif
