/* SPDX-License-Identifier: Apache-2.0 */
#include "toeplitz.h"

#include "dense.h"
#include "rank_table.h"

#include <math.h>
#include <stdlib.h>

typedef struct range {
    double low, high;
} range;

static range range_of(const void *array, ndft_prec prec, int64_t count)
{
    range r = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < count; i++) {
        const double value = ndft_real_at(array, prec, i);
        r.low = fmin(r.low, value);
        r.high = fmax(r.high, value);
    }
    return r;
}

/* The histogram's autocorrelation; bins close enough for B T turns. */
static ndft_pairs pairs_of(const ndft_problem *p, range field, double turns)
{
    ndft_pairs pairs = {.bins = (int)fmin(64 + 8 * turns, NDFT_TOEPLITZ_BINS)};
    double part[NDFT_TOEPLITZ_BINS] = {0};
    pairs.step = (field.high - field.low) / (pairs.bins - 1);
    for (int64_t v = 0; v < p->n_voxels; v++) {
        const double at = (ndft_real_at(p->dw, p->prec, v) - field.low) / pairs.step;
        part[(int)(at + 0.5)] += 1 / (double)p->n_voxels;
    }
    for (int i = 0; i < pairs.bins; i++)
        for (int k = 0; k <= i; k++) pairs.weight[i - k] += (i == k ? 1 : 2) * part[i] * part[k];
    return pairs;
}

/* exp(i w t) over the pairs' differences w, t from the readout's middle: [bins][re, im], weighted.
 */
static void fill(const ndft_pairs *pairs, double t, double *to)
{
    for (int k = 0; k < pairs->bins; k++) {
        const double root = sqrt(pairs->weight[k]), angle = k * pairs->step * t;
        to[2 * k] = root * cos(angle);
        to[2 * k + 1] = root * sin(angle);
    }
}

/* Least squares by Gram and Schmidt's method, modified, with pivots: column order[i] is
 * sum_{k <= i} r[k][i] q[k]. What is left of a column that adds nothing is not used. */
typedef struct solver {
    int n, used, rows, order[NDFT_TOEPLITZ_TERMS];
    double *q, *r; /* [n][rows], [n][n] */
} solver;

static int largest(const solver *s, int from)
{
    int best = from;
    double most = -1;
    for (int i = from; i < s->n; i++) {
        const double norm = ndft_dot(s->rows, s->q + i * s->rows, s->q + i * s->rows);
        if (norm <= most) continue;
        most = norm;
        best = i;
    }
    return best;
}

static void swap_columns(solver *s, int a, int b)
{
    if (a == b) return;
    const int order = s->order[a];
    s->order[a] = s->order[b];
    s->order[b] = order;
    for (int i = 0; i < s->rows + s->n; i++) {
        double *x = i < s->rows ? s->q + a * s->rows + i : s->r + (i - s->rows) * s->n + a;
        double *y = i < s->rows ? s->q + b * s->rows + i : s->r + (i - s->rows) * s->n + b;
        const double kept = *x;
        *x = *y;
        *y = kept;
    }
}

static void orthogonalise(solver *s)
{
    const double nothing = 1e-14;
    for (; s->used < s->n; s->used++) {
        const int i = s->used;
        swap_columns(s, i, largest(s, i));
        double *q = s->q + i * s->rows;
        const double norm = sqrt(ndft_dot(s->rows, q, q));
        if (norm < nothing) return;
        s->r[i * s->n + i] = norm;
        ndft_scale(s->rows, 1 / norm, q);
        for (int k = i + 1; k < s->n; k++) {
            double *other = s->q + k * s->rows, part = ndft_dot(s->rows, q, other);
            s->r[i * s->n + k] = part;
            ndft_add_multiple(s->rows, -part, q, other);
        }
    }
}

static bool solver_make(const ndft_pairs *pairs, const double *tau, double middle, int n, solver *s)
{
    *s = (solver){.n = n, .rows = 2 * pairs->bins};
    s->q = calloc((size_t)n * (size_t)(s->rows + n), sizeof *s->q);
    if (!s->q) return false;
    s->r = s->q + n * s->rows;
    for (int i = 0; i < n; i++) {
        s->order[i] = i;
        fill(pairs, tau[i] - middle, s->q + i * s->rows);
    }
    orthogonalise(s);
    return true;
}

static void solver_release(solver *s) { free(s->q); }

/* b of a time; returns its error. */
static double solve(const solver *s, const ndft_pairs *pairs, double t, double *b)
{
    double rest[2 * NDFT_TOEPLITZ_BINS], part[NDFT_TOEPLITZ_TERMS];
    fill(pairs, t, rest);
    for (int i = 0; i < s->used; i++) {
        part[i] = ndft_dot(s->rows, s->q + i * s->rows, rest);
        ndft_add_multiple(s->rows, -part[i], s->q + i * s->rows, rest);
    }
    for (int i = 0; i < s->n; i++) b[i] = 0;
    for (int i = s->used - 1; i >= 0; i--) {
        for (int k = i + 1; k < s->used; k++) part[i] -= s->r[i * s->n + k] * b[s->order[k]];
        b[s->order[i]] = part[i] / s->r[i * s->n + i];
    }
    return sqrt(ndft_dot(s->rows, rest, rest));
}

/* Times over the readout, a little closer at its ends. */
static void place_times(range clock, int terms, double *tau)
{
    const double bend = 0.97;
    for (int i = 0; i < terms; i++) {
        const double y = terms > 1 ? cos(M_PI * i / (terms - 1)) : 0;
        const double part = 0.5 * (1 + asin(bend * y) / asin(bend));
        tau[i] = clock.low + part * (clock.high - clock.low);
    }
}

static double worst_error(const ndft_toeplitz *toeplitz, range clock)
{
    solver s;
    double b[NDFT_TOEPLITZ_TERMS], worst = 0;
    const int places = 4 * toeplitz->terms + 1;
    if (!solver_make(&toeplitz->pairs, toeplitz->tau, toeplitz->middle, toeplitz->terms, &s))
        return INFINITY;
    for (int i = 0; i < places; i++) {
        const double t = (clock.high - clock.low) * ((i + 0.4) / places - 0.5);
        worst = fmax(worst, solve(&s, &toeplitz->pairs, t, b));
    }
    solver_release(&s);
    return worst;
}

void ndft_toeplitz_choose(const ndft_problem *p, double tol, ndft_toeplitz *toeplitz)
{
    *toeplitz = (ndft_toeplitz){.terms = 1, .pairs = {.bins = 1, .weight = {1}}};
    if (!p->dw) return;
    const range field = range_of(p->dw, p->prec, p->n_voxels);
    const range clock = range_of(p->t, p->prec, p->n_samples);
    const double turns = (field.high - field.low) * (clock.high - clock.low) / (2 * M_PI);
    toeplitz->middle = 0.5 * (clock.low + clock.high);
    place_times(clock, 1, toeplitz->tau);
    if (turns == 0) return;
    toeplitz->pairs = pairs_of(p, field, turns);
    toeplitz->error = INFINITY;
    int terms = (int)fmin(fmax(2 * turns - log10(tol), 1), NDFT_TOEPLITZ_TERMS) + 1;
    for (; terms <= NDFT_TOEPLITZ_TERMS && toeplitz->error > tol; terms++) {
        toeplitz->terms = terms;
        place_times(clock, terms, toeplitz->tau);
        toeplitz->error = worst_error(toeplitz, clock);
    }
    if (toeplitz->error > tol) toeplitz->terms = NDFT_TOEPLITZ_TERMS + 1;
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
    const ndft_pairs *pairs;
    solver solver;
} weigher;

static void weights_at(const void *context, double t, double *b)
{
    const weigher *w = context;
    solve(&w->solver, w->pairs, t, b);
}

/* Weights of each time; what holds of their table holds of the sums in which they are used, for
 * they are a projection of functions of that bandwidth. */
static bool fill_weights(const ndft_toeplitz *toeplitz, const timed *sorted,
                         const ndft_toeplitz_weights *weights)
{
    const double tol = fmax(toeplitz->error / 1000, 1e-15), middle = toeplitz->middle;
    const double half = fmax(sorted[weights->rows - 1].t - middle, middle - sorted[0].t);
    const double most = toeplitz->pairs.step * (toeplitz->pairs.bins - 1); /* rad/s */
    weigher w = {.pairs = &toeplitz->pairs};
    ndft_rank_table table = {0};
    const bool made = solver_make(w.pairs, toeplitz->tau, middle, toeplitz->terms, &w.solver) &&
                      ndft_rank_table_make(weights_at, &w, toeplitz->terms, half, most * half,
                                           NDFT_TABLE_DEGREE, tol, &table);
    for (int64_t i = 0; made && i < weights->rows; i++)
        ndft_rank_table_at(&table, sorted[i].t - middle, weights->b + i * toeplitz->terms);
    solver_release(&w.solver);
    free(table.a);
    return made;
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
