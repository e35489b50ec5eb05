/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/rank_residual.h"

#include "nufft/dense.h"

#include <math.h>

/* The last of all, and on to the middle. */
static double time_at(const ndft_rank_residual *residual, const ndft_rank_range *range, int t)
{
    return range->t_half * (1 - 2.0 * t / (2 * residual->times - 1));
}

static double *row_of(const ndft_rank_residual *residual, const ndft_rank_basis *basis, int t)
{
    return residual->value + 2 * t * basis->range->n;
}

void ndft_rank_residual_set(ndft_rank_residual *residual, const ndft_rank_basis *basis)
{
    const int n = basis->range->n;
    for (int t = 0; t < residual->times; t++) {
        double *row = row_of(residual, basis, t);
        for (int a = 0; a < n; a++) {
            const double angle = basis->range->w[a] * time_at(residual, basis->range, t);
            row[a] = cos(angle);
            row[n + a] = -sin(angle);
        }
    }
}

/* b_l of what is left. */
static void project(const ndft_rank_basis *basis, int l, const double *row, double b[2])
{
    const int n = basis->range->n;
    const double *c = basis->value + l * n, *h = basis->h;
    double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
    for (int a = 0; a < n; a++) {
        re += h[a] * c[a] * row[a];
        im += h[a] * c[a] * row[n + a];
    }
    b[0] = re;
    b[1] = im;
}

void ndft_rank_residual_subtract(ndft_rank_residual *residual, const ndft_rank_basis *basis,
                                 int first, int end)
{
    const int n = basis->range->n;
    for (int t = 0; t < residual->times; t++) {
        double *row = row_of(residual, basis, t), b[2 * NDFT_RANK_TERMS];
        if (basis->hanning) ndft_rank_basis_b(basis, time_at(residual, basis->range, t), b);
        for (int l = first; l < end; l++) {
            if (!basis->hanning) project(basis, l, row, b + 2 * l);
            for (int part = 0; part < 2; part++)
                ndft_add_multiple(n, -b[2 * l + part], basis->value + l * n, row + part * n);
        }
    }
}

double ndft_rank_residual_worst(const ndft_rank_residual *residual, const ndft_rank_basis *basis)
{
    const int n = basis->range->n;
    double worst = 0, column[NDFT_RANK_POINTS] = {0};
    for (int t = 0; t < residual->times; t++) {
        const double *row = row_of(residual, basis, t);
        double sum = 0;
        for (int a = 0; a < n; a++) {
            const double square = row[a] * row[a] + row[n + a] * row[n + a];
            sum += basis->range->share[a] * square;
            column[a] += square / residual->times;
        }
        worst = fmax(worst, sum);
    }
    for (int a = 0; a < n; a++) worst = fmax(worst, column[a]);
    return sqrt(worst);
}
