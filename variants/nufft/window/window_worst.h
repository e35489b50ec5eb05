/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_WORST_H
#define NDFT_NUFFT_WINDOW_WORST_H

#include "window.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a window loses along one axis whatever the data: bounds over all samples and voxels. */
typedef struct ndft_window_worst {
    double error;     /* of exp(-2 pi i xi u), by the weights in use */
    double amplified; /* an error of all cells: the largest sum of |weights| over the least hat */
    double rounding;  /* of evaluating weights, in eps of that sum */
} ndft_window_worst;

/* By polynomials (density 0), or by the table of that density; of the voxels at -farthest..farthest
 * on an axis of so many cells. */
ndft_window_worst ndft_window_worst_of(const ndft_window *, int density, int64_t farthest,
                                       int64_t cells);

/* What phi itself loses of the voxel at xi and a sample on a cell: no bound is below. */
double ndft_window_worst_least(const ndft_window *, double xi);

#ifdef __cplusplus
}
#endif
#endif
