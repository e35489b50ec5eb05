/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include "dense.h"
#include "in_use.h"

#include <math.h>
#include <stdlib.h>

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
