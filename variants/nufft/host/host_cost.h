/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_COST_H
#define NDFT_NUFFT_HOST_COST_H

#include "host_prepare.h"

#include <ndft/variant.h>

/*
 * What an execution on a CPU does: accesses to cells as Sorensen et al. (IEEE Trans. Med. Imaging
 * 27 (2008) 538) count them, windows of whole vectors, transforms at 5 n log2 n operations a line
 * of n cells, and only the lines that are transformed. Windows of runs are evaluated once for each
 * tile into which they reach.
 */
ndft_cost ndft_host_cost(const ndft_problem *, ndft_op, const int *knobs, const ndft_host_scheme *);

#endif
