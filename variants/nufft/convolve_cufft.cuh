/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CONVOLVE_CUFFT_CUH
#define NDFT_NUFFT_CONVOLVE_CUFFT_CUH

#include "complex.cuh"
#include "fft_cufft.cuh"

/*
 * Forward transform, multiply, inverse: circular convolutions of a batch of images with zeros
 * around them, which a variant loads and stores by hooks on the device:
 *
 *     load(cell, column 0's place of it, distance of columns)   writes every column's cell
 *     store(item, column 0's cells, distance of columns)        reads what it needs, item < items
 */

struct ndft_convolver {
    ndft_exec *exec;
    int64_t cells;    /* of one column, x fastest */
    int columns;      /* of a batch */
    int per_spectrum; /* neighbouring columns that share a multiplier */
    void *grid;
    ndft_fft *fft;
};

/* Grid and work area belong to the arrays; free fft with ndft_fft_destroy, also after a failure. */
inline ndft_status ndft_convolver_make(ndft_arrays *arrays, ndft_prec prec, int dim,
                                       const int64_t cells[3], int columns, int per_spectrum,
                                       ndft_convolver *c)
{
    char *grid = nullptr;
    *c = {arrays->exec, cells[0] * cells[1] * cells[2], columns, per_spectrum, nullptr, nullptr};
    NDFT_TRY(ndft_reserve(arrays, "grids of the convolution",
                          c->cells * columns * 2 * (int64_t)ndft_real_size(prec), &grid));
    c->grid = grid;
    return ndft_fft_make(arrays, prec, dim, cells, columns, &c->fft);
}

namespace
{

enum { CONVOLVE_THREADS = 256 };

template <class R, class Load>
__global__ void ndft_convolve_load(Load load, int64_t cells, ndft_complex<R> *grid)
{
    const int64_t cell = (int64_t)blockIdx.x * CONVOLVE_THREADS + threadIdx.x;
    if (cell < cells) load(cell, grid + cell, cells);
}

template <class R, class Store>
__global__ void ndft_convolve_store(Store store, int64_t items, int64_t cells,
                                    const ndft_complex<R> *grid)
{
    const int64_t item = (int64_t)blockIdx.x * CONVOLVE_THREADS + threadIdx.x;
    if (item < items) store(item, grid, cells);
}

/* A thread has a cell of the columns of spectrum blockIdx.y. */
template <class R>
__global__ void ndft_convolve_multiply(int64_t cells, int columns, const R *spectra,
                                       ndft_complex<R> *grid)
{
    const int64_t cell = (int64_t)blockIdx.x * CONVOLVE_THREADS + threadIdx.x;
    if (cell >= cells) return;
    const R factor = spectra[blockIdx.y * cells + cell];
    ndft_complex<R> *at = grid + (int64_t)blockIdx.y * columns * cells + cell;
    for (int c = 0; c < columns; c++, at += cells) *at = {at->re * factor, at->im * factor};
}

/* spectra: [columns / per_spectrum][cells] reals with the factor of both transforms in them. */
template <class R, class Load, class Store>
ndft_status ndft_convolve(const ndft_convolver *c, const R *spectra, const Load &load,
                          int64_t items, const Store &store)
{
    const cudaStream_t stream = ndft_stream(c->exec);
    ndft_complex<R> *grid = (ndft_complex<R> *)c->grid;
    const dim3 per_cell(ndft_blocks(c->cells, CONVOLVE_THREADS), c->columns / c->per_spectrum);
    ndft_convolve_load<R><<<per_cell.x, CONVOLVE_THREADS, 0, stream>>>(load, c->cells, grid);
    NDFT_TRY(ndft_fft_run(c->fft, -1, grid));
    ndft_convolve_multiply<R>
        <<<per_cell, CONVOLVE_THREADS, 0, stream>>>(c->cells, c->per_spectrum, spectra, grid);
    NDFT_TRY(ndft_fft_run(c->fft, +1, grid));
    ndft_convolve_store<R><<<ndft_blocks(items, CONVOLVE_THREADS), CONVOLVE_THREADS, 0, stream>>>(
        store, items, c->cells, grid);
    return ndft_launched(c->exec, "a convolution");
}

} // namespace

#endif
