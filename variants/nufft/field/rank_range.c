/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_range.h"

#include "in_use.h"

#include <math.h>

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
    double low = INFINITY, high = -INFINITY;
    for (int64_t j = 0; j < p->n_samples; j++) {
        const double t = ndft_real_at(p->t, p->prec, j);
        low = ndft_lower(low, t);
        high = ndft_higher(high, t);
    }
    find_middle(low, high, &range->t_mid, &range->t_half);
}

static void find_field(const ndft_problem *p, const ndft_quadrature *quadrature,
                       ndft_rank_range *range)
{
    double low = INFINITY, high = -INFINITY;
    for (int q = 0; q < quadrature->nodes; q++) {
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
    for (int q = 0; q < quadrature->nodes; q++) {
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
        range->share[nearest] += (double)bins[i].count / values;
    }
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
    static const double noticed = 1; /* rad */
    ndft_values offsets;
    find_clock(p, range);
    find_field(p, quadrature, range);
    find_values(p, quadrature, range, &offsets);
    find_looks(p, &offsets, range);
    /* Wider gaps, fewer runs, until all find room. */
    double gap = range->t_half > 0 ? noticed / range->t_half : INFINITY;
    do {
        add_runs(range, &offsets, gap, (double)p->n_voxels * quadrature->nodes);
        gap *= 2;
    } while (range->n > NDFT_RANK_POINTS - 16 && gap < 4 * range->w_half);
}
