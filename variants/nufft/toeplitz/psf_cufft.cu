/* SPDX-License-Identifier: Apache-2.0 */
#include "core/complex.cuh"
#include "fft/fft_cufft.cuh"
#include "toeplitz.h"

namespace
{

enum { THREADS = 256 };

/* Lags 0..N-1 along an axis, and where they lie: what fold needs. */
struct lags {
    int n[3], fine[3], cells[3];
    int64_t fine_row, row, complexes;
    const double *scale[3];
};

/* The lag of a cell of n, or N, which has none. */
__device__ int lag_at(int cell, int n, int N)
{
    if (cell < N) return cell;
    return n - cell < N ? cell - n : N;
}

__device__ int cell_of(int lag, int n) { return lag < 0 ? lag + n : lag; }

__global__ void fold(lags l, const ndft_complex<double> *fine, ndft_complex<double> *half)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= l.complexes) return;
    const int x = (int)(i % l.row), y = (int)(i / l.row % l.cells[1]);
    const int z = (int)(i / l.row / l.cells[1]);
    const int lag_y = lag_at(y, l.cells[1], l.n[1]), lag_z = lag_at(z, l.cells[2], l.n[2]);
    ndft_complex<double> value = {0, 0};
    if (x < l.n[0] && lag_y < l.n[1] && lag_z < l.n[2]) {
        const int64_t plane = cell_of(lag_z, l.fine[2]);
        value = fine[(plane * l.fine[1] + cell_of(lag_y, l.fine[1])) * l.fine_row + x];
        const double scale = l.scale[0][x] * l.scale[1][abs(lag_y)] * l.scale[2][abs(lag_z)];
        value = {value.re * scale, value.im * scale};
    }
    half[i] = value;
}

/* Rows of `cells` reals out of rows of 2 * row. */
template <class R>
__global__ void put(int64_t size, int cells, int64_t row, const double *half, R *out)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < size) out[i] = (R)(half[i / cells * 2 * row + i % cells] / (double)size);
}

struct work {
    ndft_arrays arrays;
    ndft_psf_tables tables;
    ndft_toeplitz_weights weights;
    lags geometry;
    double *host, *fine, *half;
    ndft_cufft *forward, *back;
};

/* A real transform in place. */
ndft_status make_fft(work *w, ndft_domain domain, int dim, const int64_t cells[3], ndft_cufft **fft)
{
    ndft_cufft_shape shape = {};
    for (int d = 0; d < dim; d++) shape.n[dim - 1 - d] = cells[d];
    shape.prec = NDFT_F64;
    shape.domain = domain;
    shape.dim = dim;
    shape.in.stride = shape.out.stride = shape.batch = 1;
    NDFT_TRY(ndft_cufft_make(w->arrays.exec, &shape, nullptr, fft));
    return ndft_cufft_give_work(&w->arrays, fft, 1);
}

ndft_status place_geometry(work *w, const ndft_psf *psf)
{
    lags *l = &w->geometry;
    for (int d = 0; d < 3; d++) {
        l->n[d] = (int)psf->n[d];
        l->fine[d] = (int)psf->fine[d];
        l->cells[d] = (int)psf->cells[d];
        const double *scale = w->tables.scale[d];
        NDFT_TRY(ndft_place(&w->arrays, "deapodisation", psf->n[d], &l->scale[d],
                            [&](int64_t i) { return scale ? scale[i] : 1.0; }));
    }
    l->fine_row = psf->fine_row;
    l->row = psf->row;
    l->complexes = psf->complexes;
    return NDFT_OK;
}

ndft_status prepare(work *w, const ndft_problem *p, const ndft_psf *psf,
                    const ndft_toeplitz *toeplitz)
{
    ndft_exec *exec = w->arrays.exec;
    NDFT_TRY(ndft_psf_tabulate(p, psf, exec->threads, exec->error, &w->tables));
    NDFT_TRY(ndft_toeplitz_weigh(p, toeplitz, exec->error, &w->weights));
    NDFT_TRY(place_geometry(w, psf));
    w->host = (double *)malloc((size_t)psf->fine_complex * 2 * sizeof(double));
    if (!w->host)
        return ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for a grid of %lld cells",
                         (long long)psf->fine_complex);
    NDFT_TRY(ndft_reserve(&w->arrays, "a grid to spread on", 2 * psf->fine_complex, &w->fine));
    NDFT_TRY(ndft_reserve(&w->arrays, "a spectrum", 2 * psf->complexes, &w->half));
    NDFT_TRY(make_fft(w, NDFT_R2C, psf->dim, psf->fine, &w->forward));
    return make_fft(w, NDFT_C2R, psf->dim, psf->cells, &w->back);
}

ndft_status make_term(work *w, const ndft_problem *p, const ndft_psf *psf, int terms, int term,
                      void *out)
{
    ndft_exec *exec = w->arrays.exec;
    const cudaStream_t stream = ndft_stream(exec);
    ndft_psf_spread(p, psf, &w->tables, &w->weights, terms, term, exec->threads, w->host);
    NDFT_TRY(exec->upload(exec, w->fine, w->host, (size_t)psf->fine_complex * 2 * sizeof(double)));
    ndft_complex<double> *half = (ndft_complex<double> *)w->half;
    NDFT_TRY(ndft_cufft_run(w->forward, -1, w->fine, w->fine));
    fold<<<ndft_blocks(psf->complexes, THREADS), THREADS, 0, stream>>>(
        w->geometry, (const ndft_complex<double> *)w->fine, half);
    NDFT_TRY(ndft_cufft_run(w->back, +1, half, w->half));
    const unsigned blocks = ndft_blocks(psf->size, THREADS);
    const int cells = (int)psf->cells[0];
    if (p->prec == NDFT_F32)
        put<<<blocks, THREADS, 0, stream>>>(psf->size, cells, psf->row, w->half,
                                            (float *)out + term * psf->size);
    else
        put<<<blocks, THREADS, 0, stream>>>(psf->size, cells, psf->row, w->half,
                                            (double *)out + term * psf->size);
    NDFT_TRY(ndft_launched(exec, "the convolution's spectrum"));
    return ndft_checked(exec, cudaStreamSynchronize(stream), "the convolution's spectrum");
}

void release(work *w)
{
    ndft_psf_release(&w->tables);
    free(w->weights.row);
    free(w->weights.b);
    free(w->host);
    ndft_cufft_destroy(w->forward);
    ndft_cufft_destroy(w->back);
    ndft_arrays_release(&w->arrays);
}

} // namespace

ndft_status ndft_psf_spectra_cufft(const ndft_problem *p, const ndft_psf *psf,
                                   const ndft_toeplitz *toeplitz, ndft_exec *exec, void *out)
{
    work w = {};
    w.arrays.exec = exec;
    ndft_status status = prepare(&w, p, psf, toeplitz);
    for (int term = 0; status == NDFT_OK && term < toeplitz->terms; term++)
        status = make_term(&w, p, psf, toeplitz->terms, term, out);
    release(&w);
    return status;
}
