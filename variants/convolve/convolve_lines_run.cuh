/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_RUN_CUH
#define NDFT_CONVOLVE_LINES_RUN_CUH

#include "convolve_lines.cuh"
#include "core/device.cuh"

#include <type_traits>

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
    const int cells = ndft_line_passes_of(n, LINE_SHARE).cells;
    return (size_t)lines * (size_t)line_room(n, cells) * sizeof(ndft_complex<R>);
}

/* A block's lines of n cells: neighbours enough for whole sectors, as many as fit without asking.
 */
template <class R> int lines_of(int n)
{
    const int cells = ndft_line_passes_of(n, LINE_SHARE).cells;
    int lines = 32;
    while (lines > 1 &&
           (lines * (n / cells) > line_threads<R>(cells) || line_bytes_of<R>(lines, n) > 48 << 10))
        lines /= 2;
    return lines;
}

/* f(constant) of the cells that a thread has of lines of n. */
template <class F> void with_cells(int n, F f)
{
    switch (ndft_line_passes_of(n, LINE_SHARE).cells) {
    case 12:
        return f(std::integral_constant<int, 12>());
    case 20:
        return f(std::integral_constant<int, 20>());
    default:
        return f(std::integral_constant<int, LINE_SHARE>());
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
    with_cells(job.cells[1], [&](auto cells) {
        constexpr int CELLS = cells.value;
        if (axis == 1)
            convolve_multiply<CELLS, 1, R>
                <<<dim3(n / block.x, columns), block, bytes, stream>>>(job, spectra);
        else
            convolve_middle<CELLS, -1, R><<<planes, middle, middle_bytes, stream>>>(job);
    });
    if (axis == 1) return;
    with_cells(job.cells[2], [&](auto cells) {
        convolve_multiply<cells.value, 2, R>
            <<<dim3(n / block.x * job.cells[1], columns), block, bytes, stream>>>(job, spectra);
    });
    with_cells(job.cells[1], [&](auto cells) {
        convolve_middle<cells.value, +1, R><<<planes, middle, middle_bytes, stream>>>(job);
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
    with_cells(n, [&](auto cells) {
        constexpr int CELLS = cells.value;
        if (c->dim == 1)
            convolve_line<CELLS, R><<<images, block, bytes, stream>>>(job, hooks, spectra);
        else
            convolve_rows<CELLS, R>
                <<<dim3(blocks, terms * images, job.n[2]), block, bytes, stream>>>(job, hooks);
    });
    if (c->dim == 1) return ndft_launched(c->exec, "a convolution");
    convolve_across(job, c->dim, terms * images, spectra, stream);
    with_cells(n, [&](auto cells) {
        convolve_store<cells.value, R>
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
