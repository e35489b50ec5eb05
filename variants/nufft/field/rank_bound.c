/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_bound.h"

#include "in_use.h"
#include "rank_table.h"

#include <math.h>
#include <stdlib.h>

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
