/* SPDX-License-Identifier: Apache-2.0 */
#include "toeplitz.h"

#include "base/memo.h"
#include "nufft/window/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double part_of_tol = 0.01;

static double sigma_of(const ndft_problem *p) { return p->prec == NDFT_F32 ? 1.5 : 2; }

typedef struct choice {
    int width;
    double error; /* of a transform with it */
} choice;

static choice choose(const ndft_problem *p)
{
    const ndft_question question = {"psf", {0}};
    choice c;
    if (ndft_memo_recall(p, question, &c, sizeof c)) return c;
    for (c.width = NDFT_MIN_WIDTH;; c.width++) {
        const ndft_window window = ndft_window_shape(NDFT_WINDOW_KB, c.width, sigma_of(p));
        const bool last = c.width == NDFT_MAX_WIDTH;
        if (!last && ndft_window_error_on_cells(&window, p->dim) > part_of_tol * p->tol) continue;
        c.error = ndft_window_error(&window, p->dim);
        if (last || c.error <= part_of_tol * p->tol) break;
    }
    ndft_memo_remember(p, question, &c, sizeof c);
    return c;
}

double ndft_psf_error(const ndft_problem *p) { return choose(p).error; }

/* Cells along an axis to spread on. */
static int64_t fine_of(const ndft_problem *p, int d, int width)
{
    const int64_t wanted = (int64_t)ceil(sigma_of(p) * 2 * (double)p->n[d]);
    return d < p->dim ? ndft_fft_size(wanted > 2 * width ? wanted : 2 * width) : 1;
}

double ndft_psf_fine_cells(const ndft_problem *p)
{
    const int width = choose(p).width;
    double cells = 1;
    for (int d = 0; d < p->dim; d++) cells *= (double)fine_of(p, d, width);
    return cells;
}

ndft_psf ndft_psf_of(const ndft_problem *p, int64_t (*length)(int64_t least))
{
    const int width = choose(p).width;
    ndft_psf psf = {.dim = p->dim, .window = ndft_window_make(NDFT_WINDOW_KB, width, sigma_of(p))};
    for (int d = 0; d < 3; d++) {
        psf.n[d] = p->n[d];
        psf.cells[d] = d < p->dim ? length(2 * p->n[d] - 1) : 1;
        psf.fine[d] = fine_of(p, d, width);
    }
    psf.size = psf.cells[0] * psf.cells[1] * psf.cells[2];
    psf.row = psf.cells[0] / 2 + 1;
    psf.fine_row = psf.fine[0] / 2 + 1;
    psf.complexes = psf.row * psf.cells[1] * psf.cells[2];
    psf.fine_complex = psf.fine_row * psf.fine[1] * psf.fine[2];
    return psf;
}

double ndft_psf_worst(const ndft_problem *p)
{
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    double kept = 1;
    for (int d = 0; d < p->dim; d++) {
        kept *= 1 + ndft_window_worst_of(&psf.window, 0, p->n[d] - 1, psf.fine[d]).error;
    }
    return kept - 1;
}

static void tabulate_axis(const ndft_problem *p, const ndft_psf *psf, int d, int threads,
                          ndft_psf_tables *tables)
{
#pragma omp parallel for num_threads(threads)
    for (int64_t j = 0; j < p->n_samples; j++) {
        const ndft_grid_position at = ndft_grid_place(ndft_real_at(p->k[d], p->prec, j), p->n[d],
                                                      psf->fine[d], psf->window.width);
        tables->first[d][j] = at.first;
        tables->s[d][j] = at.s;
    }
    for (int64_t x = 0; x < p->n[d]; x++)
        tables->scale[d][x] = 1 / ndft_window_hat(&psf->window, (double)x / (double)psf->fine[d]);
}

ndft_status ndft_psf_tabulate(const ndft_problem *p, const ndft_psf *psf, int threads,
                              ndft_error *error, ndft_psf_tables *tables)
{
    const size_t m = (size_t)p->n_samples;
    *tables = (ndft_psf_tables){0};
    ndft_window_put_poly(&psf->window, NDFT_F64, NDFT_MAX_WIDTH, tables->poly);
    for (int d = 0; d < p->dim; d++) {
        tables->first[d] = malloc(m * sizeof *tables->first[d]);
        tables->s[d] = malloc(m * sizeof *tables->s[d]);
        tables->scale[d] = malloc((size_t)p->n[d] * sizeof *tables->scale[d]);
        if (!tables->first[d] || !tables->s[d] || !tables->scale[d]) {
            ndft_psf_release(tables);
            return ndft_fail(error, NDFT_ENOMEM, "no memory for the places of %zu samples", m);
        }
        tabulate_axis(p, psf, d, threads, tables);
    }
    return NDFT_OK;
}

void ndft_psf_release(ndft_psf_tables *tables)
{
    for (int d = 0; d < 3; d++) {
        free(tables->first[d]);
        free(tables->s[d]);
        free(tables->scale[d]);
    }
    *tables = (ndft_psf_tables){0};
}

/* A sample's cells along an axis; one beyond dim. */
typedef struct axis {
    int width;
    int64_t cell[NDFT_MAX_WIDTH];
    double weight[NDFT_MAX_WIDTH];
} axis;

/* All weights at once, and some of no cell, which are 0. */
static void weigh(const ndft_psf_tables *tables, int degree, double s, double *weight)
{
    for (int w = 0; w < NDFT_MAX_WIDTH; w++) weight[w] = 0;
    for (int q = degree; q >= 0; q--) {
        const double *poly = tables->poly + q * NDFT_MAX_WIDTH;
#pragma omp simd
        for (int w = 0; w < NDFT_MAX_WIDTH; w++) weight[w] = weight[w] * s + poly[w];
    }
}

static void find_axis(const ndft_psf *psf, const ndft_psf_tables *tables, int d, int64_t j, axis *a)
{
    *a = (axis){.width = 1, .weight = {1}};
    if (d >= psf->dim) return;
    a->width = psf->window.width;
    weigh(tables, psf->window.degree, tables->s[d][j], a->weight);
    for (int w = 0; w < a->width; w++) {
        const int64_t cell = tables->first[d][j] + w;
        a->cell[w] = cell < psf->fine[d] ? cell : cell - psf->fine[d];
    }
}

/* Adds weight times a row's weights: of all its cells, which follow each other but where they go
 * around, or of those that have one, where other threads have the others. */
static void add_row(const axis *a, bool all, double weight, double *row)
{
    const int64_t first = a->cell[0];
    const int along = all && a->cell[a->width - 1] >= first ? a->width : 0;
#pragma omp simd
    for (int x = 0; x < along; x++) row[first + x] += weight * a->weight[x];
    for (int x = along; x < a->width; x++)
        if (a->weight[x] != 0) row[a->cell[x]] += weight * a->weight[x];
}

/* Adds a sample to the planes low..high-1 of the last axis. */
static void add(const ndft_psf *psf, const ndft_psf_tables *tables, int64_t j, double value,
                int64_t low, int64_t high, double *fine)
{
    const int last = psf->dim - 1;
    axis a[3];
    find_axis(psf, tables, last, j, &a[last]);
    int touched = 0;
    for (int w = 0; w < a[last].width; w++) {
        const bool mine = a[last].cell[w] >= low && a[last].cell[w] < high;
        if (!mine) a[last].weight[w] = 0;
        touched += mine;
    }
    if (!touched) return;
    for (int d = 0; d < 3; d++)
        if (d != last) find_axis(psf, tables, d, j, &a[d]);
    for (int z = 0; z < a[2].width; z++) {
        for (int y = 0; y < a[1].width; y++) {
            const double weight = value * a[2].weight[z] * a[1].weight[y];
            if (weight == 0) continue; /* another thread's plane */
            add_row(a, last > 0, weight,
                    fine + 2 * psf->fine_row * (a[2].cell[z] * psf->fine[1] + a[1].cell[y]));
        }
    }
}

/* Samples of a part: to add up the grids then takes a quarter of what spreading them does. */
static int64_t part_of(const ndft_psf *psf)
{
    const double touched = pow(psf->window.width, psf->dim);
    return (int64_t)fmax(128, 4 * 2 * (double)psf->fine_complex / touched);
}

bool ndft_psf_sums_in_parts(const ndft_problem *p, const ndft_psf *psf)
{
    return p->prec == NDFT_F64 && p->n_samples > part_of(psf);
}

/* Adds the part to the sum in planes low..high-1 of the last axis. What rounding lost of it begins
 * the next part (Kahan, CACM 8, 1965). */
static void add_part(const ndft_psf *psf, int64_t low, int64_t high, double *part, double *fine)
{
    const int64_t rows = psf->dim > 2 ? psf->fine[1] : 1;
    const int64_t plane = psf->dim > 1 ? 2 * psf->fine_row * rows : 1;
    for (int64_t i = low * plane; i < high * plane; i++) {
        const double sum = fine[i] + part[i];
        part[i] -= sum - fine[i];
        fine[i] = sum;
    }
}

void ndft_psf_spread(const ndft_problem *p, const ndft_psf *psf, const ndft_psf_tables *tables,
                     const ndft_toeplitz_weights *weights, int terms, int term, int threads,
                     double *part_sum, double *fine)
{
    const int64_t planes = psf->fine[psf->dim - 1], each = part_of(psf);
    const size_t bytes = (size_t)psf->fine_complex * 2 * sizeof *fine;
    double *onto = part_sum ? part_sum : fine;
    memset(fine, 0, bytes);
    if (part_sum) memset(part_sum, 0, bytes);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; part++) {
        const int64_t low = planes * part / threads, high = planes * (part + 1) / threads;
        for (int64_t j = 0; j < p->n_samples; j++) {
            const double b = weights->b[(int64_t)weights->row[j] * terms + term];
            add(psf, tables, j, b, low, high, onto);
            if (part_sum && ((j + 1) % each == 0 || j + 1 == p->n_samples))
                add_part(psf, low, high, part_sum, fine);
        }
    }
}

static double *twice(const void *k, ndft_prec prec, int64_t count, int threads)
{
    double *out = malloc((size_t)count * sizeof *out);
    if (!out) return NULL;
#pragma omp parallel for num_threads(threads)
    for (int64_t j = 0; j < count; j++) out[j] = 2 * ndft_real_at(k, prec, j);
    return out;
}

ndft_status ndft_psf_adjoint_make(const ndft_problem *p, int columns, int threads,
                                  ndft_error *error, ndft_problem *adjoint)
{
    *adjoint = (ndft_problem){.dim = p->dim,
                              .prec = NDFT_F64,
                              .layout = NDFT_PLANAR,
                              .coils = columns,
                              .tol = p->tol,
                              .tol_kind = NDFT_TOL_TYPICAL,
                              .n_voxels = 1,
                              .n_samples = p->n_samples};
    for (int d = 0; d < 3; d++) {
        adjoint->n[d] = d < p->dim ? 2 * p->n[d] : 1;
        adjoint->n_voxels *= adjoint->n[d];
        if (d >= p->dim) continue;
        adjoint->k_max[d] = 2 * p->k_max[d];
        adjoint->k[d] = twice(p->k[d], p->prec, p->n_samples, threads);
        if (adjoint->k[d]) continue;
        ndft_psf_adjoint_release(adjoint);
        return ndft_fail(error, NDFT_ENOMEM, "no memory for the places of %lld samples",
                         (long long)p->n_samples);
    }
    return NDFT_OK;
}

void ndft_psf_adjoint_release(ndft_problem *adjoint)
{
    for (int d = 0; d < 3; d++) free((void *)adjoint->k[d]);
    *adjoint = (ndft_problem){0};
}

/* Samples of a unit of a tile's list. Units are added one after the other, of 64 samples 15625 of a
 * million in one place, which errs by 1.9e-13 and more; the fewest additions, a unit's by eight
 * lanes at a time and then those of the units, err by 1e-14. */
static int unit_of(const ndft_problem *p)
{
    const double least = 256;
    return p->prec == NDFT_F64 ? (int)fmax(least, sqrt(8 * (double)p->n_samples)) : 0;
}

void ndft_psf_adjoint_knobs(const ndft_problem *p, const ndft_psf *psf, int knobs[NDFT_CUDA_KNOBS])
{
    memset(knobs, 0, NDFT_CUDA_KNOBS * sizeof *knobs);
    knobs[NDFT_KNOB_SIGMA] = (int)lround(100 * psf->window.sigma);
    knobs[NDFT_KNOB_WINDOW] = psf->window.kind;
    knobs[NDFT_KNOB_WIDTH] = psf->window.width;
    knobs[NDFT_HYBRID_MOST] = unit_of(p);
}
