/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include "dense.h"
#include "in_use.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { POINTS = NDFT_TABLE_DEGREE + 1 };

double ndft_rank_table_half_width(int degree, double tol)
{
    return pow(tol * ldexp(tgamma(degree + 2), degree - 1), 1.0 / (degree + 1));
}

/* Intervals that bring the error below tol. */
static int intervals_for(double phase, int degree, double tol)
{
    return (int)fmax(1, ceil(phase / ndft_rank_table_half_width(degree, tol)));
}

/* What all intervals share. */
typedef struct chebyshev {
    double powers[POINTS][POINTS]; /* [m][k]: coefficient of x^k in the polynomial of degree m */
    double parts[POINTS][POINTS];  /* [m][i]: of the value at point i in the series' term m */
} chebyshev;

static chebyshev chebyshev_of(int points)
{
    chebyshev t;
    for (int m = 0; m < points; m++) {
        for (int k = 0; k < points; k++)
            t.powers[m][k] =
                m < 2 ? m == k : (k ? 2 * t.powers[m - 1][k - 1] : 0) - t.powers[m - 2][k];
        for (int i = 0; i < points; i++)
            t.parts[m][i] = (m ? 2.0 : 1.0) / points * cos(pi * m * (i + 0.5) / points);
    }
    return t;
}

/* One interval from the values at its Chebyshev points: their series first, whose terms fall, and
 * only then powers, so that nothing cancels. term: room for one of them. */
static void fit_interval(const ndft_rank_table *table, const chebyshev *t, const double *values,
                         double *term, double *a)
{
    const int width = table->width, points = table->degree + 1;
    for (int i = 0; i < points * width; i++) a[i] = 0;
    for (int m = 0; m < points; m++) {
        for (int f = 0; f < width; f++) term[f] = 0;
        for (int i = 0; i < points; i++)
            ndft_add_multiple(width, t->parts[m][i], values + i * width, term);
        for (int k = m % 2; k <= m; k += 2)
            ndft_add_multiple(width, t->powers[m][k], term, a + (table->degree - k) * width);
    }
}

bool ndft_rank_table_make(ndft_rank_function *f, const void *context, int width, double half,
                          double phase, int degree, double tol, ndft_rank_table *table)
{
    const int points = degree + 1, n = intervals_for(phase, degree, tol);
    const chebyshev shared = chebyshev_of(points);
    *table = (ndft_rank_table){.intervals = n, .degree = degree, .width = width, .half = half};
    table->a = malloc(sizeof(double) * (size_t)n * (size_t)points * (size_t)width);
    double *values = malloc(sizeof(double) * (size_t)(points + 1) * (size_t)width);
    if (!table->a || !values) {
        free(table->a);
        table->a = NULL;
        free(values);
        return false;
    }
    for (int interval = 0; interval < n; interval++) {
        for (int i = 0; i < points; i++) {
            const double x = cos(pi * (i + 0.5) / points);
            f(context, half * ((2 * interval + 1 + x) / n - 1), values + i * width);
        }
        fit_interval(table, &shared, values, values + points * width,
                     table->a + interval * points * width);
    }
    free(values);
    return true;
}

static int interval_of(const ndft_rank_table *table, double x, double *position)
{
    return ndft_rank_interval(table->half, table->intervals, x, position);
}

void ndft_rank_table_at(const ndft_rank_table *table, double x, double *value)
{
    double position;
    const int interval = interval_of(table, x, &position), width = table->width;
    const double *a = table->a + interval * (table->degree + 1) * width;
    for (int f = 0; f < width; f++) value[f] = a[f];
    for (int k = 1; k <= table->degree; k++)
        for (int f = 0; f < width; f++) value[f] = value[f] * position + a[k * width + f];
}

void ndft_rank_table_size(const ndft_rank_table *table, double x, double *size)
{
    double position;
    const int interval = interval_of(table, x, &position), width = table->width;
    const double *a = table->a + interval * (table->degree + 1) * width;
    for (int f = 0; f < width; f++) size[f] = fabs(a[f]);
    for (int k = 1; k <= table->degree; k++)
        for (int f = 0; f < width; f++) size[f] = size[f] * fabs(position) + fabs(a[k * width + f]);
}

/* A sine follows the cosine of its time. */
void ndft_rank_basis_waves(const ndft_rank_basis *basis, double w, double *value)
{
    for (int i = 0; i < basis->waves; i++) {
        const double angle = basis->time[i] * w;
        value[i] = cos(angle);
        if (i + 1 < basis->waves && basis->time[i + 1] < 0) value[++i] = sin(angle);
    }
}

void ndft_rank_basis_c(const ndft_rank_basis *basis, double w, double *c)
{
    double value[NDFT_RANK_WAVES];
    ndft_rank_basis_waves(basis, w, value);
    for (int l = 0; l < basis->terms; l++)
        c[l] = ndft_dot(basis->waves, basis->c + l * basis->waves, value);
}

/* Of a node at time node: 0 a spacing away, and the windows of all nodes add up to 1. */
static double hanning_window(const ndft_rank_basis *basis, double node, double s)
{
    const double half = basis->range->t_half;
    if (basis->waves == 1 || half == 0) return 1;
    const double x = fabs(s - node) * (basis->waves - 1) / (2 * half);
    return x < 1 ? 0.5 + 0.5 * cos(pi * x) : 0;
}

/* Nodes at s and -s share a cosine and a sine. */
static void hanning_b(const ndft_rank_basis *basis, double s, double *b)
{
    for (int l = 0; l < basis->terms; l++) {
        const double node = fabs(basis->time[l]);
        const double after = hanning_window(basis, node, s);
        const double before = node > 0 ? hanning_window(basis, -node, s) : 0;
        const bool sine = basis->time[l] < 0;
        b[2 * l] = sine ? 0 : after + before;
        b[2 * l + 1] = sine ? before - after : 0;
    }
}

void ndft_rank_basis_b(const ndft_rank_basis *basis, double s, double *b)
{
    if (basis->hanning) {
        hanning_b(basis, s, b);
        return;
    }
    const int points = basis->range->n;
    for (int l = 0; l < 2 * basis->terms; l++) b[l] = 0;
    for (int a = 0; a < points; a++) {
        const double angle = basis->range->w[a] * s;
        const double re = basis->h[a] * cos(angle), im = -basis->h[a] * sin(angle);
        for (int l = 0; l < basis->terms; l++) {
            b[2 * l] += basis->value[l * points + a] * re;
            b[2 * l + 1] += basis->value[l * points + a] * im;
        }
    }
}

static void c_of(const void *basis, double w, double *value) { ndft_rank_basis_c(basis, w, value); }

static void b_of(const void *basis, double s, double *value) { ndft_rank_basis_b(basis, s, value); }

bool ndft_rank_basis_tables(const ndft_rank_basis *basis, int degree, double fit,
                            ndft_rank_table *b, ndft_rank_table *c)
{
    const double w = basis->range->w_half, s = basis->range->t_half;
    return ndft_rank_table_make(c_of, basis, basis->terms, w, w * s, degree, fit, c) &&
           (basis->hanning || ndft_rank_table_make(b_of, basis, 2 * basis->terms, s, w * s,
                                                   NDFT_TABLE_DEGREE, fit, b));
}

void ndft_rank_basis_b_at(const ndft_rank_basis *basis, const ndft_rank_table *table, double s,
                          double *b)
{
    if (table->a)
        ndft_rank_table_at(table, s, b);
    else
        ndft_rank_basis_b(basis, s, b);
}

void ndft_rank_basis_release(ndft_rank_basis *basis)
{
    free(basis->time);
    free(basis->c);
    free(basis->value);
    free(basis->h);
    *basis = (ndft_rank_basis){0};
}

/* b and c as they will be, c at every offset looked at and at the range's points. */
typedef struct tables {
    ndft_rank_table b, c;
    int n;
    double *w, *value, *size; /* [n], [n][terms], [n][terms] */
} tables;

static bool make(const ndft_rank_basis *basis, int degree, double fit, tables *t)
{
    const ndft_rank_range *range = basis->range;
    const int n = range->offsets + range->n, terms = basis->terms;
    *t = (tables){.n = n, .w = malloc(sizeof(double) * (size_t)n * (size_t)(2 * terms + 1))};
    if (!t->w || !ndft_rank_basis_tables(basis, degree, fit, &t->b, &t->c)) return false;
    t->value = t->w + n;
    t->size = t->value + n * terms;
    for (int a = 0; a < n; a++) {
        t->w[a] = a < range->n ? range->w[a] : range->offset[a - range->n];
        ndft_rank_table_at(&t->c, t->w[a], t->value + a * terms);
        ndft_rank_table_size(&t->c, t->w[a], t->size + a * terms);
    }
    return true;
}

static void release(tables *t)
{
    free(t->b.a);
    free(t->c.a);
    free(t->w);
}

static void look(const ndft_rank_basis *basis, const tables *t, double s, ndft_rank_bound *bound)
{
    double b[2 * NDFT_RANK_TERMS], length[NDFT_RANK_TERMS], mean = 0;
    ndft_rank_basis_b_at(basis, &t->b, s, b);
    for (int l = 0; l < basis->terms; l++) length[l] = hypot(b[2 * l], b[2 * l + 1]);
    for (int a = 0; a < t->n; a++) {
        const double *c = t->value + a * basis->terms, *size = t->size + a * basis->terms;
        double re = cos(t->w[a] * s), im = -sin(t->w[a] * s), sum = 0, squares = 0;
        for (int l = 0; l < basis->terms; l++) {
            re -= b[2 * l] * c[l];
            im -= b[2 * l + 1] * c[l];
            sum += length[l] * size[l];
            squares += length[l] * size[l] * length[l] * size[l];
        }
        if (a < basis->range->n) mean += basis->range->share[a] * (re * re + im * im);
        bound->lost = fmax(bound->lost, hypot(re, im));
        bound->sum = fmax(bound->sum, sum);
        bound->root = fmax(bound->root, sqrt(squares));
    }
    bound->mean = fmax(bound->mean, sqrt(mean));
}

void ndft_rank_bound_of(const ndft_rank_basis *basis, int degree, double fit,
                        ndft_rank_bound *bound)
{
    const ndft_rank_range *range = basis->range;
    tables t;
    *bound = (ndft_rank_bound){INFINITY, INFINITY, INFINITY, INFINITY};
    if (!range->offsets || !range->times) return;
    if (make(basis, degree, fit, &t)) {
        *bound = (ndft_rank_bound){0};
        for (int i = 0; i < range->times; i++) look(basis, &t, range->time[i], bound);
        bound->lost *= ndft_points_margin * ndft_points_margin;
    }
    release(&t);
}
