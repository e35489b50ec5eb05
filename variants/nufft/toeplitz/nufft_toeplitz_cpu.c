/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "nufft_toeplitz_loop.h"
#include "psf.h"
#include "toeplitz.h"

#include "base/variant.h"

#include <math.h>

/*
 * The normal operator alone, which without a field map is a convolution with the point spread
 * function of the samples: per coil two transforms of twice the grid per axis, however many samples
 * there are, exact but for the rounding and the kernel's making in plan (psf.h). A field map makes
 * it a sum of about 2 B T + 8 such convolutions (toeplitz.h). The FFTs' memory traffic is the
 * ceiling.
 */

enum { THREADS }; /* knobs, in order */

static const ndft_knob knobs[] = {
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(loops, ndft_toeplitz_loop, nufft_toeplitz);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    return k[THREADS] > 1024 ? "threads must be at most 1024" : ndft_toeplitz_unsupported(p);
}

static ndft_status place_voxels(const ndft_problem *p, ndft_toeplitz_plan *plan)
{
    void *first, *field;
    const int64_t rows = p->n[1] * p->n[2];
    NDFT_TRY(ndft_reserve(&plan->arena, "first voxels of rows",
                          ((size_t)rows + 1) * sizeof *plan->row_first, &first));
    int64_t *at = first, v = 0;
    for (int64_t row = 0; row <= rows; row++) {
        while (v < p->n_voxels && (p->voxel ? p->voxel[v] : v) < row * p->n[0]) v++;
        at[row] = v;
    }
    plan->row_first = at;
    plan->voxel = p->voxel;
    if (!p->dw) return NDFT_OK;
    NDFT_TRY(
        ndft_reserve(&plan->arena, "field", (size_t)p->n_voxels * sizeof *plan->field, &field));
    double *half_turns = field;
    for (v = 0; v < p->n_voxels; v++) half_turns[v] = ndft_real_at(p->dw, p->prec, v) / M_PI;
    plan->field = half_turns;
    return NDFT_OK;
}

static ndft_status prepare(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)ops;
    ndft_toeplitz_plan *plan = state;
    ndft_arena *arena = &plan->arena;
    const int *k = how;
    ndft_toeplitz toeplitz;
    void *tau, *spectrum;
    plan->coils = p->coils;
    plan->element = ndft_element_stride(p);
    plan->coil_stride = ndft_coil_stride(p, p->n_voxels);
    plan->loop = loops[arena->exec->device.isa][p->prec];
    plan->convolve.threads = k[THREADS] ? k[THREADS] : arena->exec->threads;
    ndft_toeplitz_fit(p, &toeplitz);
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    plan->terms = toeplitz.terms;
    plan->cells = psf.size;
    NDFT_TRY(place_voxels(p, plan));
    NDFT_TRY(ndft_convolve_make(arena, p->prec, p->dim, p->n, psf.cells, plan->convolve.threads,
                                &plan->convolve));
    NDFT_TRY(ndft_reserve(arena, "times", (size_t)plan->terms * sizeof(double), &tau));
    for (int l = 0; l < plan->terms; l++) ((double *)tau)[l] = toeplitz.tau[l];
    NDFT_TRY(ndft_reserve(arena, "spectra of the convolutions",
                          (size_t)plan->terms * (size_t)psf.size * ndft_real_size(p->prec),
                          &spectrum));
    plan->tau = tau;
    plan->spectrum = spectrum;
    return ndft_psf_spectra_fftw(p, &psf, &toeplitz, plan->convolve.threads, arena->exec->error,
                                 spectrum);
}

static void chosen(const void *state, char *text, size_t size)
{
    const ndft_toeplitz_plan *plan = state;
    text[0] = 0;
    ndft_chosen_one(text, size, "terms", plan->terms);
    ndft_chosen_add(text, size, "grid", plan->convolve.cells, plan->convolve.dim);
    ndft_chosen_one(text, size, "threads", plan->convolve.threads);
}

static void destroy(void *state)
{
    ndft_toeplitz_plan *plan = state;
    ndft_convolve_destroy(&plan->convolve);
    ndft_arena_destroy(plan);
}

static ndft_status create(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                          void **out)
{
    static const ndft_host_recipe recipe = {sizeof(ndft_toeplitz_plan), prepare, destroy};
    return ndft_host_create(&recipe, p, k, ops, exec, out);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    (void)op;
    const ndft_toeplitz_plan *plan = state;
    plan->loop(plan, in, out);
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
