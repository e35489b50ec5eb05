/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CUDA_COST_PARTS_H
#define NDFT_NUFFT_CUDA_COST_PARTS_H

#include "cuda_cost.h"

/* What costs of several schemes have in common. */

/* Padding or cropping, and the transforms; of inner axes only the lines that have voxels. Kernels
 * of cuFFT begin when those before them have ended, which takes as long as two that begin early. */
ndft_cost ndft_nufft_family_cost(const ndft_nufft_work *);

/* Samples are read, or written, as they lie, in another order than the threads'. */
void ndft_nufft_add_unsorted(const ndft_nufft_work *, bool writes, ndft_cost *);

/* Parts of tiles: those that samples lie in, and cuts of those that have more than `most`. */
double ndft_nufft_parts_of(const ndft_nufft_work *, const int tile[3], int most);

/* Sums go to the grid by atomics, which read it; it was filled with zeros, which is no launch. */
void ndft_nufft_add_atomics(const ndft_nufft_work *, double bytes, ndft_cost *);

#endif
