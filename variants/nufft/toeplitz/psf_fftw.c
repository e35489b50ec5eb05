/* SPDX-License-Identifier: Apache-2.0 */
#include "psf.h"

#include "fft/fft_fftw.h"

#include <stdlib.h>
#include <string.h>

typedef struct work {
    const ndft_problem *problem;
    const ndft_psf *psf;
    ndft_psf_tables tables;
    ndft_toeplitz_weights weights;
    double *fine, *half;
    ndft_fft forward, back;
} work;

/* conj(h) from the fine half grid onto that of the convolution; both begin at lag 0. */
static void fold(const ndft_psf *psf, const ndft_psf_tables *tables, const double *fine,
                 double *half)
{
    const int64_t *n = psf->n, *from = psf->fine, *to = psf->cells;
    memset(half, 0, (size_t)psf->complexes * 2 * sizeof *half);
    for (int64_t z = 1 - n[2]; z < n[2]; z++) {
        for (int64_t y = 1 - n[1]; y < n[1]; y++) {
            const int64_t source =
                ndft_grid_cell(z, from[2]) * from[1] + ndft_grid_cell(y, from[1]);
            const int64_t target = ndft_grid_cell(z, to[2]) * to[1] + ndft_grid_cell(y, to[1]);
            const double *in = fine + 2 * psf->fine_row * source;
            double *out = half + 2 * psf->row * target, scale = 1;
            if (psf->dim > 1) scale *= tables->scale[1][llabs(y)];
            if (psf->dim > 2) scale *= tables->scale[2][llabs(z)];
            for (int64_t x = 0; x < n[0]; x++) {
                out[2 * x] = in[2 * x] * scale * tables->scale[0][x];
                out[2 * x + 1] = in[2 * x + 1] * scale * tables->scale[0][x];
            }
        }
    }
}

static void put(const work *w, int term, void *out)
{
    const ndft_psf *psf = w->psf;
    const int64_t n = psf->cells[0], rows = psf->cells[1] * psf->cells[2];
    for (int64_t row = 0; row < rows; row++)
        for (int64_t x = 0; x < n; x++)
            ndft_put_real(out, w->problem->prec, term * psf->size + row * n + x,
                          w->half[2 * psf->row * row + x] / (double)psf->size);
}

/* A real transform in place of a grid whose rows have so many complex cells. */
static ndft_status plan_fft(ndft_error *error, ndft_domain domain, int dim, const int64_t n[3],
                            int64_t row, double *grid, ndft_fft *fft)
{
    ndft_fft_shape shape = {.prec = NDFT_F64, .domain = domain, .axes = dim};
    int64_t step = 1;
    for (int d = 0; d < dim; d++) {
        const int64_t reals = d > 0 ? 2 * step : 1;
        shape.axis[dim - 1 - d] = domain == NDFT_R2C ? (ndft_fft_mode){n[d], reals, step}
                                                     : (ndft_fft_mode){n[d], step, reals};
        step = d > 0 ? step * n[d] : row;
    }
    return ndft_fft_make(error, &shape, 0, grid, grid, fft);
}

static double *grid_of(int64_t complexes)
{
    const size_t bytes = (size_t)complexes * 2 * sizeof(double);
    return aligned_alloc(NDFT_FFT_ALIGN, (bytes + 63) / 64 * 64);
}

static ndft_status prepare(work *w, const ndft_toeplitz *toeplitz, int threads, ndft_error *error)
{
    NDFT_TRY(ndft_psf_tabulate(w->problem, w->psf, threads, error, &w->tables));
    NDFT_TRY(ndft_toeplitz_weigh(w->problem, toeplitz, error, &w->weights));
    w->fine = grid_of(w->psf->fine_complex);
    w->half = grid_of(w->psf->complexes);
    if (!w->fine || !w->half)
        return ndft_fail(error, NDFT_ENOMEM, "no memory for grids of %lld and %lld cells",
                         (long long)w->psf->fine_complex, (long long)w->psf->complexes);
    NDFT_TRY(plan_fft(error, NDFT_R2C, w->psf->dim, w->psf->fine, w->psf->fine_row, w->fine,
                      &w->forward));
    return plan_fft(error, NDFT_C2R, w->psf->dim, w->psf->cells, w->psf->row, w->half, &w->back);
}

static void release(work *w)
{
    ndft_psf_release(&w->tables);
    free(w->weights.row);
    free(w->weights.b);
    free(w->fine);
    free(w->half);
    ndft_fft_destroy(&w->forward);
    ndft_fft_destroy(&w->back);
}

ndft_status ndft_psf_spectra_fftw(const ndft_problem *p, const ndft_psf *psf,
                                  const ndft_toeplitz *toeplitz, int threads, ndft_error *error,
                                  void *out)
{
    work w = {.problem = p, .psf = psf};
    const ndft_status status = prepare(&w, toeplitz, threads, error);
    for (int term = 0; status == NDFT_OK && term < toeplitz->terms; term++) {
        ndft_psf_spread(p, psf, &w.tables, &w.weights, toeplitz->terms, term, threads, w.fine);
        ndft_fft_run(&w.forward, w.fine, w.fine);
        fold(psf, &w.tables, w.fine, w.half);
        ndft_fft_run(&w.back, w.half, w.half);
        put(&w, term, out);
    }
    release(&w);
    return status;
}
