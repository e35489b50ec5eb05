/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>
#include <stdio.h>

/* A program of the reference alone: one sample, whose sum is known. */
int main(void)
{
    static const double k[1] = {1}, t[1];
    static const double image[8] = {1, 0, 2, 0, 3, 0, 4, 0};
    const ndft_problem p = {.dim = 1,
                            .prec = NDFT_F64,
                            .coils = 1,
                            .n = {4, 1, 1},
                            .n_voxels = 4,
                            .n_samples = 1,
                            .k = {k},
                            .t = t};
    double y[2];
    ndft_error err = {0};
    if (ndft_reference(&p, NDFT_FORWARD, image, NULL, 1, y, 1, &err) != NDFT_OK) return 1;
    /* 1 exp(i pi) + 2 exp(i pi/2) + 3 + 4 exp(-i pi/2) */
    printf("%g %+gi\n", y[0], y[1]);
    return fabs(y[0] - 2) < 1e-15 && fabs(y[1] + 2) < 1e-15 ? 0 : 1;
}
