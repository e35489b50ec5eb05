/* SPDX-License-Identifier: Apache-2.0 */
#include "bounds.h"

#include <math.h>

double ndft_roundoff(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p-24 : 0x1p-53; }

static double largest(const void *array, ndft_prec prec, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; array && i < count; i++) {
        const double value = fabs(ndft_real_at(array, prec, i));
        if (isnan(value)) return value;
        most = fmax(most, value);
    }
    return most;
}

void ndft_measure_bounds(ndft_problem *p)
{
    p->t_max = largest(p->t, p->prec, p->n_samples);
    p->dw_max = largest(p->dw, p->prec, p->n_voxels);
    p->phi_max = p->dw_max * p->t_max;
    for (int d = 0; d < 3; d++) {
        p->k_max[d] = largest(p->k[d], p->prec, p->n_samples);
        p->g_max[d] = largest(p->g[d], p->prec, p->n_voxels);
        double r_max = (double)(p->n[d] / 2) / (double)p->n[d];
        p->phi_max += 2 * M_PI * p->k_max[d] * r_max;
    }
}
