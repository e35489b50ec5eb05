/* SPDX-License-Identifier: Apache-2.0 */
#include "worst.h"

#include "nufft/order/crowd.h"
#include "window_worst.h"

#include <math.h>

enum { MOST_LANES = 8 }; /* complex numbers of a vector, which are added up at last */

static double of_doubling(void) { return sqrt(5) + 2; }

/* Axes of one size are looked at once. */
static void add_axes(const ndft_problem *p, const ndft_window *window, int density,
                     const int64_t grid[3], ndft_nufft_worst *worst)
{
    ndft_window_worst axis = {0};
    double kept = 1;
    for (int d = 0; d < p->dim; d++) {
        const double xi_max = (double)(p->n[d] / 2) / (double)grid[d];
        if (d == 0 || p->n[d] != p->n[d - 1] || grid[d] != grid[d - 1])
            axis = ndft_window_worst_of(window, density, p->n[d] / 2, grid[d]);
        kept *= 1 + axis.error;
        worst->amplified *= axis.amplified;
        worst->units +=
            2 + axis.rounding + 1 + 4 * M_PI * xi_max + of_doubling() * log2((double)grid[d]);
    }
    worst->entry = kept - 1;
}

ndft_nufft_worst ndft_nufft_worst_of(const ndft_problem *p, const ndft_window *window, int density,
                                     const int64_t grid[3])
{
    ndft_nufft_worst worst = {.amplified = 1};
    add_axes(p, window, density, grid, &worst);
    return worst;
}

double ndft_nufft_worst_least(const ndft_problem *p, const ndft_window *window,
                              const int64_t grid[3])
{
    double least = 0;
    for (int d = 0; d < p->dim; d++) {
        const double xi = (double)(p->n[d] / 2) / (double)grid[d];
        least = fmax(least, ndft_window_worst_least(window, xi));
    }
    return least;
}

double ndft_nufft_chain(const ndft_problem *p, ndft_op op, int width, const int64_t grid[3])
{
    return op == NDFT_ADJOINT ? (double)ndft_nufft_crowd(p, width, grid)
                              : width + pow(width, p->dim - 1) + MOST_LANES;
}

double ndft_nufft_worst_sum(const ndft_nufft_worst *worst, ndft_prec prec, double units)
{
    const double eps = prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
    return worst->entry + eps * worst->amplified * (worst->units + units);
}
