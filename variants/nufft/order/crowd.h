/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CROWD_H
#define NDFT_NUFFT_CROWD_H

#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most samples whose windows touch one cell of the grid, or a little more where the grid has
 * many cells for a sample: what the longest sum of a cell has terms. All samples without memory. */
int64_t ndft_nufft_crowd(const ndft_problem *, int width, const int64_t grid[3]);

#ifdef __cplusplus
}
#endif
#endif
