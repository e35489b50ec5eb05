/* SPDX-License-Identifier: Apache-2.0 */
#include "in_use.h"

#include "base/bounds.h"
#include "rank_basis.h"

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

/* Some of an array, less the middle. */
static void read_some(const void *array, ndft_prec prec, int64_t first, int n, double middle,
                      double *value)
{
    const float *f32 = (const float *)array + first;
    const double *f64 = (const double *)array + first;
    if (prec == NDFT_F32)
        for (int i = 0; i < n; i++) value[i] = f32[i] - middle;
    else
        for (int i = 0; i < n; i++) value[i] = f64[i] - middle;
}

/* The bins of some at a time, which do not wait for values in them. */
static void add_all(ndft_values *values, const void *array, ndft_prec prec, int64_t count,
                    double middle)
{
    enum { AT_ONCE = 256 };
    double value[AT_ONCE];
    int bin[AT_ONCE];
    for (int64_t first = 0; first < count; first += AT_ONCE) {
        const int n = count - first < AT_ONCE ? (int)(count - first) : AT_ONCE;
        read_some(array, prec, first, n, middle, value);
        for (int i = 0; i < n; i++) bin[i] = ndft_values_bin(values, value[i]);
        for (int i = 0; i < n; i++) ndft_bin_add(&values->bin[bin[i]], value[i], value[i]);
    }
}

void ndft_values_of(const void *array, ndft_prec prec, int64_t count, int bins, ndft_values *values)
{
    const int64_t n = ndft_period(array, prec, count);
    double low, high;
    ndft_ends(array, prec, n, &low, &high);
    ndft_values_open(values, low, high, bins);
    add_all(values, array, prec, n, 0);
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

int ndft_wave_degree(double a)
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
    const int n = 3 * ndft_wave_degree(bandwidth * (high - low) / 2) + 1;
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
    const int64_t period = ndft_period(array, prec, count);
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

/* The range of a problem's clock and field (rank_basis.h). */

static const double pi = 3.14159265358979323846;

double ndft_rank_offset(const ndft_problem *p, int64_t v, const double u[3])
{
    double w = p->dw ? ndft_real_at(p->dw, p->prec, v) : 0;
    for (int d = 0; d < p->dim && p->g[d]; d++)
        w += 2 * pi * u[d] * ndft_real_at(p->g[d], p->prec, v);
    return w;
}

static void find_middle(double low, double high, double *middle, double *half)
{
    *middle = low + (high - low) / 2;
    *half = fmax(high - *middle, *middle - low);
}

static void find_clock(const ndft_problem *p, ndft_rank_range *range)
{
    double low, high;
    ndft_ends(p->t, p->prec, ndft_period(p->t, p->prec, p->n_samples), &low, &high);
    find_middle(low, high, &range->t_mid, &range->t_half);
}

static bool is_field_alone(const ndft_problem *p) { return p->dw && !p->g[0]; }

static void find_field(const ndft_problem *p, const ndft_quadrature *quadrature,
                       ndft_rank_range *range)
{
    double low = INFINITY, high = -INFINITY;
    if (is_field_alone(p)) ndft_ends(p->dw, p->prec, p->n_voxels, &low, &high);
    for (int q = 0; q < (is_field_alone(p) ? 0 : quadrature->nodes); q++) {
        double u[3];
        ndft_quadrature_node(quadrature, q, u);
        for (int64_t v = 0; v < p->n_voxels; v++) {
            const double w = ndft_rank_offset(p, v, u);
            low = ndft_lower(low, w);
            high = ndft_higher(high, w);
        }
    }
    find_middle(low, high, &range->w_mid, &range->w_half);
}

/* Less the middle. */
static void find_values(const ndft_problem *p, const ndft_quadrature *quadrature,
                        const ndft_rank_range *range, ndft_values *values)
{
    ndft_values_open(values, -range->w_half, range->w_half, NDFT_BINS);
    if (is_field_alone(p)) add_all(values, p->dw, p->prec, p->n_voxels, range->w_mid);
    for (int q = 0; q < (is_field_alone(p) ? 0 : quadrature->nodes); q++) {
        double u[3];
        ndft_quadrature_node(quadrature, q, u);
        for (int64_t v = 0; v < p->n_voxels; v++) {
            const double w = ndft_rank_offset(p, v, u) - range->w_mid;
            ndft_values_add(values, w, w);
        }
    }
    ndft_values_close(values);
}

/* Shares each bin's values to the nearest of the points from `first` on. */
static void share_bins(ndft_rank_range *range, int first, const ndft_bin *bins, int from, int to,
                       double values)
{
    for (int i = first; i < range->n; i++) range->share[i] = 0;
    for (int i = from, nearest = first; i < to; i++) {
        const double w = (bins[i].low + bins[i].high) / 2;
        while (nearest + 1 < range->n &&
               fabs(range->w[nearest + 1] - w) <= fabs(range->w[nearest] - w))
            nearest++;
        range->share[nearest] += (double)bins[i].count;
    }
    for (int i = first; i < range->n; i++) range->share[i] /= values;
}

/* Points for the values of bins from..to - 1, low..high. */
static void add_run(ndft_rank_range *range, const ndft_bin *bins, int from, int to, double values)
{
    const double low = bins[from].low, high = bins[to - 1].high;
    const double wanted = low == high ? 1 : ceil((high - low) * range->t_half) + 12;
    const int n = (int)fmin(wanted, NDFT_RANK_POINTS - range->n), first = range->n;
    if (n == 0) return;
    for (int i = 0; i < n; i++) {
        const double x = n > 1 ? -cos(pi * i / (n - 1)) : 0;
        range->w[range->n++] = low + (high - low) * (1 + x) / 2;
    }
    share_bins(range, first, bins, from, to, values);
}

/* A run ends where the gap is wider than `gap`. */
static void add_runs(ndft_rank_range *range, const ndft_values *offsets, double gap, double values)
{
    const ndft_bin *bins = offsets->bin;
    range->n = 0;
    for (int i = 1, from = 0; i <= offsets->n; i++) {
        if (i < offsets->n && bins[i].low - bins[i - 1].high <= gap) continue;
        add_run(range, bins, from, i, values);
        from = i;
    }
}

static void find_looks(const ndft_problem *p, const ndft_values *offsets, ndft_rank_range *range)
{
    ndft_values times;
    ndft_values_of(p->t, p->prec, p->n_samples, NDFT_BINS, &times);
    range->offsets = ndft_values_points(offsets, range->t_half, NDFT_RANK_LOOKS, range->offset);
    range->times = ndft_values_points(&times, range->w_half, NDFT_RANK_LOOKS, range->time);
    for (int i = 0; i < range->times; i++) range->time[i] -= range->t_mid;
}

void ndft_rank_range_make(const ndft_problem *p, const ndft_quadrature *quadrature,
                          ndft_rank_range *range)
{
    static const double noticed = 1, most_turns = 100; /* rad */
    ndft_values offsets;
    *range = (ndft_rank_range){0};
    find_clock(p, range);
    find_field(p, quadrature, range);
    if (2 * range->w_half * range->t_half > most_turns * pi) return;
    find_values(p, quadrature, range, &offsets);
    find_looks(p, &offsets, range);
    /* Wider gaps, fewer runs, until all find room. */
    double gap = range->t_half > 0 ? noticed / range->t_half : INFINITY;
    do {
        add_runs(range, &offsets, gap, (double)p->n_voxels * quadrature->nodes);
        gap *= 2;
    } while (range->n > NDFT_RANK_POINTS - 16 && gap < 4 * range->w_half);
}
