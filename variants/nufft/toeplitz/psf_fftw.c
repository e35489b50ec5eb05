/* SPDX-License-Identifier: Apache-2.0 */
#include "psf_fftw.h"

#include <fftw3.h>

#include <stdlib.h>
#include <string.h>

typedef struct work {
    const ndft_problem *problem;
    const ndft_psf *psf;
    ndft_psf_tables tables;
    ndft_toeplitz_weights weights;
    double *fine, *half;
    fftw_plan forward, back;
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

static void slowest_first(int dim, const int64_t cells[3], int n[3])
{
    for (int d = 0; d < dim; d++) n[dim - 1 - d] = (int)cells[d];
}

static ndft_status prepare(work *w, const ndft_toeplitz *toeplitz, int threads, ndft_error *error)
{
    int n[3];
    NDFT_TRY(ndft_psf_tabulate(w->problem, w->psf, threads, error, &w->tables));
    NDFT_TRY(ndft_toeplitz_weigh(w->problem, toeplitz, error, &w->weights));
    w->fine = fftw_malloc((size_t)w->psf->fine_complex * 2 * sizeof *w->fine);
    w->half = fftw_malloc((size_t)w->psf->complexes * 2 * sizeof *w->half);
    if (!w->fine || !w->half)
        return ndft_fail(error, NDFT_ENOMEM, "no memory for grids of %lld and %lld cells",
                         (long long)w->psf->fine_complex, (long long)w->psf->complexes);
    slowest_first(w->psf->dim, w->psf->fine, n);
    w->forward = fftw_plan_dft_r2c(w->psf->dim, n, w->fine, (fftw_complex *)w->fine, FFTW_ESTIMATE);
    slowest_first(w->psf->dim, w->psf->cells, n);
    w->back = fftw_plan_dft_c2r(w->psf->dim, n, (fftw_complex *)w->half, w->half, FFTW_ESTIMATE);
    if (w->forward && w->back) return NDFT_OK;
    return ndft_fail(error, NDFT_ENOMEM, "FFTW made no plan for the convolution's spectrum");
}

static void release(work *w)
{
    ndft_psf_release(&w->tables);
    free(w->weights.row);
    free(w->weights.b);
    fftw_free(w->fine);
    fftw_free(w->half);
    if (w->forward) fftw_destroy_plan(w->forward);
    if (w->back) fftw_destroy_plan(w->back);
}

ndft_status ndft_psf_spectra(const ndft_problem *p, const ndft_psf *psf,
                             const ndft_toeplitz *toeplitz, int threads, ndft_error *error,
                             void *out)
{
    work w = {.problem = p, .psf = psf};
    const ndft_status status = prepare(&w, toeplitz, threads, error);
    for (int term = 0; status == NDFT_OK && term < toeplitz->terms; term++) {
        ndft_psf_spread(p, psf, &w.tables, &w.weights, toeplitz->terms, term, threads, w.fine);
        fftw_execute(w.forward);
        fold(psf, &w.tables, w.fine, w.half);
        fftw_execute(w.back);
        put(&w, term, out);
    }
    release(&w);
    return status;
}
