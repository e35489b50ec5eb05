/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ROOM_H
#define NDFT_NUFFT_ROOM_H

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cells of the grid for each sample, of those tiles about as wide as a window that have samples; 0:
 * it is not known where samples are. */
double ndft_nufft_room(const ndft_problem *, int width, const int64_t grid[3]);

/* The share of samples of which the next one is more than two cells away. */
double ndft_nufft_apart(const ndft_problem *, const int64_t grid[3]);

#ifdef __cplusplus
}
#endif
#endif
