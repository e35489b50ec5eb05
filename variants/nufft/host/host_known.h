/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_KNOWN_H
#define NDFT_NUFFT_HOST_KNOWN_H

#include "host_tensor.h"

/*
 * Interpolation in 2D and 3D where one vector holds a window's row, its rows known to the compiler
 * as well: their loop is most of what is left to issue. In 2D two coils of a sample go together,
 * whose weights are loaded once; in 3D the grid is what is waited for, and one is as fast.
 */

#if defined NDFT_LOOP_v4 && defined NDFT_LOOP_f32

/* A sample's value of successive coils, whose grids are `apart`, as parts to be added up. */
NDFT_INLINED void ndft_sum_coils(ndft_sample s, const ndft_real *cells, ndft_rows r, int64_t apart,
                                 const int width, const int dim, const int coils,
                                 ndft_vector total[2])
{
    for (int k = 0; k < coils; k++) total[k] = (ndft_vector){0};
    for (int z = 0; z < (dim > 2 ? width : 1); z++) {
        const ndft_real *from = cells + z * r.z_step;
        ndft_vector sum[2] = {{0}, {0}};
#pragma GCC unroll 8
        for (int y = 0; y < width; y++, from += r.y_step) {
            const ndft_vector weight = (ndft_vector){0} + s.y[y * NDFT_LANES];
            for (int k = 0; k < coils; k++)
                sum[k] += *(const ndft_vector *)(from + k * apart) * weight;
        }
        const ndft_real at_z = dim > 2 ? s.z[z * NDFT_LANES] : 1;
        for (int k = 0; k < coils; k++) total[k] += sum[k] * (*s.x * at_z);
    }
}

/* A batch's values of coil c and, of two, the next. */
NDFT_INLINED void ndft_sum_known(const ndft_batch *b, int c, const int width, const int dim,
                                 const int coils)
{
    const ndft_rows rows = ndft_rows_of_grid(b, dim);
    const int64_t apart = 2 * b->plan->grid.size;
    const ndft_real *cells = ndft_coil_grid(b, c);
    for (int64_t j = 0; j < b->count; j += NDFT_SIDE) {
        const ndft_sample first = ndft_sample_at(b, c, j, 1);
        ndft_vector part[2][NDFT_SIDE];
        for (int i = 0; i < NDFT_SIDE; i++) {
            const ndft_sample s = {.x = first.x + i, .y = first.y + i, .z = first.z + i};
            ndft_vector total[2];
            ndft_sum_coils(s, cells + b->at[j + i], rows, apart, width, dim, coils, total);
            for (int k = 0; k < coils; k++) part[k][i] = total[k];
        }
        for (int k = 0; k < coils; k++)
            *(ndft_vector *)ndft_sample_at(b, c + k, j, 1).value = ndft_values_of(part[k]);
    }
}

NDFT_INLINED void ndft_sum_width(const ndft_batch *b, const int width)
{
    const int coils = b->job->coils;
    const bool flat = b->plan->grid.dim == 2;
    ndft_place_rows(b, 0);
    for (int j = b->count; j % NDFT_SIDE; j++) b->at[j] = 0; /* read, and left out */
    for (int c = 0; c < coils; c++)
        if (!flat)
            ndft_sum_known(b, c, width, 3, 1);
        else if (c + 1 == coils)
            ndft_sum_known(b, c, width, 2, 1);
        else
            ndft_sum_known(b, c++, width, 2, 2);
}

/* Whether it was done. */
static bool ndft_sum_narrow(const ndft_batch *b)
{
    if (b->plan->grid.dim == 1) return false;
    switch (b->plan->window.width) {
    case 4:
        ndft_sum_width(b, 4);
        return true;
    case 5:
        ndft_sum_width(b, 5);
        return true;
    case 6:
        ndft_sum_width(b, 6);
        return true;
    case 7:
        ndft_sum_width(b, 7);
        return true;
    case 8:
        ndft_sum_width(b, 8);
        return true;
    default:
        return false;
    }
}

#else

static bool ndft_sum_narrow(const ndft_batch *b)
{
    (void)b;
    return false;
}

#endif

#endif
