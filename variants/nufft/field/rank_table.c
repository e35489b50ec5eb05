/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_table.h"

#include "dense.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { POINTS = NDFT_TABLE_DEGREE + 1 };

double ndft_rank_table_reach(int degree, double tol)
{
    return pow(tol * ldexp(tgamma(degree + 2), degree - 1), 1.0 / (degree + 1));
}

/* Intervals that bring the error below tol. */
static int intervals_for(double phase, int degree, double tol)
{
    return (int)fmax(1, ceil(phase / ndft_rank_table_reach(degree, tol)));
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
static void fit(const ndft_rank_table *table, const chebyshev *t, const double *values,
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
        fit(table, &shared, values, values + points * width, table->a + interval * points * width);
    }
    free(values);
    return true;
}

int ndft_rank_table_place(const ndft_rank_table *table, double x, double *position)
{
    const double turns = table->half > 0 ? (x / table->half + 1) / 2 * table->intervals : 0;
    const int interval = (int)fmin(fmax(turns, 0), table->intervals - 1);
    *position = table->half > 0 ? 2 * (turns - interval) - 1 : 0;
    return interval;
}

void ndft_rank_table_at(const ndft_rank_table *table, double x, double *value)
{
    double position;
    const int interval = ndft_rank_table_place(table, x, &position), width = table->width;
    const double *a = table->a + interval * (table->degree + 1) * width;
    for (int f = 0; f < width; f++) value[f] = a[f];
    for (int k = 1; k <= table->degree; k++)
        for (int f = 0; f < width; f++) value[f] = value[f] * position + a[k * width + f];
}

void ndft_rank_table_size(const ndft_rank_table *table, double x, double *size)
{
    double position;
    const int interval = ndft_rank_table_place(table, x, &position), width = table->width;
    const double *a = table->a + interval * (table->degree + 1) * width;
    for (int f = 0; f < width; f++) size[f] = fabs(a[f]);
    for (int k = 1; k <= table->degree; k++)
        for (int f = 0; f < width; f++) size[f] = size[f] * fabs(position) + fabs(a[k * width + f]);
}
