/* SPDX-License-Identifier: Apache-2.0 */
#include "least_squares.h"

#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ndft_least_squares_make(int n, int rows, ndft_least_squares *s)
{
    *s = (ndft_least_squares){.n = n, .rows = rows};
    s->order = malloc((size_t)n * sizeof *s->order);
    s->column = calloc((size_t)(n + 1) * (size_t)(2 * rows + n), sizeof *s->column);
    if (!s->order || !s->column) {
        ndft_least_squares_release(s);
        return false;
    }
    s->q = s->column + n * rows;
    s->r = s->q + n * rows;
    s->rest = s->r + n * n;
    s->part = s->rest + rows;
    return true;
}

void ndft_least_squares_release(ndft_least_squares *s)
{
    free(s->order);
    free(s->column);
    *s = (ndft_least_squares){0};
}

static int largest(const ndft_least_squares *s, int from)
{
    int best = from;
    double most = -1;
    for (int i = from; i < s->n; i++) {
        const double norm = ndft_dot(s->rows, s->q + i * s->rows, s->q + i * s->rows);
        if (norm <= most) continue;
        most = norm;
        best = i;
    }
    return best;
}

static void swap_columns(ndft_least_squares *s, int a, int b)
{
    if (a == b) return;
    const int order = s->order[a];
    s->order[a] = s->order[b];
    s->order[b] = order;
    for (int i = 0; i < s->rows + s->n; i++) {
        double *x = i < s->rows ? s->q + a * s->rows + i : s->r + (i - s->rows) * s->n + a;
        double *y = i < s->rows ? s->q + b * s->rows + i : s->r + (i - s->rows) * s->n + b;
        const double kept = *x;
        *x = *y;
        *y = kept;
    }
}

void ndft_least_squares_factor(ndft_least_squares *s)
{
    const double nothing = 1e-14; /* of a column's length */
    const double length = sqrt((double)s->rows);
    memcpy(s->q, s->column, (size_t)(s->n * s->rows) * sizeof *s->q);
    for (int i = 0; i < s->n; i++) s->order[i] = i;
    for (; s->used < s->n; s->used++) {
        const int i = s->used;
        swap_columns(s, i, largest(s, i));
        double *q = s->q + i * s->rows;
        const double norm = sqrt(ndft_dot(s->rows, q, q));
        if (norm < nothing * length) return;
        s->r[i * s->n + i] = norm;
        ndft_scale(s->rows, 1 / norm, q);
        for (int k = i + 1; k < s->n; k++) {
            double *other = s->q + k * s->rows, part = ndft_dot(s->rows, q, other);
            s->r[i * s->n + k] = part;
            ndft_add_multiple(s->rows, -part, q, other);
        }
    }
}

void ndft_least_squares_solve(const ndft_least_squares *s, double *target, double *x)
{
    const int rows = s->rows;
    memcpy(s->rest, target, (size_t)rows * sizeof *target);
    for (int i = 0; i < s->used; i++) {
        s->part[i] = ndft_dot(rows, s->q + i * rows, s->rest);
        ndft_add_multiple(rows, -s->part[i], s->q + i * rows, s->rest);
    }
    for (int i = 0; i < s->n; i++) x[i] = 0;
    for (int i = s->used - 1; i >= 0; i--) {
        double value = s->part[i];
        for (int k = i + 1; k < s->used; k++) value -= s->r[i * s->n + k] * x[s->order[k]];
        x[s->order[i]] = value / s->r[i * s->n + i];
    }
    for (int i = 0; i < s->n; i++) ndft_add_multiple(rows, -x[i], s->column + i * rows, target);
}
