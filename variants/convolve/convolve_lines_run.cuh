/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_RUN_CUH
#define NDFT_CONVOLVE_LINES_RUN_CUH

#include "convolve_lines.cuh"
#include "core/device.cuh"

#include <utility>

/* Plans and launches of convolve_lines.cuh. */

struct ndft_line_convolver {
    ndft_exec *exec;
    int dim, n[3], cells[3]; /* of the image, of the convolution; 1 beyond dim */
    void *kept;              /* [columns][n[2]][cells[1] or n[1]][cells[0]]; NULL in 1D */
    const void *turns[3];    /* exp(-2 pi i j/cells) per axis */
};

/* Whether a convolution of an image so long can be done so, 0 where not, and with what length: the
 * shortest, or, where lines are few, the shortest power of two, of whose cells a thread has fewer.
 */
inline int64_t ndft_line_length_of(int64_t least, int64_t odd)
{
    enum { LEAST = 16, MOST = 1024 };
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

/* Bytes of so many lines of n cells. */
template <class R> size_t line_bytes_of(int lines, int n)
{
    return (size_t)lines * (size_t)line_room(n, line_cells(n)) * sizeof(ndft_complex<R>);
}

/* Those of images of usual sizes, in f32. */
using known_lengths = std::integer_sequence<int, 128, 192, 256, 320, 384, 512, 640, 768, 1024>;

template <class F, int... N> bool with_known(int n, F f, std::integer_sequence<int, N...>)
{
    return ((n == N && (f(line_length<line_cells(N), N>()), true)) || ...);
}

/* f of a line_length; known: the compiler may know it. */
template <class R, class F> void with_length(int n, bool known, F f)
{
    if constexpr (sizeof(R) == sizeof(float))
        if (known && with_known(n, f, known_lengths())) return;
    switch (line_cells(n)) {
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
        job.cells[d] = c->cells[d];
        job.passes[d] = ndft_line_passes_of(c->cells[d], LINE_SHARE);
        job.turns[d] = (const ndft_complex<R> *)c->turns[d];
    }
    job.terms = terms;
    job.images = images;
    job.plane = (int64_t)c->cells[0] * (c->dim == 3 ? c->cells[1] : c->n[1]);
    job.column = job.plane * c->n[2];
    job.kept = (ndft_complex<R> *)c->kept;
    return job;
}

/* A block of neighbouring lines of an axis but the first. */
template <class R> dim3 across_block(const line_job<R> *job, int axis)
{
    int lines = lines_of<R>(job->cells[axis]);
    while (job->cells[0] % lines) lines /= 2;
    return dim3(lines, job->cells[axis] / job->passes[axis].cells);
}

/* As the compiler takes it of lengths that it knows: where lines along x are short it has fewer. */
template <class R> bool has_all_lines(const line_job<R> &job, int axis, dim3 block)
{
    return (int)block.x == lines_of<R>(job.cells[axis]);
}

/* Between the rows' transforms: the other axes. */
template <class R>
void convolve_across(const line_job<R> &job, int dim, unsigned columns, const R *spectra,
                     cudaStream_t stream)
{
    const int axis = dim - 1, n = job.cells[0];
    const dim3 block = across_block(&job, axis), middle = across_block(&job, 1);
    const dim3 planes(n / middle.x, columns, job.n[2]);
    const size_t bytes = line_bytes_of<R>(block.x, job.cells[axis]);
    const size_t middle_bytes = line_bytes_of<R>(middle.x, job.cells[1]);
    const bool whole = has_all_lines(job, axis, block),
               middle_whole = has_all_lines(job, 1, middle);
    with_length<R>(job.cells[1], middle_whole, [&](auto length) {
        using L = decltype(length);
        if (axis == 1)
            convolve_multiply<L, 1, R>
                <<<dim3(n / block.x, columns), block, bytes, stream>>>(job, spectra);
        else
            convolve_middle<L, -1, R><<<planes, middle, middle_bytes, stream>>>(job);
    });
    if (axis == 1) return;
    with_length<R>(job.cells[2], whole, [&](auto length) {
        convolve_multiply<decltype(length), 2, R>
            <<<dim3(n / block.x * job.cells[1], columns), block, bytes, stream>>>(job, spectra);
    });
    with_length<R>(job.cells[1], middle_whole, [&](auto length) {
        convolve_middle<decltype(length), +1, R><<<planes, middle, middle_bytes, stream>>>(job);
    });
}

/* terms and images: at most those of the batch. spectra: [terms][cells] reals with the factor of
 * both transforms in them. */
template <class R, class Hooks>
ndft_status ndft_convolve_lines(const ndft_line_convolver *c, int terms, int images,
                                const R *spectra, const Hooks &hooks)
{
    const cudaStream_t stream = ndft_stream(c->exec);
    const line_job<R> job = job_of<R>(c, terms, images);
    const int n = job.cells[0], rows = c->dim == 1 || lines_of<R>(n) < 2 ? 1 : lines_of<R>(n) / 2;
    const size_t bytes = line_bytes_of<R>(rows, n);
    const dim3 block(n / job.passes[0].cells, rows);
    const unsigned blocks = ndft_blocks(job.n[1], rows);
    if (c->dim == 1) {
        with_length<R>(n, false, [&](auto length) {
            if constexpr (length.N == 0)
                convolve_line<length.CELLS, R>
                    <<<images, block, bytes, stream>>>(job, hooks, spectra);
        });
        return ndft_launched(c->exec, "a convolution");
    }
    with_length<R>(n, true, [&](auto length) {
        convolve_rows<decltype(length), R>
            <<<dim3(blocks, terms * images, job.n[2]), block, bytes, stream>>>(job, hooks);
    });
    convolve_across(job, c->dim, terms * images, spectra, stream);
    with_length<R>(n, true, [&](auto length) {
        convolve_store<decltype(length), R>
            <<<dim3(blocks, images, job.n[2]), block, bytes, stream>>>(job, hooks);
    });
    return ndft_launched(c->exec, "a convolution");
}

} // namespace

/* Memory belongs to the arrays. cells: of either rule, 1 beyond dim. */
template <class R>
ndft_status ndft_line_convolver_make(ndft_arrays *arrays, int dim, const int64_t n[3],
                                     const int64_t cells[3], int terms, int images,
                                     ndft_line_convolver *c)
{
    *c = {};
    c->exec = arrays->exec;
    c->dim = dim;
    for (int d = 0; d < 3; d++) {
        c->n[d] = (int)n[d];
        c->cells[d] = (int)cells[d];
        const ndft_complex<R> *turns = nullptr;
        NDFT_TRY(ndft_place(arrays, "twiddle factors", cells[d], &turns, [&](int64_t j) {
            const double angle = -2 * M_PI * (double)j / (double)cells[d];
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
