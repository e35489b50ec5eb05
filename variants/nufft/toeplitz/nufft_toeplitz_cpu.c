/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/convolve_fftw.h"
#include "core/chosen.h"
#include "core/loop.h"
#include "fft/fft_fftw.h"
#include "toeplitz.h"

#include "base/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The normal operator alone, which without a field map is a convolution with the point spread
 * function of the samples: per coil two transforms of twice the grid per axis, however many samples
 * there are, exact but for the rounding and the kernel's making in plan (toeplitz.h). A field map
 * makes it a sum of about 2 B T + 8 such convolutions. The FFTs' memory traffic is the ceiling.
 */

enum { THREADS }; /* knobs, in order */

static const ndft_knob knobs[] = {
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(loops, ndft_toeplitz_loop, nufft_toeplitz);

typedef struct toeplitz_plan {
    ndft_arena arena;
    ndft_convolve convolve;
    ndft_toeplitz_loop *loop;
    ndft_toeplitz_sum sum;
} toeplitz_plan;

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    const char *why = ndft_threads_unsupported(k[THREADS]);
    return why ? why : ndft_toeplitz_unsupported(p);
}

/* The spectra of the convolutions by FFTW, all of it in double (toeplitz.h). */

typedef struct spectra_work {
    const ndft_problem *problem;
    const ndft_psf *psf;
    ndft_psf_tables tables;
    ndft_toeplitz_weights weights;
    double *fine, *part, *half; /* part: NULL where samples are summed in one */
    ndft_fft forward, back;
} spectra_work;

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

static void put_spectrum(const spectra_work *w, int term, void *out)
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

static ndft_status prepare_spectra(spectra_work *w, const ndft_toeplitz *toeplitz, int threads,
                                   ndft_error *error)
{
    NDFT_TRY(ndft_psf_tabulate(w->problem, w->psf, threads, error, &w->tables));
    NDFT_TRY(ndft_toeplitz_weigh(w->problem, toeplitz, error, &w->weights));
    w->fine = grid_of(w->psf->fine_complex);
    w->half = grid_of(w->psf->complexes);
    const bool in_parts = ndft_psf_sums_in_parts(w->problem, w->psf);
    if (in_parts) w->part = grid_of(w->psf->fine_complex);
    if (!w->fine || !w->half || (in_parts && !w->part))
        return ndft_fail(error, NDFT_ENOMEM, "no memory for grids of %lld and %lld cells",
                         (long long)w->psf->fine_complex, (long long)w->psf->complexes);
    NDFT_TRY(plan_fft(error, NDFT_R2C, w->psf->dim, w->psf->fine, w->psf->fine_row, w->fine,
                      &w->forward));
    return plan_fft(error, NDFT_C2R, w->psf->dim, w->psf->cells, w->psf->row, w->half, &w->back);
}

static void release_spectra(spectra_work *w)
{
    ndft_psf_release(&w->tables);
    free(w->weights.row);
    free(w->weights.b);
    free(w->fine);
    free(w->part);
    free(w->half);
    ndft_fft_destroy(&w->forward);
    ndft_fft_destroy(&w->back);
}

/* out[terms][size] reals of the problem's precision, divided by size so that forward and inverse
 * transforms with them need no factor. NDFT_ENOMEM. */
static ndft_status make_spectra(const ndft_problem *p, const ndft_psf *psf,
                                const ndft_toeplitz *toeplitz, int threads, ndft_error *error,
                                void *out)
{
    spectra_work w = {.problem = p, .psf = psf};
    const ndft_status status = prepare_spectra(&w, toeplitz, threads, error);
    for (int term = 0; status == NDFT_OK && term < toeplitz->terms; term++) {
        ndft_psf_spread(p, psf, &w.tables, &w.weights, toeplitz->terms, term, threads, w.part,
                        w.fine);
        ndft_fft_run(&w.forward, w.fine, w.fine);
        fold(psf, &w.tables, w.fine, w.half);
        ndft_fft_run(&w.back, w.half, w.half);
        put_spectrum(&w, term, out);
    }
    release_spectra(&w);
    return status;
}

static ndft_status place_voxels(const ndft_problem *p, ndft_arena *arena, ndft_toeplitz_sum *sum)
{
    void *first, *field;
    const int64_t rows = p->n[1] * p->n[2];
    NDFT_TRY(ndft_reserve(arena, "first voxels of rows",
                          ((size_t)rows + 1) * sizeof *sum->row_first, &first));
    int64_t *at = first, v = 0;
    for (int64_t row = 0; row <= rows; row++) {
        while (v < p->n_voxels && (p->voxel ? p->voxel[v] : v) < row * p->n[0]) v++;
        at[row] = v;
    }
    sum->row_first = at;
    sum->voxel = p->voxel;
    if (!p->dw) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arena, "field", (size_t)p->n_voxels * sizeof *sum->field, &field));
    double *half_turns = field;
    for (v = 0; v < p->n_voxels; v++) half_turns[v] = ndft_real_at(p->dw, p->prec, v) / M_PI;
    sum->field = half_turns;
    return NDFT_OK;
}

static ndft_status prepare(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)ops;
    toeplitz_plan *plan = state;
    ndft_arena *arena = &plan->arena;
    ndft_toeplitz_sum *sum = &plan->sum;
    const int *k = how;
    ndft_toeplitz toeplitz;
    void *tau, *spectrum;
    sum->convolve = &plan->convolve;
    sum->coils = p->coils;
    sum->element = ndft_element_stride(p);
    sum->coil_stride = ndft_coil_stride(p, p->n_voxels);
    plan->loop = loops[arena->exec->device.isa][p->prec];
    plan->convolve.threads = k[THREADS] ? k[THREADS] : arena->exec->threads;
    ndft_toeplitz_fit(p, &toeplitz);
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    sum->terms = toeplitz.terms;
    sum->cells = psf.size;
    NDFT_TRY(place_voxels(p, arena, sum));
    NDFT_TRY(ndft_convolve_make(arena, p->prec, p->dim, p->n, psf.cells, plan->convolve.threads,
                                &plan->convolve));
    NDFT_TRY(ndft_reserve(arena, "times", (size_t)sum->terms * sizeof(double), &tau));
    for (int l = 0; l < sum->terms; l++) ((double *)tau)[l] = toeplitz.tau[l];
    NDFT_TRY(ndft_reserve(arena, "spectra of the convolutions",
                          (size_t)sum->terms * (size_t)psf.size * ndft_real_size(p->prec),
                          &spectrum));
    sum->tau = tau;
    sum->spectrum = spectrum;
    return make_spectra(p, &psf, &toeplitz, plan->convolve.threads, arena->exec->error, spectrum);
}

static void chosen(const void *state, char *text, size_t size)
{
    const toeplitz_plan *plan = state;
    text[0] = 0;
    ndft_chosen_one(text, size, "terms", plan->sum.terms);
    ndft_chosen_add(text, size, "grid", plan->convolve.cells, plan->convolve.dim);
    ndft_chosen_one(text, size, "threads", plan->convolve.threads);
}

static void destroy(void *state)
{
    toeplitz_plan *plan = state;
    ndft_convolve_destroy(&plan->convolve);
    ndft_arena_destroy(plan);
}

static ndft_status create(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                          void **out)
{
    static const ndft_host_recipe recipe = {sizeof(toeplitz_plan), prepare, destroy};
    return ndft_host_create(&recipe, p, k, ops, exec, out);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    (void)op;
    const toeplitz_plan *plan = state;
    plan->loop(&plan->sum, in, out);
    return NDFT_OK;
}

static double truncation(const ndft_problem *p, const int *k)
{
    (void)k;
    return ndft_toeplitz_truncation(p);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    (void)k;
    return ndft_toeplitz_cost(p, p->dim, 1); /* half of a grid is kept, or a quarter */
}

const ndft_variant ndft_nufft_toeplitz_cpu = {
    .name = "nufft_toeplitz",
    .backend = "cpu",
    .summary = "A^H A as convolutions on twice the grid, field map by terms in time",
    NDFT_KNOBS(knobs),
    .ops = NDFT_NORMAL,
    .claim = {.c = 4,
              .truncation = truncation,
              .any = {.c = 4, .chain = ndft_no_chain, .truncation = ndft_toeplitz_any},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = create,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .chosen = chosen,
};
