/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_RANGE_H
#define NDFT_NUFFT_RANK_RANGE_H

#include "rank_quadrature.h"

/*
 * What is in use of clock and field. Off-resonances are represented by points: in every run of
 * values without a gap that exp(-i w s) could notice, Chebyshev-Lobatto points, of which a function
 * of that bandwidth needs one per radian and a few.
 */

enum { NDFT_RANK_POINTS = 1024, NDFT_RANK_LOOKS = 2048 }; /* the most */

typedef struct ndft_rank_range {
    double t_mid, t_half; /* s */
    double w_mid, w_half; /* rad/s, over all nodes of the gradients' quadrature */
    int n;
    double w[NDFT_RANK_POINTS];     /* points, less w_mid */
    double share[NDFT_RANK_POINTS]; /* of voxels (and nodes) nearest to each; their sum is 1 */

    /* Where to look at what is left over, so that nothing is overlooked (in_use.h); less the
     * middles. None: there are too many. */
    int offsets, times;
    double offset[NDFT_RANK_LOOKS], time[NDFT_RANK_LOOKS];
} ndft_rank_range;

/* Off-resonance of voxel v at a node's position u, rad/s. */
double ndft_rank_offset(const ndft_problem *p, int64_t v, const double u[3]);

void ndft_rank_range_make(const ndft_problem *p, const ndft_quadrature *quadrature,
                          ndft_rank_range *range);

#endif
