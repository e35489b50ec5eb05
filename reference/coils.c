/* SPDX-License-Identifier: Apache-2.0 */
#include "coils.h"

#include "turns.h"

#include <math.h>

static void map_at(const ndft_problem *p, int coil, int64_t voxel, double s[2])
{
    const int64_t at = 2 * (coil * p->n_voxels + voxel);
    s[0] = ndft_real_at(p->maps, p->prec, at);
    s[1] = ndft_real_at(p->maps, p->prec, at + 1);
}

void ndft_coil_image(const ndft_problem *p, int coil, int64_t voxel, const void *image, double z[2])
{
    double s[2];
    const double re = ndft_real_at(image, p->prec, 2 * voxel);
    const double im = ndft_real_at(image, p->prec, 2 * voxel + 1);
    map_at(p, coil, voxel, s);
    z[0] = fma(s[0], re, -(s[1] * im));
    z[1] = fma(s[0], im, s[1] * re);
}

void ndft_coil_sum(const ndft_problem *p, int64_t voxel, const double *each, double sum[2])
{
    double error[2] = {0, 0};
    sum[0] = sum[1] = 0;
    for (int c = 0; c < p->coils; c++) {
        const double re = each[2 * c], im = each[2 * c + 1];
        double s[2];
        map_at(p, c, voxel, s);
        ndft_add(&sum[0], &error[0], fma(s[0], re, s[1] * im));
        ndft_add(&sum[1], &error[1], fma(s[0], im, -(s[1] * re)));
    }
    for (int part = 0; part < 2; part++) sum[part] += error[part];
}
