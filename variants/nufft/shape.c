/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include "base/bounds.h"
#include "base/memo.h"

#include <math.h>

static const double margin = 1.03; /* of the predicted loss to aliases */
static const double rounding = 6;  /* eps that spreading, FFT and deapodisation take together */

double ndft_nufft_chance(const ndft_problem *p)
{
    return ndft_chance(
        fmin((double)p->n_voxels, (double)p->n_samples / fmax(1, p->structure.repeats)));
}

static ndft_window shape_of(const int *k, int width)
{
    return ndft_window_shape((ndft_window_kind)k[NDFT_KNOB_WINDOW], width,
                             k[NDFT_KNOB_SIGMA] / 100.0);
}

static ndft_window window_of(const int *k, int width)
{
    return ndft_window_make((ndft_window_kind)k[NDFT_KNOB_WINDOW], width,
                            k[NDFT_KNOB_SIGMA] / 100.0);
}

/* What follows from the problem and these knobs alone is found once (base/memo.h), for all. */
static ndft_question asking(const char *what, const int *k, int width)
{
    return (ndft_question){what,
                           {k[NDFT_KNOB_WINDOW], k[NDFT_KNOB_SIGMA], k[NDFT_KNOB_WEIGHTS], width}};
}

/* Of the loss to aliases, what error_of counts: more where axes are short. */
static double share_of(const ndft_problem *p, const ndft_window *window)
{
    double share = margin;
    for (int d = 0; d < p->dim; d++) {
        if (p->n[d] <= window->width) continue;
        const double edge = ndft_window_edge(window, p->dim, p->n[d]);
        share = fmax(share, fmax(margin + 1 / (double)p->n[d], edge));
    }
    return ndft_nufft_chance(p) * share;
}

static double noise_of(const ndft_problem *p, const ndft_window *window)
{
    return ndft_roundoff(p->prec) * pow(ndft_window_noise(window), p->dim);
}

static double error_of(const ndft_problem *p, const int *k, int width)
{
    const ndft_window window = shape_of(k, width);
    const double lost = k[NDFT_KNOB_WEIGHTS] == NDFT_WEIGHTS_TABLE
                            ? ndft_window_table_error(&window, ndft_window_density(&window), p->dim)
                            : ndft_window_error(&window, p->dim);
    return share_of(p, &window) * lost + ndft_nufft_chance(p) * rounding * noise_of(p, &window);
}

/* Whether error_of is above what is allowed by far less work; false where that cannot tell. */
static bool is_too_narrow(const ndft_problem *p, const int *k, int width, double allowed)
{
    const ndft_window window = shape_of(k, width);
    return share_of(p, &window) * ndft_window_error_on_cells(&window, p->dim) > allowed;
}

/* The first width that loses no more than is allowed, or that of least error; from `first` on. */
static int search(const ndft_problem *p, const int *k, int first, double allowed, double *error)
{
    int best = first;
    *error = INFINITY;
    for (int width = first; width <= NDFT_MAX_WIDTH && *error > allowed; width++) {
        const double one = error_of(p, k, width);
        if (one >= *error) continue;
        best = width;
        *error = one;
    }
    return best;
}

int64_t ndft_fft_size(int64_t least)
{
    for (int64_t size = least + least % 2;; size += 2) {
        int64_t left = size;
        for (int factor = 2; factor <= 7; factor++)
            while (left % factor == 0) left /= factor;
        if (left == 1) return size;
    }
}

/* Returns the number of cells; as a double, for it may be beyond any integer. */
static double place_grid(const ndft_problem *p, const int *k, int width, int64_t grid[3])
{
    double cells = 1;
    for (int d = 0; d < 3; d++) {
        const int64_t wanted = (p->n[d] * k[NDFT_KNOB_SIGMA] + 99) / 100;
        grid[d] = d < p->dim ? ndft_fft_size(wanted > 2 * width ? wanted : 2 * width) : 1;
        cells *= (double)grid[d];
    }
    return cells;
}

static double field_share(const ndft_problem *p)
{
    return ndft_nufft_has_terms(p) ? ndft_nufft_field_share : 0;
}

/* Of the adjoint, beside an error. It adds by squares: where that can hardly be seen it is not
 * looked for. */
static double sums_of(const ndft_problem *p, const int *k, int width, double error)
{
    const ndft_window window = shape_of(k, width);
    const double noise = noise_of(p, &window), addition = 0.3, samples = (double)p->n_samples;
    const double most = samples * fmax(1, p->structure.repeats / 2); /* of a normal operator */
    int64_t grid[3];
    place_grid(p, k, width, grid);
    if (addition * sqrt(most) * noise <= error / 10) return 0;
    const double crowd = ndft_nufft_mean_crowd(p, width, grid);
    const double all = ndft_chance(fmin((double)p->n_voxels, samples / crowd)) *
                       hypot(rounding, addition * sqrt(crowd));
    return fmax(0, all - ndft_nufft_chance(p) * rounding) * noise;
}

/* Of widths from this one on, the first that holds for the adjoint, too; else this one. */
static int widen_for_sums(const ndft_problem *p, const int *k, int width, double allowed)
{
    for (int w = width; w <= NDFT_MAX_WIDTH; w++) {
        const double error = error_of(p, k, w);
        if (error > allowed) break;
        if (error + sums_of(p, k, w, error) <= allowed) return w;
    }
    return width;
}

/* The width for the typical error. */
static int choose_for_typical(const ndft_problem *p, const int *k)
{
    const double share = field_share(p), allowed = sqrt(1 - share * share) * ndft_tol_of_entries(p);
    double error;
    int first = NDFT_MIN_WIDTH;
    while (first < NDFT_MAX_WIDTH && is_too_narrow(p, k, first, allowed)) first++;
    const int width = search(p, k, first, allowed, &error);
    return error <= allowed ? widen_for_sums(p, k, width, allowed)
                            : search(p, k, NDFT_MIN_WIDTH, allowed, &error);
}

static ndft_nufft_worst worst_of(const ndft_problem *p, const int *k, int width,
                                 const int64_t grid[3])
{
    const ndft_question question = asking("worst", k, width);
    ndft_nufft_worst worst;
    if (ndft_memo_recall(p, question, &worst, sizeof worst)) return worst;
    const bool table = k[NDFT_KNOB_WEIGHTS] == NDFT_WEIGHTS_TABLE;
    const ndft_window window = table ? shape_of(k, width) : window_of(k, width);
    worst = ndft_nufft_worst_of(p, &window, table ? ndft_window_density(&window) : 0, grid);
    ndft_memo_remember(p, question, &worst, sizeof worst);
    return worst;
}

/* What terms of a field map amplify rounding by before they are known, which is the claim's to say:
 * three to four as a rule. */
static const double likely_gain = 4;

static double bound_of(const ndft_problem *p, ndft_op op, ndft_nufft_worst worst, int width,
                       const int64_t grid[3])
{
    if (field_share(p) > 0) worst.amplified *= likely_gain;
    return ndft_nufft_worst_sum(&worst, p->prec, ndft_nufft_chain(p, op, width, grid));
}

/* Whether a window loses more by far less work; false where that cannot tell. */
static bool is_beyond(const ndft_problem *p, const int *k, int width, const int64_t grid[3],
                      double allowed)
{
    const ndft_window window = shape_of(k, width);
    return width < NDFT_MAX_WIDTH && ndft_nufft_worst_least(p, &window, grid) > allowed;
}

/* The first width that brings the worst error of both directions within what is allowed, else of
 * the forward one, else that of least error. Wider windows amplify more, and sums of cells are no
 * shorter: where rounding alone is too much there is nothing beyond. */
static int choose_for_any(const ndft_problem *p, const int *k)
{
    const double allowed = (1 - field_share(p)) * ndft_tol_of_entries(p);
    double least = INFINITY;
    int best = NDFT_MIN_WIDTH, holds = 0;
    for (int width = NDFT_MIN_WIDTH; width <= NDFT_MAX_WIDTH; width++) {
        int64_t grid[3];
        place_grid(p, k, width, grid);
        if (is_beyond(p, k, width, grid, allowed)) continue;
        const ndft_nufft_worst worst = worst_of(p, k, width, grid);
        const double forward = bound_of(p, NDFT_FORWARD, worst, width, grid);
        if (forward < least) best = width;
        least = fmin(least, forward);
        if (least > allowed && forward - worst.entry > least) break;
        if (forward > allowed) continue;
        if (!holds) holds = width;
        const double adjoint = bound_of(p, NDFT_ADJOINT, worst, width, grid);
        if (adjoint <= allowed) return width;
        if (adjoint - worst.entry > allowed) break;
    }
    return holds ? holds : best;
}

typedef struct extent {
    int width;
    double error; /* typical */
} extent;

static extent extent_of(const ndft_problem *p, const int *k)
{
    const ndft_question question = asking("width", k, k[NDFT_KNOB_WIDTH]);
    extent e;
    if (ndft_memo_recall(p, question, &e, sizeof e)) return e;
    e.width = k[NDFT_KNOB_WIDTH];
    if (!e.width)
        e.width = p->tol_kind == NDFT_TOL_ANY ? choose_for_any(p, k) : choose_for_typical(p, k);
    e.error = error_of(p, k, e.width);
    ndft_memo_remember(p, question, &e, sizeof e);
    return e;
}

int ndft_nufft_width(const ndft_problem *p, const int *k) { return extent_of(p, k).width; }

double ndft_nufft_error(const ndft_problem *p, const int *k) { return extent_of(p, k).error; }

double ndft_nufft_sums(const ndft_problem *p, ndft_op op, const int *k)
{
    return op == NDFT_FORWARD ? 0 : sums_of(p, k, ndft_nufft_width(p, k), ndft_nufft_error(p, k));
}

int ndft_nufft_width_and_grid(const ndft_problem *p, const int *k, int64_t grid[3])
{
    const int width = ndft_nufft_width(p, k);
    place_grid(p, k, width, grid);
    return width;
}

ndft_nufft_worst ndft_nufft_worst_at(const ndft_problem *p, ndft_op op, const int *k)
{
    int64_t grid[3];
    const int width = ndft_nufft_width_and_grid(p, k, grid);
    ndft_nufft_worst worst = worst_of(p, k, width, grid);
    worst.units += ndft_nufft_chain(p, op, width, grid);
    return worst;
}

static const double most_cells = 2147483647;

const char *ndft_nufft_unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int width = k[NDFT_KNOB_WIDTH];
    if (k[NDFT_KNOB_SIGMA] < 110 || k[NDFT_KNOB_SIGMA] > 400) return "sigma must be 110 to 400";
    if (k[NDFT_KNOB_WINDOW] > NDFT_WINDOW_ES) return "window must be kb, gaussian or es";
    if (k[NDFT_KNOB_WEIGHTS] > NDFT_WEIGHTS_TABLE) return "weights must be polynomial or table";
    if (k[NDFT_KNOB_FIELD] > NDFT_FIELD_HANNING) return "field must be svd, segments or hanning";
    if (width && (width < NDFT_MIN_WIDTH || width > NDFT_MAX_WIDTH))
        return "width must be 0, which chooses by tol, or 2 to 16";
    int64_t grid[3];
    const double cells = place_grid(p, k, ndft_nufft_width(p, k), grid);
    if (cells > most_cells) return "its oversampled grid has 2^31 cells or more";
    if (cells * 2 * (double)ndft_real_size(p->prec) > (double)device->memory_bytes)
        return "one oversampled grid is larger than the device's memory";
    return NULL;
}

static double least_error(const ndft_problem *p, const int *k, const ndft_nufft_shape *s)
{
    if (p->tol_kind == NDFT_TOL_TYPICAL) return s->error;
    const ndft_nufft_worst worst = worst_of(p, k, s->window.width, s->grid);
    return ndft_nufft_worst_sum(&worst, p->prec,
                                ndft_nufft_chain(p, NDFT_FORWARD, s->window.width, s->grid));
}

static ndft_status check_reach(const ndft_problem *p, const int *k, const ndft_nufft_shape *s,
                               double cells, ndft_error *error)
{
    const double best = least_error(p, k, s);
    if (!k[NDFT_KNOB_WIDTH] && best > ndft_tol_of_entries(p))
        return ndft_fail(error, NDFT_EUNSUPPORTED,
                         "tol=%g%s is below what %s can give: at best %.2g with window=%s sigma=%d",
                         p->tol, p->tol_kind == NDFT_TOL_ANY ? " for any data" : "",
                         p->prec == NDFT_F32 ? "f32" : "f64", best,
                         ndft_window_words[k[NDFT_KNOB_WINDOW]], k[NDFT_KNOB_SIGMA]);
    if (cells > most_cells)
        return ndft_fail(error, NDFT_EUNSUPPORTED,
                         "the oversampled grid of %lldx%lldx%lld cells is beyond 2^31",
                         (long long)s->grid[0], (long long)s->grid[1], (long long)s->grid[2]);
    return NDFT_OK;
}

ndft_status ndft_nufft_shape_make(const ndft_problem *p, const int *k, int rank, ndft_error *error,
                                  ndft_nufft_shape *s)
{
    *s = (ndft_nufft_shape){
        .dim = p->dim, .rank = rank, .columns = p->coils * rank, .chunk = p->coils * rank};
    const int width = ndft_nufft_width(p, k);
    const double cells = place_grid(p, k, width, s->grid);
    s->error = ndft_nufft_error(p, k);
    s->window = window_of(k, width);
    NDFT_TRY(check_reach(p, k, s, cells, error));
    for (int d = 0; d < 3; d++) s->n[d] = p->n[d];
    s->cells = (int64_t)cells;
    s->column_bytes = (size_t)s->cells * 2 * ndft_real_size(p->prec);
    return NDFT_OK;
}

void ndft_nufft_chunk(ndft_nufft_shape *s, int coils, size_t budget)
{
    const size_t fit = budget / s->column_bytes;
    if (fit >= (size_t)coils) {
        const int terms = fit / coils < (size_t)s->rank ? (int)(fit / coils) : s->rank;
        const int parts = (s->rank + terms - 1) / terms;
        s->chunk = (s->rank + parts - 1) / parts * coils;
        return;
    }
    const int passes = fit ? (coils + (int)fit - 1) / (int)fit : coils;
    s->chunk = (coils + passes - 1) / passes;
}

void ndft_nufft_put_deapodisation(const ndft_nufft_shape *s, int axis, ndft_prec prec, void *out)
{
    ndft_window_put_deapodisation(&s->window, s->n[axis], s->grid[axis], prec, out);
}
