/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/rank_residual.h"

#include <math.h>

/* With both ends. */
static double time_at(const ndft_rank_residual *residual, const ndft_rank_range *range, int t)
{
    return range->t_half * (2.0 * t / (residual->times - 1) - 1);
}

void ndft_rank_residual_set(ndft_rank_residual *residual, const ndft_rank_basis *basis)
{
    const ndft_rank_range *range = basis->range;
    for (int t = 0; t < residual->times; t++) {
        const double s = time_at(residual, range, t);
        for (int a = 0; a < range->n; a++)
            residual->value[t * range->n + a] = cos(range->w[a] * s) - I * sin(range->w[a] * s);
    }
}

static double complex project(const ndft_rank_basis *basis, int l, const double complex *row)
{
    const double *c = basis->value + l * basis->range->n;
    double complex b = 0;
    for (int a = 0; a < basis->range->n; a++) b += basis->h[a] * c[a] * row[a];
    return b;
}

void ndft_rank_residual_subtract(ndft_rank_residual *residual, const ndft_rank_basis *basis,
                                 int first, int end)
{
    const int n = basis->range->n;
    for (int t = 0; t < residual->times; t++) {
        double complex *row = residual->value + t * n;
        double window[2 * NDFT_RANK_TERMS];
        if (basis->hanning) ndft_rank_basis_b(basis, time_at(residual, basis->range, t), window);
        for (int l = first; l < end; l++) {
            const double complex b =
                basis->hanning ? window[2 * l] + I * window[2 * l + 1] : project(basis, l, row);
            for (int a = 0; a < n; a++) row[a] -= b * basis->value[l * n + a];
        }
    }
}

static double square(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

double ndft_rank_residual_worst(const ndft_rank_residual *residual, const ndft_rank_basis *basis)
{
    const ndft_rank_range *range = basis->range;
    double worst = 0;
    for (int t = 0; t < residual->times; t++) {
        double row = 0;
        for (int a = 0; a < range->n; a++)
            row += range->share[a] * square(residual->value[t * range->n + a]);
        worst = fmax(worst, row);
    }
    for (int a = 0; a < range->n; a++) {
        double column = 0;
        for (int t = 0; t < residual->times; t++)
            column += square(residual->value[t * range->n + a]) / residual->times;
        worst = fmax(worst, column);
    }
    return sqrt(worst);
}
