/* SPDX-License-Identifier: Apache-2.0 */
#include "toeplitz.h"

#include "base/memo.h"
#include "nufft/field/dense.h"
#include "nufft/field/in_use.h"
#include "nufft/field/rank_basis.h"

#include <math.h>
#include <stdlib.h>

/* As close as tables of b come to it. */
static const double table_floor = 1e-15;

/* exp(i w t) at the points, t from the readout's middle: [re, im][points]. */
static void fill(const ndft_toeplitz *toeplitz, double t, double *to)
{
    for (int i = 0; i < toeplitz->points; i++) {
        const double angle = toeplitz->point[i] * t;
        to[i] = cos(angle);
        to[toeplitz->points + i] = sin(angle);
    }
}

/* What is asked, and the times in use at which what is lost is looked at. */
enum { TIMES = 8192 };

typedef struct question {
    ndft_prec prec;
    double each, tol;
    int n;
    bool all;         /* there are no other times */
    int looks;        /* times before the middle, where the others mirror them; else n */
    double at[TIMES]; /* s, from the readout's middle */
} question;

/* Over the readout, a little closer at its ends; the times themselves where there are no more. */
static void place_terms(int terms, const question *asked, ndft_toeplitz *toeplitz)
{
    const double bend = 0.97;
    toeplitz->terms = terms;
    toeplitz->each = asked->all && asked->n == terms;
    for (int i = 0; i < terms; i++) {
        const double y = terms > 1 ? cos(M_PI * i / (terms - 1)) : 0;
        const double at = toeplitz->half * asin(bend * y) / asin(bend);
        toeplitz->tau[i] = toeplitz->middle + (toeplitz->each ? asked->at[i] : at);
    }
}

static bool solver_make(const ndft_toeplitz *toeplitz, ndft_least_squares *solver)
{
    if (!ndft_least_squares_make(toeplitz->terms, 2 * toeplitz->points, solver)) return false;
    for (int l = 0; l < toeplitz->terms; l++)
        fill(toeplitz, toeplitz->tau[l] - toeplitz->middle, solver->column + l * solver->rows);
    ndft_least_squares_factor(solver);
    return true;
}

/* The largest of what is lost at the points, and of b's norms, at the times looked at. */
typedef struct largest {
    double lost, sum, root;
} largest;

static void look(const ndft_toeplitz *toeplitz, const ndft_least_squares *solver, double t,
                 largest *most)
{
    double rest[2 * NDFT_TOEPLITZ_POINTS], b[NDFT_TOEPLITZ_TERMS], sum = 0, squares = 0;
    fill(toeplitz, t, rest);
    ndft_least_squares_solve(solver, rest, b);
    for (int i = 0; i < toeplitz->points; i++)
        most->lost = fmax(most->lost, hypot(rest[i], rest[toeplitz->points + i]));
    for (int l = 0; l < toeplitz->terms; l++) {
        sum += fabs(b[l]);
        squares += b[l] * b[l];
    }
    most->sum = fmax(most->sum, sum);
    most->root = fmax(most->root, sqrt(squares));
}

/* What b does to errors of one term's: rounding of c_l, products and sums, which terms have
 * independently; its spectrum, tables of b and phases. */
static double amplified(const ndft_toeplitz *toeplitz, const question *asked, const largest *most)
{
    const double eps = ndft_roundoff(asked->prec);
    const double each = asked->each + table_floor + 0x1p-53 * toeplitz->phase;
    return 2 * eps * most->root + each * toeplitz->gain;
}

/* What a number of terms loses: between points of the differences and between times, too; that it
 * is more than tol is seen at the readout's ends as a rule, and then not how much. What is lost
 * at a time and at its mirror image are conjugates, as terms mirror each other. */
static void try_terms(int terms, const question *asked, ndft_toeplitz *toeplitz)
{
    ndft_least_squares solver;
    largest most = {0};
    place_terms(terms, asked, toeplitz);
    toeplitz->error = INFINITY;
    if (!solver_make(toeplitz, &solver)) return;
    const double margin = ndft_points_margin * ndft_points_margin;
    for (int i = 0; i < asked->looks && margin * most.lost <= asked->tol; i++)
        look(toeplitz, &solver, asked->at[i], &most);
    ndft_least_squares_release(&solver);
    toeplitz->lost = margin * most.lost;
    toeplitz->gain = ndft_points_margin * most.sum;
    toeplitz->error = toeplitz->lost + amplified(toeplitz, asked, &most);
}

static int looks_at(const question *asked, double half)
{
    const double rounding = 1e-12;
    for (int i = 0; i < asked->n / 2; i++)
        if (fabs(asked->at[i] + asked->at[asked->n - 1 - i]) > rounding * half) return asked->n;
    return (asked->n + 1) / 2;
}

/* Differences and times in use; false: they take too many points. */
static bool lay_out(const ndft_problem *p, ndft_toeplitz *toeplitz, question *asked)
{
    enum { FIELD_BINS = 1024 }; /* few enough for all their pairs */
    ndft_values values, differences;
    ndft_values_of(p->dw, p->prec, p->n_voxels, FIELD_BINS, &values);
    ndft_values_differences(&values, &differences);
    toeplitz->most = differences.high;
    toeplitz->phase = fmax(fabs(values.low), fabs(values.high));
    ndft_values_of(p->t, p->prec, p->n_samples, NDFT_BINS, &values);
    toeplitz->phase *= fmax(fabs(values.low), fabs(values.high));
    toeplitz->middle = 0.5 * (values.low + values.high);
    toeplitz->half = 0.5 * (values.high - values.low);
    toeplitz->points =
        ndft_values_points(&differences, toeplitz->half, NDFT_TOEPLITZ_POINTS, toeplitz->point);
    asked->n = ndft_values_points(&values, toeplitz->most, TIMES, asked->at);
    asked->all = asked->n == values.n && ndft_values_exact(&values);
    for (int i = 0; i < asked->n; i++) asked->at[i] -= toeplitz->middle;
    asked->looks = looks_at(asked, toeplitz->half);
    return toeplitz->points && asked->n;
}

static void search(const question *asked, ndft_toeplitz *toeplitz)
{
    const double turns = toeplitz->most * toeplitz->half / M_PI, tol = asked->tol;
    const int most = asked->all && asked->n < NDFT_TOEPLITZ_TERMS ? asked->n : NDFT_TOEPLITZ_TERMS;
    const double guess = fmin(fmax(2 * turns - log10(tol), 1), 2 * toeplitz->points - 1);
    int terms = (int)fmin(guess, most);
    try_terms(terms, asked, toeplitz);
    while (terms > 1 && toeplitz->error <= tol) try_terms(--terms, asked, toeplitz);
    while (terms < most && toeplitz->error > tol) try_terms(++terms, asked, toeplitz);
    if (toeplitz->error > tol) toeplitz->terms = NDFT_TOEPLITZ_TERMS + 1;
}

static void choose(const ndft_problem *p, double each, double tol, ndft_toeplitz *toeplitz)
{
    question asked = {.prec = p->prec, .each = each, .tol = tol};
    *toeplitz = (ndft_toeplitz){.terms = 1, .gain = 1, .error = each, .points = 1};
    if (!p->dw) return;
    const bool room = lay_out(p, toeplitz, &asked);
    toeplitz->tau[0] = toeplitz->middle;
    if (toeplitz->most * toeplitz->half == 0) return;
    if (room)
        search(&asked, toeplitz);
    else
        toeplitz->terms = NDFT_TOEPLITZ_TERMS + 1;
}

void ndft_toeplitz_choose(const ndft_problem *p, double each, double tol, ndft_toeplitz *toeplitz)
{
    const ndft_question asked = {"toeplitz", {each, tol}};
    if (ndft_memo_recall(p, asked, toeplitz, sizeof *toeplitz)) return;
    choose(p, each, tol, toeplitz);
    ndft_memo_remember(p, asked, toeplitz, sizeof *toeplitz);
}

typedef struct timed {
    double t;
    int64_t sample;
} timed;

static int by_time(const void *a, const void *b)
{
    const timed *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

/* Numbers the distinct times; sorted[i] becomes the i-th of them. */
static int64_t number_times(const ndft_problem *p, timed *sorted, int32_t *row)
{
    const int64_t m = p->n_samples;
    for (int64_t j = 0; j < m; j++)
        sorted[j] = (timed){p->dw ? ndft_real_at(p->t, p->prec, j) : 0, j};
    qsort(sorted, (size_t)m, sizeof *sorted, by_time);
    int64_t rows = 0;
    for (int64_t i = 0; i < m; i++) {
        if (rows == 0 || sorted[i].t != sorted[rows - 1].t) sorted[rows++].t = sorted[i].t;
        row[sorted[i].sample] = (int32_t)(rows - 1);
    }
    return rows;
}

/* b as a function of the time from the middle, for tables. */
typedef struct weigher {
    const ndft_toeplitz *toeplitz;
    ndft_least_squares solver;
} weigher;

static void weights_at(const void *context, double t, double *b)
{
    const weigher *w = context;
    double rest[2 * NDFT_TOEPLITZ_POINTS];
    fill(w->toeplitz, t, rest);
    ndft_least_squares_solve(&w->solver, rest, b);
}

/* What holds of the table holds of the sums in which its weights are used, for they are a
 * projection of functions of that bandwidth. */
bool ndft_toeplitz_tabulate(const ndft_toeplitz *toeplitz, ndft_rank_table *table)
{
    const double half = toeplitz->half;
    const double tol = fmax(toeplitz->error / (100 * toeplitz->gain), table_floor);
    weigher w = {.toeplitz = toeplitz};
    *table = (ndft_rank_table){0};
    const bool made = solver_make(toeplitz, &w.solver) &&
                      ndft_rank_table_make(weights_at, &w, toeplitz->terms, half,
                                           toeplitz->most * half, NDFT_TABLE_DEGREE, tol, table);
    ndft_least_squares_release(&w.solver);
    return made;
}

static bool fill_by_table(const ndft_toeplitz *toeplitz, const timed *sorted,
                          const ndft_toeplitz_weights *weights)
{
    ndft_rank_table table;
    const bool made = ndft_toeplitz_tabulate(toeplitz, &table);
    for (int64_t i = 0; made && i < weights->rows; i++)
        ndft_rank_table_at(&table, sorted[i].t - toeplitz->middle,
                           weights->b + i * toeplitz->terms);
    free(table.a);
    return made;
}

/* Weights of each time. */
static bool fill_weights(const ndft_toeplitz *toeplitz, const timed *sorted,
                         const ndft_toeplitz_weights *weights)
{
    if (!toeplitz->each) return fill_by_table(toeplitz, sorted, weights);
    for (int64_t i = 0; i < weights->rows; i++)
        for (int l = 0; l < toeplitz->terms; l++) weights->b[i * toeplitz->terms + l] = i == l;
    return true;
}

ndft_status ndft_toeplitz_weigh(const ndft_problem *p, const ndft_toeplitz *toeplitz,
                                ndft_error *error, ndft_toeplitz_weights *weights)
{
    const size_t m = (size_t)p->n_samples, terms = (size_t)toeplitz->terms;
    timed *sorted = malloc(m * sizeof *sorted);
    *weights = (ndft_toeplitz_weights){.row = malloc(m * sizeof *weights->row)};
    if (sorted && weights->row) weights->rows = number_times(p, sorted, weights->row);
    if (weights->rows) weights->b = malloc((size_t)weights->rows * terms * sizeof *weights->b);
    const bool made = weights->b && fill_weights(toeplitz, sorted, weights);
    free(sorted);
    if (made) return NDFT_OK;
    free(weights->row);
    free(weights->b);
    *weights = (ndft_toeplitz_weights){0};
    return ndft_fail(error, NDFT_ENOMEM, "no memory for the weights of %zu terms", terms);
}

/*
 * With M cells a spectrum H is the sum over the samples of b_j times a Dirichlet kernel's values,
 * whose mean modulus is at most (2/pi) log M + 1 an axis (Zygmund, Trigonometric Series, 1959,
 * II.12). So an error of eps in each cell of a transformed image comes out as that times eps m, as
 * do the product's. There are two transforms (window.h), and the sum over terms.
 */
static double roundings(const ndft_problem *p, int terms)
{
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    double kernel = 1, units = 2 * (sqrt(5) + 2) * log2((double)psf.size) + 2 * (sqrt(5) + 1) + 1;
    for (int d = 0; d < p->dim; d++) kernel *= 2 / M_PI * log((double)psf.cells[d]) + 1;
    return ndft_roundoff(p->prec) * kernel * (units + terms);
}

/* Most of tol, less what the descriptors claim beside it of white data: c = 4, forward and adjoint.
 */
static double room(const ndft_problem *p)
{
    if (p->tol_kind == NDFT_TOL_ANY) return 0.9 * p->tol;
    return fmax(0.9 * (p->tol - 8 * ndft_roundoff(p->prec)), 0.1 * p->tol);
}

/* Of each of so many terms. */
static double worst_of_each(const ndft_problem *p, int terms)
{
    return ndft_psf_worst(p) + roundings(p, terms);
}

void ndft_toeplitz_fit(const ndft_problem *p, ndft_toeplitz *toeplitz)
{
    const double each = p->tol_kind == NDFT_TOL_ANY
                            ? worst_of_each(p, p->dw ? NDFT_TOEPLITZ_TERMS : 1)
                            : ndft_psf_error(p);
    ndft_toeplitz_choose(p, each, room(p), toeplitz);
}

const char *ndft_toeplitz_unsupported(const ndft_problem *p)
{
    if (ndft_has_gradients(p)) return "with gradient maps A^H A is no sum of convolutions";
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    return toeplitz.terms > NDFT_TOEPLITZ_TERMS
               ? "its field map over its readout takes more than 96 convolutions at this tol"
               : NULL;
}

double ndft_toeplitz_truncation(const ndft_problem *p)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    return 0.5 * toeplitz.error;
}

double ndft_toeplitz_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const double each = worst_of_each(p, toeplitz.terms) + 0x1p-53 * toeplitz.phase;
    return 0.5 * (toeplitz.lost + toeplitz.gain * each);
}

/* Of one transform of a length, in multiply-adds. */
static double transform(double length) { return 2.5 * length * log2(length); }

ndft_cost ndft_toeplitz_cost(const ndft_problem *p, double passes, double launches)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const ndft_psf psf = ndft_psf_of(p, ndft_fft_size);
    const double columns = (double)toeplitz.terms * p->coils,
                 real = (double)ndft_real_size(p->prec);
    const double voxels = (double)p->n_voxels, size = (double)psf.size;
    double fma = 2 * size + 2 * voxels * (p->dw ? 24 : 0);
    for (int d = 0; d < p->dim; d++) {
        const double cells = (double)psf.cells[d];
        fma += 2 * size / cells * transform(cells);
    }
    return (ndft_cost){.fma = columns * fma,
                       .issue_slots = columns * fma,
                       .dram_bytes = columns * real * (size + 4 * voxels),
                       .l2_bytes = columns * real * (2 * passes * size + size + 4 * voxels),
                       .launches = launches};
}
