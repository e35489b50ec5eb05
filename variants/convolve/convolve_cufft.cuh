/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_CUFFT_CUH
#define NDFT_CONVOLVE_CUFFT_CUH

#include "core/complex.cuh"
#include "fft/fft_cufft.cuh"

/*
 * Circular convolutions of images with zeros around them, of any length, by cuFFT: forward
 * transform, multiply, inverse, of whole grids. convolve_lines.cuh is several times faster where
 * its lengths serve, and has the same hooks, but for a thread's cells of a row together:
 *
 *     ndft_complex<R> load(int term, int image, int64_t row, int x)
 *     void gather(int term, int64_t row, int x, ndft_complex<R> value, ndft_complex<R> *sum)
 *     void store(int image, int64_t row, int x, ndft_complex<R> sum)    the sum over terms
 */

struct ndft_grid_convolver {
    ndft_exec *exec;
    int n[3], cells[3]; /* of the image, of the convolution; 1 beyond dim */
    int64_t size;       /* cells in all */
    void *grid;         /* [columns][size] */
    ndft_cufft *fft;
};

/* Memory belongs to the arrays; free fft with ndft_cufft_destroy, also after a failure. */
inline ndft_status ndft_grid_convolver_make(ndft_arrays *arrays, ndft_prec prec, int dim,
                                            const int64_t n[3], const int64_t cells[3], int columns,
                                            ndft_grid_convolver *c)
{
    char *grid = nullptr;
    *c = {};
    c->exec = arrays->exec;
    c->size = 1;
    for (int d = 0; d < 3; d++) {
        c->n[d] = (int)n[d];
        c->cells[d] = (int)cells[d];
        c->size *= cells[d];
    }
    NDFT_TRY(ndft_reserve(arrays, "grids of the convolution",
                          c->size * columns * 2 * (int64_t)ndft_real_size(prec), &grid));
    c->grid = grid;
    return ndft_cufft_make_grids(arrays, prec, dim, cells, columns, &c->fft);
}

namespace
{

enum { GRID_THREADS = 256 };

/* A thread has a cell, blockIdx.y a column. */
template <class R, class Hooks>
__global__ void grid_load(ndft_grid_convolver c, int images, Hooks hooks)
{
    const int64_t cell = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x;
    if (cell >= c.size) return;
    const int x = (int)(cell % c.cells[0]), y = (int)(cell / c.cells[0] % c.cells[1]);
    const int z = (int)(cell / c.cells[0] / c.cells[1]);
    ndft_complex<R> value = {0, 0};
    if (x < c.n[0] && y < c.n[1] && z < c.n[2])
        value = hooks.load(blockIdx.y / images, blockIdx.y % images, (int64_t)z * c.n[1] + y, x);
    ((ndft_complex<R> *)c.grid)[blockIdx.y * c.size + cell] = value;
}

/* A thread has a cell of the images of term blockIdx.y. */
template <class R>
__global__ void grid_multiply(ndft_grid_convolver c, int images, const R *spectra)
{
    const int64_t cell = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x;
    if (cell >= c.size) return;
    const R factor = spectra[blockIdx.y * c.size + cell];
    ndft_complex<R> *at = (ndft_complex<R> *)c.grid + blockIdx.y * images * c.size + cell;
    for (int i = 0; i < images; i++, at += c.size) *at = {at->re * factor, at->im * factor};
}

/* A thread has a voxel of image blockIdx.y. */
template <class R, class Hooks>
__global__ void grid_store(ndft_grid_convolver c, int terms, int images, Hooks hooks)
{
    const int64_t voxel = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x, row = voxel / c.n[0];
    if (row >= (int64_t)c.n[1] * c.n[2]) return;
    const int x = (int)(voxel % c.n[0]);
    const int64_t cell = (row / c.n[1] * c.cells[1] + row % c.n[1]) * c.cells[0] + x;
    ndft_complex<R> sum = {0, 0};
    for (int term = 0; term < terms; term++)
        hooks.gather(term, row, x,
                     ((const ndft_complex<R> *)
                          c.grid)[(term * images + (int64_t)blockIdx.y) * c.size + cell],
                     &sum);
    hooks.store(blockIdx.y, row, x, sum);
}

/* terms and images: at most as many columns as planned. spectra: [terms][cells] reals with the
 * factor of both transforms in them. */
template <class R, class Hooks>
ndft_status ndft_convolve_grids(const ndft_grid_convolver *c, int terms, int images,
                                const R *spectra, const Hooks &hooks)
{
    const cudaStream_t stream = ndft_stream(c->exec);
    const unsigned blocks = ndft_blocks(c->size, GRID_THREADS);
    const int64_t voxels = (int64_t)c->n[0] * c->n[1] * c->n[2];
    grid_load<R><<<dim3(blocks, terms * images), GRID_THREADS, 0, stream>>>(*c, images, hooks);
    NDFT_TRY(ndft_cufft_run(c->fft, -1, c->grid, c->grid));
    grid_multiply<R><<<dim3(blocks, terms), GRID_THREADS, 0, stream>>>(*c, images, spectra);
    NDFT_TRY(ndft_cufft_run(c->fft, +1, c->grid, c->grid));
    grid_store<R><<<dim3(ndft_blocks(voxels, GRID_THREADS), images), GRID_THREADS, 0, stream>>>(
        *c, terms, images, hooks);
    return ndft_launched(c->exec, "a convolution");
}

} // namespace

#endif
