/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CUBES_H
#define NDFT_NUFFT_CUBES_H

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cubes (squares) of so many cells of an edge that samples lie in, for each sample; 1 where it is
 * not known where they are. */
double ndft_nufft_cubes(const ndft_problem *, int edge, const int64_t grid[3]);

#ifdef __cplusplus
}
#endif
#endif
