/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_CUH
#define NDFT_CONVOLVE_LINES_CUH

#include "core/device.cuh"
#include "fft/line_fft.cuh"

/*
 * Circular convolutions of images with zeros around them, whose lengths are powers of two up to
 * 1024: forward transform, multiply, inverse, all transforms inside blocks (line_fft.cuh). Zeros
 * are never transformed along x, nor kept anywhere:
 *
 *     rows      load a row of the image, transform, keep            [n[1], n[2]] rows of cells[0]
 *     lengthen  in 3D, along y                                      [cells[1], n[2]] rows
 *     multiply  along the last axis: transform, multiply, back      as before
 *     shorten   in 3D, back along y
 *     store     back along x, hand over the row
 *
 * In 1D all is one kernel. A column is term * images + image of a batch; images share terms'
 * spectra. A variant brings hooks:
 *
 *     ndft_complex<R> load(int term, int image, int64_t row, int x)
 *     void gather(int term, int64_t row, int x, ndft_complex<R> value, ndft_complex<R> *sum)
 *     void store(int image, int64_t row, int x, ndft_complex<R> sum)    the sum over terms
 */

struct ndft_line_convolver {
    ndft_exec *exec;
    int dim, n[3], cells[3]; /* of the image, of the convolution; 1 beyond dim */
    void *kept;              /* [columns][n[2]][cells[1] or n[1]][cells[0]]; NULL in 1D */
    const void *turns[3];    /* exp(-2 pi i j/cells) per axis */
};

/* Whether a convolution of an image so long can be done so, and with what length. */
inline int64_t ndft_line_length(int64_t least)
{
    int64_t length = LINE_LEAST;
    while (length < least) length *= 2;
    return length <= LINE_MOST ? length : 0;
}

namespace
{

template <class R> struct line_job {
    int n[3], cells[3], first[3], terms, images;
    int64_t plane, column; /* cells kept of a plane, of a column */
    ndft_complex<R> *kept;
    const ndft_complex<R> *turns[3];
};

template <class R> __device__ ndft_complex<R> *line_memory()
{
    extern __shared__ __align__(16) unsigned char line_bytes[];
    return (ndft_complex<R> *)line_bytes;
}

/* In a block of whole lines along x, cells fastest. */
template <class R> __device__ line_part<R> along(const line_job<R> &job, int line, int t)
{
    const int n = job.cells[0];
    return {n, job.first[0], t, 1, line_memory<R>() + line * (n + n / 8), job.turns[0]};
}

/* The same, lines fastest: neighbouring lines along another axis. */
template <int AXIS, class R> __device__ line_part<R> across(const line_job<R> &job)
{
    return {job.cells[AXIS],
            job.first[AXIS],
            (int)threadIdx.y,
            (int)blockDim.x,
            line_memory<R>() + threadIdx.x,
            job.turns[AXIS]};
}

/* Where a block of convolve_rows or convolve_store works: blockIdx.x on lines of plane blockIdx.z.
 */
template <class R> struct line_row {
    line_part<R> part;
    int t, threads;
    bool inside;
    int64_t row, at; /* of the image, and its first cell in a column */

    __device__ explicit line_row(const line_job<R> &job)
        : part(along(job, threadIdx.y, threadIdx.x)), t(threadIdx.x), threads(blockDim.x)
    {
        const int y = blockIdx.x * blockDim.y + threadIdx.y;
        inside = y < job.n[1];
        row = (int64_t)blockIdx.z * job.n[1] + y;
        at = blockIdx.z * job.plane + (int64_t)y * job.cells[0] + t;
    }
};

/* blockIdx.y: columns */
template <class R, class Hooks> __global__ void convolve_rows(line_job<R> job, Hooks hooks)
{
    const line_row<R> line(job);
    const int term = blockIdx.y / job.images, image = blockIdx.y - term * job.images;
    ndft_complex<R> v[LINE_CELLS];
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++) {
        const int x = line.t + i * line.threads;
        v[i] = {0, 0};
        if (x < job.n[0] && line.inside) v[i] = hooks.load(term, image, line.row, x);
    }
    line_fft<-1>(line.part, v);
    ndft_complex<R> *to = job.kept + blockIdx.y * job.column + line.at;
    if (line.inside)
        for (int i = 0; i < LINE_CELLS; i++) to[i * line.threads] = v[i];
}

/* blockIdx.y: images; terms one after the other */
template <class R, class Hooks> __global__ void convolve_store(line_job<R> job, Hooks hooks)
{
    const line_row<R> line(job);
    ndft_complex<R> sum[LINE_CELLS] = {}, v[LINE_CELLS] = {};
    const ndft_complex<R> *from = job.kept + blockIdx.y * job.column + line.at;
    for (int term = 0; term < job.terms; term++, from += job.images * job.column) {
        if (line.inside)
            for (int i = 0; i < LINE_CELLS; i++) v[i] = from[i * line.threads];
        line_fft<+1>(line.part, v);
#pragma unroll
        for (int i = 0; i < LINE_CELLS; i++) {
            const int x = line.t + i * line.threads;
            if (x < job.n[0] && line.inside) hooks.gather(term, line.row, x, v[i], &sum[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++) {
        const int x = line.t + i * line.threads;
        if (x < job.n[0] && line.inside) hooks.store(blockIdx.y, line.row, x, sum[i]);
    }
}

/* A thread's cells of a line, those below n. */
template <class R>
__device__ void fetch(const ndft_complex<R> *from, int n, int64_t step, ndft_complex<R> v[8])
{
    step *= blockDim.y;
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++) {
        v[i] = {0, 0};
        if (threadIdx.y + i * blockDim.y < n) v[i] = from[i * step];
    }
}

template <class R>
__device__ void put_back(const ndft_complex<R> v[8], int n, int64_t step, ndft_complex<R> *to)
{
    step *= blockDim.y;
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++)
        if (threadIdx.y + i * blockDim.y < n) to[i * step] = v[i];
}

/* The middle axis of three, in place: SIGN -1 lengthens, +1 shortens. blockIdx.y: columns,
 * blockIdx.z: planes. */
template <int SIGN, class R>
__global__ void __launch_bounds__(2048 / sizeof(R), 2) convolve_middle(line_job<R> job)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, n = job.cells[0];
    ndft_complex<R> *at =
        job.kept + blockIdx.y * job.column + blockIdx.z * job.plane + x + (int64_t)threadIdx.y * n;
    ndft_complex<R> v[LINE_CELLS];
    fetch(at, SIGN < 0 ? job.n[1] : job.cells[1], n, v);
    line_fft<SIGN>(across<1>(job), v);
    put_back(v, SIGN < 0 ? job.cells[1] : job.n[1], n, at);
}

/* The last axis of two or three. */
template <int AXIS, class R>
__global__ void __launch_bounds__(2048 / sizeof(R), 2)
    convolve_multiply(line_job<R> job, const R *spectra)
{
    const int64_t all = AXIS == 2 ? (int64_t)job.cells[0] * job.cells[1] : job.cells[0];
    const int64_t step = AXIS == 2 ? job.plane : job.cells[0];
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const line_part<R> part = across<AXIS>(job);
    ndft_complex<R> *at = job.kept + blockIdx.y * job.column + threadIdx.y * step + x,
                    v[LINE_CELLS];
    fetch(at, job.n[AXIS], step, v);
    line_fft<-1>(part, v);
    spectra += (int64_t)(blockIdx.y / job.images * job.cells[AXIS] + threadIdx.y) * all + x;
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++) {
        const R factor = spectra[i * blockDim.y * all];
        v[i] = {v[i].re * factor, v[i].im * factor};
    }
    line_fft<+1>(part, v);
    put_back(v, job.n[AXIS], step, at);
}

/* All of a convolution in 1D; blockIdx.x: images. */
template <class R, class Hooks>
__global__ void convolve_line(line_job<R> job, Hooks hooks, const R *spectra)
{
    const int threads = blockDim.x, t = threadIdx.x;
    const line_part<R> part = along(job, 0, t);
    ndft_complex<R> sum[LINE_CELLS] = {}, v[LINE_CELLS];
    for (int term = 0; term < job.terms; term++) {
#pragma unroll
        for (int i = 0; i < LINE_CELLS; i++) {
            v[i] = {0, 0};
            if (t + i * threads < job.n[0]) v[i] = hooks.load(term, blockIdx.x, 0, t + i * threads);
        }
        line_fft<-1>(part, v);
        for (int i = 0; i < LINE_CELLS; i++) {
            const R factor = spectra[term * job.cells[0] + t + i * threads];
            v[i] = {v[i].re * factor, v[i].im * factor};
        }
        line_fft<+1>(part, v);
#pragma unroll
        for (int i = 0; i < LINE_CELLS; i++)
            if (t + i * threads < job.n[0]) hooks.gather(term, 0, t + i * threads, v[i], &sum[i]);
    }
#pragma unroll
    for (int i = 0; i < LINE_CELLS; i++)
        if (t + i * threads < job.n[0]) hooks.store(blockIdx.x, 0, t + i * threads, sum[i]);
}

/* A block's lines of n cells: 16 to 64 KiB of registers, neighbours enough for whole sectors. */
template <class R> int lines_of(int n)
{
    const int threads = 2048 / (int)sizeof(R), lines = threads / (n / 8);
    return lines < 32 ? lines : 32;
}

template <class R> size_t line_bytes_of(int lines, int n)
{
    return (size_t)lines * (size_t)(n + n / 8) * sizeof(ndft_complex<R>);
}

inline int first_radix(int n)
{
    while (n > 8) n /= 8;
    return n == 1 ? 8 : n;
}

template <class R> line_job<R> job_of(const ndft_line_convolver *c, int terms, int images)
{
    line_job<R> job = {};
    for (int d = 0; d < 3; d++) {
        job.n[d] = c->n[d];
        job.cells[d] = c->cells[d];
        job.first[d] = first_radix(c->cells[d]);
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
    const int lines = lines_of<R>(job->cells[axis]);
    return dim3(lines < job->cells[0] ? lines : job->cells[0], job->cells[axis] / 8);
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
    if (axis == 1) {
        convolve_multiply<1, R><<<dim3(n / block.x, columns), block, bytes, stream>>>(job, spectra);
        return;
    }
    convolve_middle<-1, R><<<planes, middle, middle_bytes, stream>>>(job);
    convolve_multiply<2, R>
        <<<dim3(n / block.x * job.cells[1], columns), block, bytes, stream>>>(job, spectra);
    convolve_middle<+1, R><<<planes, middle, middle_bytes, stream>>>(job);
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
    const dim3 block(n / 8, rows);
    const unsigned blocks = ndft_blocks(job.n[1], rows);
    if (c->dim == 1) {
        convolve_line<R><<<images, block, bytes, stream>>>(job, hooks, spectra);
        return ndft_launched(c->exec, "a convolution");
    }
    convolve_rows<R><<<dim3(blocks, terms * images, job.n[2]), block, bytes, stream>>>(job, hooks);
    convolve_across(job, c->dim, terms * images, spectra, stream);
    convolve_store<R><<<dim3(blocks, images, job.n[2]), block, bytes, stream>>>(job, hooks);
    return ndft_launched(c->exec, "a convolution");
}

} // namespace

/* Memory belongs to the arrays. cells: ndft_line_length's, 1 beyond dim. */
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
