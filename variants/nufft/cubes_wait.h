/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CUBES_WAIT_H
#define NDFT_NUFFT_CUBES_WAIT_H

#include "cuda_cost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches that products in three dimensions wait for cubes of cells (order/cubes.cuh). */
double ndft_nufft_cubes_wait(const ndft_problem *, const ndft_nufft_work *);

#ifdef __cplusplus
}
#endif
#endif
