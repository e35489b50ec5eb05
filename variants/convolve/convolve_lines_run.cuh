/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_RUN_CUH
#define NDFT_CONVOLVE_LINES_RUN_CUH

#include "convolve_lines.cuh"
#include "core/device.cuh"

#include <algorithm>
#include <utility>

/* Plans and launches of convolve_lines.cuh. */

struct ndft_line_convolver {
    ndft_exec *exec;
    bool few;               /* lines, which are powers of two, have many threads each */
    int dim, n[3], half[3]; /* of the image, of the convolution; 0 beyond dim */
    void *kept;             /* [columns][n[2]][2 half[1] or n[1]][2 half[0]]; NULL in 1D */
    const void *turns[3];
};

/* Whether a convolution of an image so long can be done so, 0 where not, and with how many cells:
 * the shortest, or, where lines are few, the shortest power of two, of whose cells a thread has
 * fewer. */
inline int64_t ndft_line_length_of(int64_t least, int64_t odd)
{
    enum { LEAST = 32, MOST = 2048 };
    int64_t length = LEAST * odd;
    while (length < least) length *= 2;
    return length <= MOST ? length : 0;
}

inline int64_t ndft_line_length_power(int64_t least) { return ndft_line_length_of(least, 1); }

inline int64_t ndft_line_length(int64_t least)
{
    int64_t shortest = ndft_line_length_power(least);
    for (const int odd : {3, 5, 9, 25}) {
        const int64_t length = ndft_line_length_of(least, odd);
        if (length && (!shortest || length < shortest)) shortest = length;
    }
    return shortest;
}

namespace
{

/* Halves that the compiler knows in f32: of images of usual sizes; of those in 3D; of images that
 * are few, whose lines have as many threads as they can; of squares that fill them, in so many
 * columns that no groups of threads share halves. */
using known_lengths = std::integer_sequence<int, 64, 96, 128, 160, 192, 256, 320, 384, 512>;
using known_in_3d = std::integer_sequence<int, 64, 96, 128, 160, 192>;
using known_of_few = std::integer_sequence<int, 64, 128, 256>;
using known_squares = std::integer_sequence<int, 256>;
enum { COLUMNS_OF_SQUARES = 8 };

/* A thread's cells of such a half. */
constexpr int known_cells(int n, bool few) { return few ? LINE_SHARE : fixed_cells(n); }

template <bool FEW, bool SQUARE = false, class F, int... N>
bool with_known(int n, F f, std::integer_sequence<int, N...>)
{
    return ((n == N && (f(line_length<known_cells(N, FEW), N, SQUARE>()), true)) || ...);
}

/* f of a line_length; lines: that a block has, which the compiler may know. */
template <class R, class Known = known_lengths, class F>
void with_length(int n, bool few, bool square, int lines, F f)
{
    if constexpr (sizeof(R) == sizeof(float)) {
        const bool whole = lines == lines_of<R>(n, known_cells(n, few));
        if (whole && !few && square && with_known<false, true>(n, f, known_squares())) return;
        if (whole &&
            (few ? with_known<true>(n, f, known_of_few()) : with_known<false>(n, f, Known())))
            return;
    }
    switch (n % 5 == 0 ? 20 : n % 3 == 0 ? 12 : LINE_SHARE) {
    case 12:
        return f(line_length<12>());
    case 20:
        return f(line_length<20>());
    default:
        return f(line_length<LINE_SHARE>());
    }
}

template <class R> line_job<R> job_of(const ndft_line_convolver *c, int terms, int images)
{
    line_job<R> job = {};
    for (int d = 0; d < 3; d++) {
        job.n[d] = c->n[d];
        job.half[d] = c->half[d];
        if (d < c->dim) job.passes[d] = ndft_line_passes_of(c->half[d], LINE_SHARE);
        job.turns[d] = (const ndft_complex<R> *)c->turns[d];
    }
    job.terms = terms;
    job.images = images;
    job.plane = 2 * (int64_t)c->half[0] * (c->dim == 3 ? 2 * c->half[1] : c->n[1]);
    job.column = job.plane * c->n[2];
    job.kept = (ndft_complex<R> *)c->kept;
    return job;
}

template <class L, class R> size_t bytes_of(const dim3 &block, int n)
{
    return (size_t)(block.x * block.y * block.z) / (size_t)(n / L::CELLS) *
           (size_t)line_room(n, L::CELLS) * sizeof(ndft_complex<R>);
}

/* Threads that an H200's multiprocessor should have: with fewer, halves, or terms, are shared among
 * groups. Blocks of few threads begin and end at different times. */
enum { WANTED_OF_HALVES = 128, WANTED_OF_TERMS = 512, MOST_GROUPS = 16, ALONG_THREADS = 64 };

/* Groups of a block for so many parts of the work, each of so many threads and bytes. */
template <class L, class R>
int groups_of(const ndft_exec *exec, int64_t blocks, int parts, int threads, size_t bytes)
{
    const int64_t wanted =
        (int64_t)exec->device.units * (parts > 2 ? WANTED_OF_TERMS : WANTED_OF_HALVES);
    const int most =
        (int)std::min<int64_t>({(int64_t)parts, MOST_GROUPS, line_threads<R, L>() / threads,
                                BLOCK_BYTES / (int64_t)bytes});
    int groups = 1;
    while (groups < most && blocks * threads * groups < wanted) groups++;
    return (parts + (parts + groups - 1) / groups - 1) / ((parts + groups - 1) / groups);
}

/* Rows of blocks along x: few enough that each multiprocessor has one. */
template <class L, class R>
dim3 along_block(const ndft_exec *exec, const line_job<R> &job, int columns, int parts)
{
    const int n = job.half[0], threads = n / L::CELLS;
    int rows = lines_of<R>(n, L::CELLS);
    const int64_t all = (int64_t)job.n[2] * columns;
    while (rows > 1 && (all * ndft_blocks(job.n[1], rows) < 2 * exec->device.units ||
                        rows * threads > ALONG_THREADS || job.n[1] == 1))
        rows /= 2;
    const dim3 block(threads, rows);
    return dim3(threads, rows,
                groups_of<L, R>(exec, all * ndft_blocks(job.n[1], rows), parts, threads * rows,
                                bytes_of<L, R>(block, n)));
}

/* Neighbouring lines of an axis but the first. */
template <class R> int lines_beside(const line_job<R> &job, int axis, bool few)
{
    const int n = job.half[axis];
    int lines = lines_of<R>(n, known_cells(n, few));
    while (2 * job.half[0] % lines) lines /= 2;
    return lines;
}

template <class R> struct line_run {
    const ndft_line_convolver *c;
    line_job<R> job;
    int columns;

    bool square() const
    {
        return c->dim == 2 && columns >= COLUMNS_OF_SQUARES && job.n[0] == job.half[0] &&
               job.n[1] == job.half[1] && job.n[0] == job.n[1];
    }

    template <class L, class Kernel, class... More>
    ndft_status across(int axis, Kernel kernel, int lines, int64_t beside, int planes, More... more)
    {
        const int n = job.half[axis], threads = lines * (n / L::CELLS);
        const dim3 blocks((unsigned)(beside / lines), columns, planes);
        const dim3 one(lines, n / L::CELLS);
        const int groups = groups_of<L, R>(c->exec, (int64_t)blocks.x * columns * planes,
                                           L::SQUARE ? 1 : 2, threads, bytes_of<L, R>(one, n));
        const dim3 block(one.x, one.y, groups);
        const size_t bytes = bytes_of<L, R>(block, n) + turns_kept<L>() * sizeof(ndft_complex<R>);
        return ndft_launch_early(c->exec, blocks, block, bytes, kernel, job, more...);
    }

    template <int SIGN> ndft_status middle()
    {
        const int lines = lines_beside(job, 1, false);
        ndft_status status = NDFT_OK;
        with_length<R, known_in_3d>(job.half[1], false, false, lines, [&](auto length) {
            using L = decltype(length);
            status = across<L>(1, convolve_middle<L, SIGN, R>, lines, 2 * job.half[0], job.n[2]);
        });
        return status;
    }

    ndft_status multiply(const R *spectra)
    {
        const int axis = c->dim - 1, lines = lines_beside(job, axis, c->few);
        const int64_t beside = 2 * (int64_t)job.half[0] * (axis == 2 ? 2 * job.half[1] : 1);
        ndft_status status = NDFT_OK;
        with_length<R>(job.half[axis], c->few, square(), lines, [&](auto length) {
            using L = decltype(length);
            status = across<L>(axis, convolve_multiply<L, R>, lines, beside, 1, axis, spectra);
        });
        return status;
    }

    /* f<L>(blocks, block, bytes) of lines along x, so many at a time, each of so many terms. */
    template <class F> ndft_status along(int at_a_time, int terms, bool known, F f)
    {
        const int n = job.half[0];
        ndft_status status = NDFT_OK;
        with_length<R>(n, c->few, square(), known ? lines_of<R>(n, known_cells(n, c->few)) : 0,
                       [&](auto length) {
                           using L = decltype(length);
                           const bool whole = L::SQUARE || (known && 2 * terms > MOST_GROUPS);
                           const dim3 block = along_block<L, R>(c->exec, job, at_a_time,
                                                                whole ? terms : 2 * terms);
                           const dim3 blocks(ndft_blocks(job.n[1], block.y), at_a_time, job.n[2]);
                           status = f(length, blocks, block, bytes_of<L, R>(block, n));
                       });
        return status;
    }
};

/* terms and images: at most those of the batch. spectra: [terms][cells] reals with the factor of
 * both transforms in them, halves as convolve_lines.cuh keeps them. */
template <class R, class Hooks>
ndft_status ndft_convolve_lines(const ndft_line_convolver *c, int terms, int images,
                                const R *spectra, const Hooks &hooks)
{
    line_run<R> run = {c, job_of<R>(c, terms, images), terms * images};
    if (c->dim == 1)
        return run.along(images, terms, false,
                         [&](auto length, dim3 blocks, dim3 block, size_t bytes) {
                             if constexpr (length.N > 0)
                                 return NDFT_OK;
                             else
                                 return ndft_launch_early(c->exec, dim3(blocks.y), block, bytes,
                                                          convolve_line<length.CELLS, R, Hooks>,
                                                          run.job, hooks, spectra);
                         });
    NDFT_TRY(
        run.along(terms * images, 1, true, [&](auto length, dim3 blocks, dim3 block, size_t bytes) {
            return ndft_launch_early(c->exec, blocks, block, bytes,
                                     convolve_rows<decltype(length), R, Hooks>, run.job, hooks);
        }));
    if (c->dim == 3) NDFT_TRY(run.template middle<-1>());
    NDFT_TRY(run.multiply(spectra));
    if (c->dim == 3) NDFT_TRY(run.template middle<+1>());
    return run.along(images, terms, true, [&](auto length, dim3 blocks, dim3 block, size_t bytes) {
        return ndft_launch_early(c->exec, blocks, block, bytes,
                                 convolve_store<decltype(length), R, Hooks>, run.job, hooks);
    });
}

} // namespace

/* Memory belongs to the arrays. cells: of ndft_line_length, where images are few of
 * ndft_line_length_power; 1 beyond dim. */
template <class R>
ndft_status ndft_line_convolver_make(ndft_arrays *arrays, int dim, const int64_t n[3],
                                     const int64_t cells[3], int terms, int images, bool few,
                                     ndft_line_convolver *c)
{
    *c = {};
    c->few = few;
    c->exec = arrays->exec;
    c->dim = dim;
    for (int d = 0; d < 3; d++) {
        c->n[d] = (int)n[d];
        if (d >= dim) continue;
        const int64_t half = cells[d] / 2;
        const ndft_complex<R> *turns = nullptr;
        c->half[d] = (int)half;
        const int share = known_cells((int)half, few && !(dim == 3 && d == 1));
        NDFT_TRY(
            ndft_place(arrays, "twiddle factors", half_turns(half, share), &turns, [&](int64_t j) {
                const double angle = -M_PI * (double)half_turn(half, share, j) / (double)half;
                return ndft_complex<R>{(R)cos(angle), (R)sin(angle)};
            }));
        c->turns[d] = turns;
    }
    if (dim == 1) return NDFT_OK;
    ndft_complex<R> *kept = nullptr;
    const int64_t column = job_of<R>(c, terms, images).column;
    NDFT_TRY(ndft_reserve(arrays, "grids of the convolution", column * terms * images, &kept));
    c->kept = kept;
    return NDFT_OK;
}

#endif
