/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/rank_range.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { BINS = 4096 };

/* Values that fall into one bin. */
typedef struct bin {
    double low, high;
    int64_t count;
} bin;

double ndft_rank_offset(const ndft_problem *p, int64_t v, const double u[3])
{
    double w = p->dw ? ndft_real_at(p->dw, p->prec, v) : 0;
    for (int d = 0; d < p->dim && p->g[d]; d++)
        w += 2 * pi * u[d] * ndft_real_at(p->g[d], p->prec, v);
    return w;
}

/* Unlike fmin and fmax no calls. */
static double lower(double a, double b) { return a < b ? a : b; }

static double higher(double a, double b) { return a > b ? a : b; }

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
        low = lower(low, t);
        high = higher(high, t);
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
            low = lower(low, w);
            high = higher(high, w);
        }
    }
    find_middle(low, high, &range->w_mid, &range->w_half);
}

static void fill_bins(const ndft_problem *p, const ndft_quadrature *quadrature,
                      const ndft_rank_range *range, bin *bins)
{
    for (int i = 0; i < BINS; i++) bins[i] = (bin){INFINITY, -INFINITY, 0};
    const double scale = range->w_half > 0 ? BINS / (2 * range->w_half) : 0;
    for (int q = 0; q < quadrature->nodes; q++) {
        double u[3];
        ndft_quadrature_node(quadrature, q, u);
        for (int64_t v = 0; v < p->n_voxels; v++) {
            const double w = ndft_rank_offset(p, v, u) - range->w_mid;
            bin *b = bins + (int)lower(higher((w + range->w_half) * scale, 0), BINS - 1);
            b->low = lower(b->low, w);
            b->high = higher(b->high, w);
            b->count++;
        }
    }
}

/* Shares each bin's values to the nearest of the points from `first` on. */
static void share_bins(ndft_rank_range *range, int first, const bin *bins, int from, int to,
                       double values)
{
    for (int i = first; i < range->n; i++) range->share[i] = 0;
    for (int i = from, nearest = first; i < to; i++) {
        if (!bins[i].count) continue;
        const double w = (bins[i].low + bins[i].high) / 2;
        while (nearest + 1 < range->n &&
               fabs(range->w[nearest + 1] - w) <= fabs(range->w[nearest] - w))
            nearest++;
        range->share[nearest] += (double)bins[i].count / values;
    }
}

/* Points for the values of bins from..to - 1, low..high. */
static void add_run(ndft_rank_range *range, const bin *bins, int from, int to, double values)
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

/* A run ends where the gap is wider than `gap`. Values lie in the first bin and in the last. */
static void add_runs(ndft_rank_range *range, const bin *bins, double gap, double values)
{
    range->n = 0;
    int from = 0, last = 0;
    for (int i = 1; i < BINS; i++) {
        if (!bins[i].count) continue;
        if (bins[i].low - bins[last].high > gap) {
            add_run(range, bins, from, last + 1, values);
            from = i;
        }
        last = i;
    }
    add_run(range, bins, from, last + 1, values);
}

void ndft_rank_range_make(const ndft_problem *p, const ndft_quadrature *quadrature,
                          ndft_rank_range *range)
{
    static const double noticed = 1; /* rad */
    bin bins[BINS];
    find_clock(p, range);
    find_field(p, quadrature, range);
    fill_bins(p, quadrature, range, bins);
    /* Wider gaps, fewer runs, until all find room. */
    double gap = range->t_half > 0 ? noticed / range->t_half : INFINITY;
    do {
        add_runs(range, bins, gap, (double)p->n_voxels * quadrature->nodes);
        gap *= 2;
    } while (range->n > NDFT_RANK_POINTS - 16 && gap < 4 * range->w_half);
}
