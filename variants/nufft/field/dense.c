/* SPDX-License-Identifier: Apache-2.0 */
#include "dense.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 40 };

/* A = sum_k u_k r_k^T, u_k where A's columns were, r_k as v's rows; square[k] = |r_k|^2, 0 where
 * there is no such term. */
typedef struct factors {
    int rows, columns;
    double *u, *r, *square;
} factors;

static double *u_of(const factors *f, int k) { return f->u + k * f->rows; }

static double *r_of(const factors *f, int k) { return f->r + k * f->columns; }

static double square_of(int n, const double *x) { return ndft_dot(n, x, x); }

/* The longest of what is left of columns; -1 where nothing is. */
static int longest(const factors *f, double *square)
{
    int best = -1;
    *square = 0;
    for (int i = 0; i < f->columns; i++) {
        const double own = f->square[i] > 0 ? 0 : square_of(f->rows, u_of(f, i));
        if (own <= *square) continue;
        *square = own;
        best = i;
    }
    return best;
}

/* Takes u_k's part out of a column. */
static void take_out(const factors *f, int k, int column)
{
    const double part = ndft_dot(f->rows, u_of(f, k), u_of(f, column));
    r_of(f, k)[column] += part;
    ndft_add_multiple(f->rows, -part, u_of(f, k), u_of(f, column));
}

static void clear(const factors *f, int column)
{
    memset(u_of(f, column), 0, sizeof(double) * (size_t)f->rows);
}

/* What is left of column k becomes u_k, once rounding's part of the others is out of it. What that
 * is most of was rounding alone, and is no term (W. Kahan's "twice is enough"). */
static void make_term(factors *f, int k, double before)
{
    for (int i = 0; i < f->columns; i++)
        if (f->square[i] > 0) take_out(f, i, k);
    const double square = square_of(f->rows, u_of(f, k));
    if (square < before / 4) {
        clear(f, k);
        return;
    }
    f->square[k] = square;
    r_of(f, k)[k] = sqrt(square);
    ndft_scale(f->rows, 1 / sqrt(square), u_of(f, k));
    for (int i = 0; i < f->columns; i++)
        if (f->square[i] == 0) take_out(f, k, i);
}

static void factorise(factors *f)
{
    double square, first = 0;
    for (int k = longest(f, &square); k >= 0; k = longest(f, &square)) {
        if (sqrt(square) <= DBL_EPSILON / 2 * first) break;
        make_term(f, k, square);
        if (first == 0) first = sqrt(square);
    }
    for (int k = 0; k < f->columns; k++) {
        if (f->square[k] > 0)
            f->square[k] = square_of(f->columns, r_of(f, k));
        else
            clear(f, k);
    }
}

static void rotate(int n, double *x, double *y, double c, double s)
{
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const double old = x[i];
        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/* Makes two rows orthogonal; false where they were. */
static bool turn_pair(factors *f, int i, int j)
{
    double *x = r_of(f, i), *y = r_of(f, j);
    const double xx = f->square[i], yy = f->square[j], xy = ndft_dot(f->columns, x, y);
    if (fabs(xy) <= DBL_EPSILON * sqrt(xx * yy) || fabs(xy) < DBL_MIN) return false;
    const double zeta = (yy - xx) / (2 * xy);
    const double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double c = 1 / sqrt(1 + t * t);
    rotate(f->columns, x, y, c, c * t);
    rotate(f->rows, u_of(f, i), u_of(f, j), c, c * t);
    f->square[i] = square_of(f->columns, x);
    f->square[j] = square_of(f->columns, y);
    return true;
}

static void swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double old = x[i];
        x[i] = y[i];
        y[i] = old;
    }
}

/* Terms to the front, largest first. */
static void sort(factors *f)
{
    for (int i = 0; i < f->columns; i++) {
        int largest = i;
        for (int j = i + 1; j < f->columns; j++)
            if (f->square[j] > f->square[largest]) largest = j;
        if (largest == i) continue;
        swap(1, f->square + i, f->square + largest);
        swap(f->rows, u_of(f, i), u_of(f, largest));
        swap(f->columns, r_of(f, i), r_of(f, largest));
    }
}

void ndft_rank_svd(int rows, int columns, double *a, double *v, double *sigma)
{
    factors f = {.rows = rows, .columns = columns};
    f.u = a;
    f.r = v;
    f.square = sigma;
    memset(v, 0, sizeof *v * (size_t)columns * (size_t)columns);
    memset(sigma, 0, sizeof *sigma * (size_t)columns);
    factorise(&f);
    sort(&f);
    int terms = 0;
    while (terms < columns && sigma[terms] > 0) terms++;
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int i = 0; i < terms; i++)
            for (int j = i + 1; j < terms; j++) turned |= turn_pair(&f, i, j);
    }
    sort(&f);
    for (int k = 0; k < terms; k++) {
        sigma[k] = sqrt(sigma[k]);
        ndft_scale(columns, 1 / sigma[k], r_of(&f, k));
    }
}

bool ndft_least_squares_make(int n, int rows, ndft_least_squares *s)
{
    *s = (ndft_least_squares){.n = n, .rows = rows};
    s->order = malloc((size_t)n * sizeof *s->order);
    s->column = calloc((size_t)(n + 1) * (size_t)(2 * rows + n), sizeof *s->column);
    if (!s->order || !s->column) {
        ndft_least_squares_release(s);
        return false;
    }
    s->q = s->column + n * rows;
    s->r = s->q + n * rows;
    s->rest = s->r + n * n;
    s->part = s->rest + rows;
    return true;
}

void ndft_least_squares_release(ndft_least_squares *s)
{
    free(s->order);
    free(s->column);
    *s = (ndft_least_squares){0};
}

static int largest(const ndft_least_squares *s, int from)
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

static void swap_columns(ndft_least_squares *s, int a, int b)
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

void ndft_least_squares_factor(ndft_least_squares *s)
{
    const double nothing = 1e-14; /* of a column's length */
    const double length = sqrt((double)s->rows);
    memcpy(s->q, s->column, (size_t)(s->n * s->rows) * sizeof *s->q);
    for (int i = 0; i < s->n; i++) s->order[i] = i;
    for (; s->used < s->n; s->used++) {
        const int i = s->used;
        swap_columns(s, i, largest(s, i));
        double *q = s->q + i * s->rows;
        const double norm = sqrt(ndft_dot(s->rows, q, q));
        if (norm < nothing * length) return;
        s->r[i * s->n + i] = norm;
        ndft_scale(s->rows, 1 / norm, q);
        for (int k = i + 1; k < s->n; k++) {
            double *other = s->q + k * s->rows, part = ndft_dot(s->rows, q, other);
            s->r[i * s->n + k] = part;
            ndft_add_multiple(s->rows, -part, q, other);
        }
    }
}

void ndft_least_squares_solve(const ndft_least_squares *s, double *target, double *x)
{
    const int rows = s->rows;
    memcpy(s->rest, target, (size_t)rows * sizeof *target);
    for (int i = 0; i < s->used; i++) {
        s->part[i] = ndft_dot(rows, s->q + i * rows, s->rest);
        ndft_add_multiple(rows, -s->part[i], s->q + i * rows, s->rest);
    }
    for (int i = 0; i < s->n; i++) x[i] = 0;
    for (int i = s->used - 1; i >= 0; i--) {
        double value = s->part[i];
        for (int k = i + 1; k < s->used; k++) value -= s->r[i * s->n + k] * x[s->order[k]];
        x[s->order[i]] = value / s->r[i * s->n + i];
    }
    for (int i = 0; i < s->n; i++) ndft_add_multiple(rows, -x[i], s->column + i * rows, target);
}
