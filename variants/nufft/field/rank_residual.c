/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_residual.h"

#include "dense.h"

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
        residual->gain[t] = 0;
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

static double largest(const ndft_rank_basis *basis, int l)
{
    double most = 0;
    for (int a = 0; a < basis->range->n; a++)
        most = fmax(most, fabs(basis->value[l * basis->range->n + a]));
    return most;
}

void ndft_rank_residual_subtract(ndft_rank_residual *residual, const ndft_rank_basis *basis,
                                 int first, int end)
{
    const int n = basis->range->n;
    double most[NDFT_RANK_TERMS];
    for (int l = first; l < end; l++) most[l] = largest(basis, l);
    for (int t = 0; t < residual->times; t++) {
        double *row = row_of(residual, basis, t), b[2 * NDFT_RANK_TERMS];
        if (basis->hanning) ndft_rank_basis_b(basis, time_at(residual, basis->range, t), b);
        for (int l = first; l < end; l++) {
            if (!basis->hanning) project(basis, l, row, b + 2 * l);
            residual->gain[t] += hypot(b[2 * l], b[2 * l + 1]) * most[l];
            for (int part = 0; part < 2; part++)
                ndft_add_multiple(n, -b[2 * l + part], basis->value + l * n, row + part * n);
        }
    }
}

/* Root mean squares, and the largest magnitude. */
static void look_at_points(const ndft_rank_residual *residual, ndft_rank_basis *basis)
{
    const int n = basis->range->n;
    double worst = 0, most = 0, column[NDFT_RANK_POINTS] = {0};
    for (int t = 0; t < residual->times; t++) {
        const double *row = row_of(residual, basis, t);
        double sum = 0;
        for (int a = 0; a < n; a++) {
            const double square = row[a] * row[a] + row[n + a] * row[n + a];
            sum += basis->range->share[a] * square;
            column[a] += square / residual->times;
            most = square > most ? square : most;
        }
        worst = fmax(worst, sum);
    }
    for (int a = 0; a < n; a++) worst = fmax(worst, column[a]);
    basis->error = sqrt(worst);
    basis->worst = sqrt(most);
}

/*
 * Between them: in a run of points for half-width h and bandwidth S there are 2 (h S + 6), at which
 * a function of about the degree h S + 6 is at least 1/sqrt 2 times its largest (rank_range.c;
 * Ehlich and Zeller, Math. Z. 86, 1964); and half a step of time from the next a function of the
 * bandwidth W is at least cos(W step/2) times.
 */
void ndft_rank_residual_look(const ndft_rank_residual *residual, ndft_rank_basis *basis)
{
    const double phase = basis->range->w_half * basis->range->t_half;
    look_at_points(residual, basis);
    basis->worst *= M_SQRT2 / cos(phase / (2 * residual->times - 1));
    basis->gain = 0;
    for (int t = 0; t < residual->times; t++) basis->gain = fmax(basis->gain, residual->gain[t]);
}
