/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_svd.h"

#include "dense.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
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
