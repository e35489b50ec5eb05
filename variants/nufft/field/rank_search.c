/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* What terms leave of exp(-i w s), at the range's points and at evenly spaced times s >= 0: c is
 * real, so that what is left at -s is the conjugate. */

typedef struct residual {
    int times;     /* as many of both signs */
    double *value; /* [times][re, im][points] */
    double *gain;  /* [times] sum of |b_l| times the largest |c_l|, of the terms taken */
} residual;

/* The last of all, and on to the middle. */
static double time_at(const residual *left, const ndft_rank_range *range, int t)
{
    return range->t_half * (1 - 2.0 * t / (2 * left->times - 1));
}

static double *row_of(const residual *left, const ndft_rank_basis *basis, int t)
{
    return left->value + 2 * t * basis->range->n;
}

/* exp(-i w s) at the points. */
static void put_waves(const ndft_rank_range *range, double time, double *row)
{
    for (int a = 0; a < range->n; a++) {
        const double angle = range->w[a] * time;
        row[a] = cos(angle);
        row[range->n + a] = -sin(angle);
    }
}

/* The same at a step from another row's time. */
static void turn_waves(int n, const double *restrict step, const double *restrict from,
                       double *restrict row)
{
    for (int a = 0; a < n; a++) {
        row[a] = from[a] * step[a] - from[n + a] * step[n + a];
        row[n + a] = from[a] * step[n + a] + from[n + a] * step[a];
    }
}

/* Nothing taken. Times are even: one row is turned into the next, to a unit of the last place each,
 * and a few in a row. */
static void set_residual(residual *left, const ndft_rank_basis *basis)
{
    enum { IN_A_ROW = 8 };
    const ndft_rank_range *range = basis->range;
    double step[2 * NDFT_RANK_POINTS];
    put_waves(range, time_at(left, range, 1) - time_at(left, range, 0), step);
    for (int t = 0; t < left->times; t++) {
        double *row = row_of(left, basis, t);
        if (t % IN_A_ROW)
            turn_waves(range->n, step, row - 2 * range->n, row);
        else
            put_waves(range, time_at(left, range, t), row);
        left->gain[t] = 0;
    }
}

/* b_l of what is left. */
static void project(const ndft_rank_basis *basis, int l, const double *row, double b[2])
{
    const int n = basis->range->n;
    const double *c = basis->value + l * n, *h = basis->h;
    double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
    for (int a = 0; a < n; a++) {
        re += h[a] * c[a] * row[a];
        im += h[a] * c[a] * row[n + a];
    }
    b[0] = re;
    b[1] = im;
}

static double largest_c(const ndft_rank_basis *basis, int l)
{
    double most = 0;
    for (int a = 0; a < basis->range->n; a++)
        most = fmax(most, fabs(basis->value[l * basis->range->n + a]));
    return most;
}

/* Terms first..end - 1, each by projection or with Hanning's window. */
static void subtract(residual *left, const ndft_rank_basis *basis, int first, int end)
{
    const int n = basis->range->n;
    double most[NDFT_RANK_TERMS];
    for (int l = first; l < end; l++) most[l] = largest_c(basis, l);
    for (int t = 0; t < left->times; t++) {
        double *row = row_of(left, basis, t), b[2 * NDFT_RANK_TERMS];
        if (basis->hanning) ndft_rank_basis_b(basis, time_at(left, basis->range, t), b);
        for (int l = first; l < end; l++) {
            if (!basis->hanning) project(basis, l, row, b + 2 * l);
            left->gain[t] += hypot(b[2 * l], b[2 * l + 1]) * most[l];
            for (int part = 0; part < 2; part++)
                ndft_add_multiple(n, -b[2 * l + part], basis->value + l * n, row + part * n);
        }
    }
}

/* Root mean squares, and the largest magnitude. */
static void look_at_points(const residual *left, ndft_rank_basis *basis)
{
    const int n = basis->range->n;
    double worst = 0, most = 0, column[NDFT_RANK_POINTS] = {0};
    for (int t = 0; t < left->times; t++) {
        const double *row = row_of(left, basis, t);
        double sum = 0;
        for (int a = 0; a < n; a++) {
            const double square = row[a] * row[a] + row[n + a] * row[n + a];
            sum += basis->range->share[a] * square;
            column[a] += square / left->times;
            most = square > most ? square : most;
        }
        worst = fmax(worst, sum);
    }
    for (int a = 0; a < n; a++) worst = fmax(worst, column[a]);
    basis->error = sqrt(worst);
    basis->worst = sqrt(most);
}

/*
 * Between them: in a run of points for half-width h and bandwidth S there are 2 (h S + 6), at which
 * a function of about the degree h S + 6 is at least 1/sqrt 2 times its largest (rank_basis.c;
 * Ehlich and Zeller, Math. Z. 86, 1964); and half a step of time from the next a function of the
 * bandwidth W is at least cos(W step/2) times.
 */
static void look_at_residual(const residual *left, ndft_rank_basis *basis)
{
    const double phase = basis->range->w_half * basis->range->t_half;
    look_at_points(left, basis);
    basis->worst *= M_SQRT2 / cos(phase / (2 * left->times - 1));
    basis->gain = 0;
    for (int t = 0; t < left->times; t++) basis->gain = fmax(basis->gain, left->gain[t]);
}

/* Singular vectors below are rounding. */
static const double smallest = 1e-14;

/* Waves of n times in [-half, half], symmetric about 0: evenly spaced, or Chebyshev's. */
static void set_waves(ndft_rank_basis *basis, int n, bool even)
{
    const double half = basis->range->t_half;
    basis->waves = 0;
    for (int i = 0; i < (n + 1) / 2; i++) {
        const bool middle = 2 * i == n - 1;
        const double x = middle ? 0 : even ? 1 - 2.0 * i / (n - 1) : cos(pi * (i + 0.5) / n);
        basis->time[basis->waves++] = x * half;
        if (!middle) basis->time[basis->waves++] = -x * half;
    }
}

/* c by the singular vectors of the waves at the points. The values at the points are the left
 * vectors, orthonormal even where c itself, by a small singular value, is not to all digits.
 * matrix: [waves][points] and [waves][waves], sigma [waves]. */
static void set_vectors(ndft_rank_basis *basis, double *matrix, double *sigma)
{
    const int n = basis->range->n, waves = basis->waves, most = waves < n ? waves : n;
    double *right = matrix + waves * n;
    for (int a = 0; a < n; a++) {
        double value[NDFT_RANK_WAVES];
        ndft_rank_basis_waves(basis, basis->range->w[a], value);
        for (int i = 0; i < waves; i++) matrix[i * n + a] = sqrt(basis->h[a]) * value[i];
    }
    ndft_rank_svd(n, waves, matrix, right, sigma);
    basis->terms = 0;
    while (basis->terms < most && basis->terms < NDFT_RANK_TERMS &&
           sigma[basis->terms] > smallest * sigma[0])
        basis->terms++;
    for (int l = 0; l < basis->terms; l++) {
        for (int i = 0; i < waves; i++) basis->c[l * waves + i] = right[l * waves + i] / sigma[l];
        for (int a = 0; a < n; a++) basis->value[l * n + a] = matrix[l * n + a] / sqrt(basis->h[a]);
    }
}

/* Hanning's c are the waves themselves. */
static void set_identity(ndft_rank_basis *basis)
{
    const int n = basis->range->n;
    basis->terms = basis->waves;
    memset(basis->c, 0, sizeof *basis->c * (size_t)basis->terms * (size_t)basis->waves);
    for (int l = 0; l < basis->terms; l++) basis->c[l * basis->waves + l] = 1;
    for (int a = 0; a < n; a++) {
        double value[NDFT_RANK_WAVES];
        ndft_rank_basis_waves(basis, basis->range->w[a], value);
        for (int l = 0; l < basis->terms; l++) basis->value[l * n + a] = value[l];
    }
}

/* Room for searching. */
typedef struct workspace {
    const ndft_rank_wish *wish;
    double *matrix, *sigma;
    residual residual;
} workspace;

static bool suffices(const ndft_rank_basis *basis, const ndft_rank_wish *wish)
{
    return (wish->kind == NDFT_TOL_ANY ? basis->worst : basis->error) <= wish->tol;
}

/* Segments too far apart leave little where values are few, by terms that are large in between and
 * cancel: then tables and rounding lose more than is allowed for. */
static void look_at_tables(ndft_rank_basis *basis, const ndft_rank_wish *wish)
{
    static const double allowed = 3;
    ndft_rank_bound bound;
    ndft_rank_bound_of(basis, wish->degree, wish->fit, &bound);
    const double rounding = wish->rounding * fmax(0, bound.root - allowed);
    basis->error = fmax(basis->error, bound.mean + rounding);
    basis->worst = fmax(basis->worst, bound.lost);
    basis->gain = fmax(basis->gain, bound.sum);
}

/* The largest singular vectors, one after the other. */
static void take_vectors(ndft_rank_basis *basis, int nodes, workspace *work)
{
    set_waves(basis, nodes, false);
    set_vectors(basis, work->matrix, work->sigma);
    set_residual(&work->residual, basis);
    const int all = basis->terms;
    basis->error = basis->worst = INFINITY;
    for (int l = 0; l < all && !suffices(basis, work->wish); l++) {
        subtract(&work->residual, basis, l, l + 1);
        basis->terms = l + 1;
        look_at_residual(&work->residual, basis);
    }
}

/* A given number of evenly spaced times. */
static void take_segments(ndft_rank_basis *basis, int segments, workspace *work)
{
    set_waves(basis, segments, true);
    if (basis->hanning)
        set_identity(basis);
    else
        set_vectors(basis, work->matrix, work->sigma);
    set_residual(&work->residual, basis);
    subtract(&work->residual, basis, 0, basis->terms);
    look_at_residual(&work->residual, basis);
    if (suffices(basis, work->wish)) look_at_tables(basis, work->wish);
}

/* The fewest by doubling and halving. */
static void search_segments(ndft_rank_basis *basis, int most, workspace *work)
{
    int enough = 1, few = 0;
    for (;; enough = 2 * enough < most ? 2 * enough : most) {
        take_segments(basis, enough, work);
        if (suffices(basis, work->wish) || enough == most) break;
        few = enough;
    }
    while (enough - few > 1) {
        const int middle = few + (enough - few) / 2;
        take_segments(basis, middle, work);
        if (suffices(basis, work->wish))
            enough = middle;
        else
            few = middle;
    }
    take_segments(basis, enough, work);
}

static int nodes_for(const ndft_rank_range *range)
{
    const double phase = range->w_half * range->t_half;
    return phase == 0 ? 1 : (int)ceil(phase + 4 * cbrt(phase + 1)) + 16;
}

static bool make_room(ndft_rank_basis *basis, int most, workspace *work)
{
    const size_t n = (size_t)basis->range->n, waves = (size_t)most;
    work->residual.times = most + 20; /* beside nodes and between them */
    work->matrix = malloc(sizeof(double) * waves * (n + waves));
    work->sigma = malloc(sizeof(double) * waves);
    work->residual.value = malloc(sizeof(double) * 2 * n * (size_t)work->residual.times);
    work->residual.gain = malloc(sizeof(double) * (size_t)work->residual.times);
    basis->time = malloc(sizeof(double) * waves);
    basis->c = malloc(sizeof(double) * waves * waves);
    basis->value = malloc(sizeof(double) * waves * n);
    basis->h = malloc(sizeof(double) * n);
    return work->matrix && work->sigma && work->residual.value && work->residual.gain &&
           basis->time && basis->c && basis->value && basis->h;
}

bool ndft_rank_search(const ndft_rank_range *range, ndft_rank_method method,
                      const ndft_rank_wish *wish, ndft_rank_basis *basis)
{
    *basis = (ndft_rank_basis){.range = range, .hanning = method == NDFT_RANK_HANNING};
    const int nodes = nodes_for(range);
    const int most = nodes == 1 || method == NDFT_RANK_SVD ? nodes : NDFT_RANK_TERMS;
    workspace work = {.wish = wish};
    const bool room = make_room(basis, most, &work);
    if (room) {
        /* Half by the histogram, half even: rare offsets count too. */
        for (int a = 0; a < range->n; a++) basis->h[a] = 0.5 * (1.0 / range->n + range->share[a]);
        if (method == NDFT_RANK_SVD)
            take_vectors(basis, nodes, &work);
        else
            search_segments(basis, most, &work);
    } else {
        ndft_rank_basis_release(basis);
    }
    free(work.matrix);
    free(work.sigma);
    free(work.residual.value);
    free(work.residual.gain);
    return room;
}
