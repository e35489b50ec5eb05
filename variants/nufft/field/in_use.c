/* SPDX-License-Identifier: Apache-2.0 */
#include "in_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ndft_values_open(ndft_values *values, double low, double high, int bins)
{
    values->low = low;
    values->high = high;
    values->bins = values->n = bins;
    values->scale = high > low ? bins / (high - low) : 0;
    for (int i = 0; i < bins; i++) values->bin[i] = (ndft_bin){INFINITY, -INFINITY, 0};
}

void ndft_values_close(ndft_values *values)
{
    values->n = 0;
    for (int i = 0; i < values->bins; i++)
        if (values->bin[i].count) values->bin[values->n++] = values->bin[i];
}

/* Clocks are mostly a readout's, again and again: how long it is; count where they are not. */
static int64_t period_of(const void *array, ndft_prec prec, int64_t count)
{
    const size_t real = ndft_real_size(prec);
    const double first = ndft_real_at(array, prec, 0);
    int64_t n = 1;
    while (n < count && ndft_real_at(array, prec, n) != first) n++;
    const char *again = (const char *)array + (size_t)n * real;
    return memcmp(array, again, (size_t)(count - n) * real) ? count : n;
}

void ndft_values_of(const void *array, ndft_prec prec, int64_t count, int bins, ndft_values *values)
{
    const int64_t n = period_of(array, prec, count);
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double value = ndft_real_at(array, prec, i);
        low = ndft_lower(low, value);
        high = ndft_higher(high, value);
    }
    ndft_values_open(values, low, high, bins);
    for (int64_t i = 0; i < n; i++) {
        const double value = ndft_real_at(array, prec, i);
        ndft_values_add(values, value, value);
    }
    ndft_values_close(values);
}

void ndft_values_differences(const ndft_values *values, ndft_values *differences)
{
    ndft_values_open(differences, 0, values->high - values->low, NDFT_BINS);
    for (int i = 0; i < values->n; i++) {
        const ndft_bin *a = &values->bin[i];
        ndft_values_add(differences, 0, a->high - a->low);
        for (int k = 0; k < i; k++) {
            const ndft_bin *b = &values->bin[k];
            ndft_values_add(differences, a->low - b->high, a->high - b->low);
        }
    }
    ndft_values_close(differences);
}

static bool are_exact(const ndft_bin *bin, int first, int end)
{
    for (int i = first; i < end; i++)
        if (bin[i].low != bin[i].high) return false;
    return true;
}

bool ndft_values_exact(const ndft_values *values) { return are_exact(values->bin, 0, values->n); }

/* Of a run of half-width a/S; at most one for which nobody has so many points. */
static int degree_of(double a)
{
    enum { MOST = 1 << 14 };
    const double nothing = log(1e-16);
    double term = log(a / 2);
    int degree = 0;
    while (term > nothing && degree < MOST) term += log(a / 2 / (++degree + 1));
    return degree;
}

/* A run of bins first..end-1; returns how many points it takes, as a double. */
static double put_run(const ndft_bin *bin, int first, int end, double bandwidth, int most,
                      double *points)
{
    double low = bin[first].low, high = bin[first].high;
    for (int i = first; i < end; i++) {
        low = ndft_lower(low, bin[i].low);
        high = ndft_higher(high, bin[i].high);
    }
    const int n = 3 * degree_of(bandwidth * (high - low) / 2) + 1;
    const bool each = end - first <= n && are_exact(bin, first, end);
    const int count = each ? end - first : n;
    for (int i = 0; i < count && i < most; i++)
        points[i] =
            each ? bin[first + i].low : (low + high - (high - low) * cos(M_PI * (i + 0.5) / n)) / 2;
    return count;
}

/* More than `most` as soon as there are. */
static double put_runs(const ndft_values *values, double bandwidth, double gap, int most,
                       double *points)
{
    double count = 0, high = -INFINITY;
    int first = 0;
    for (int i = 0; i < values->n && count <= most; i++) {
        const bool ends = i + 1 == values->n ||
                          values->bin[i + 1].low > ndft_higher(high, values->bin[i].high) + gap;
        high = ndft_higher(high, values->bin[i].high);
        if (!ends) continue;
        const int used = (int)count;
        count += put_run(values->bin, first, i + 1, bandwidth, most - used, points + used);
        first = i + 1;
    }
    return count;
}

int ndft_values_points(const ndft_values *values, double bandwidth, int most, double *points)
{
    /* Wider gaps, fewer runs, until all find room. */
    const double span = values->high - values->low;
    double gap = 1 / bandwidth, count;
    do {
        count = put_runs(values, bandwidth, gap, most, points);
        gap *= 2;
    } while (count > most && gap < 2 * span);
    return count > most ? 0 : (int)count;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool ndft_values_distinct(const void *array, ndft_prec prec, int64_t count, double **values,
                          int64_t *n)
{
    const int64_t period = period_of(array, prec, count);
    double *value = *values = malloc(sizeof *value * (size_t)period);
    if (!value) return false;
    int64_t found = 0;
    for (int64_t j = 0, at = 0; j < period; j++, at++) { /* mostly the one after the last one's */
        if (at == found) at = 0;
        const double now = ndft_real_at(array, prec, j);
        if (found && value[at] == now) continue;
        at = found;
        value[found++] = now;
    }
    qsort(value, (size_t)found, sizeof *value, compare);
    *n = 0;
    for (int64_t i = 0; i < found; i++)
        if (i == 0 || value[i] != value[i - 1]) value[(*n)++] = value[i];
    return true;
}

int64_t ndft_values_find(const double *values, int64_t n, double value)
{
    return (const double *)bsearch(&value, values, (size_t)n, sizeof value, compare) - values;
}
