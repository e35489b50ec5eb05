/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_higher_sides.h"

#include <stdlib.h>

static void put_side(const void *array, ndft_prec prec, int64_t count, double scale, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = scale * ndft_real_at(array, prec, i);
}

static double *copy(const void *array, ndft_prec prec, int64_t count)
{
    double *to = malloc(sizeof *to * (size_t)count);
    if (to) put_side(array, prec, count, 1, to);
    return to;
}

bool ndft_higher_sides_make(const ndft_problem *p, ndft_higher_sides *s)
{
    const double inv_pi = 0.31830988618379067154;
    const int64_t m = p->n_samples, n = p->n_voxels;
    const int terms = p->higher.terms, axes = terms + (p->dw ? 1 : 0);
    *s = (ndft_higher_sides){.axes = axes, .samples = m, .voxels = n};
    s->c = malloc(sizeof(double) * (size_t)(m * axes));
    s->b = malloc(sizeof(double) * (size_t)(n * axes));
    if (p->decay) s->t = copy(p->t, p->prec, m);
    if (p->decay) s->rate = copy(p->decay, p->prec, n);
    if (!s->c || !s->b || (p->decay && !(s->t && s->rate))) {
        ndft_higher_sides_release(s);
        return false;
    }
    for (int a = 0; a < axes; a++) {
        put_side(a < terms ? p->higher.c[a] : p->t, p->prec, m, inv_pi, s->c + a * m);
        put_side(a < terms ? p->higher.b[a] : p->dw, p->prec, n, 1, s->b + a * n);
    }
    return true;
}

void ndft_higher_sides_release(ndft_higher_sides *s)
{
    free(s->c);
    free(s->b);
    free(s->t);
    free(s->rate);
    *s = (ndft_higher_sides){0};
}
