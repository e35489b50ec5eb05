/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_CUH
#define NDFT_NUFFT_INTERLEAVED_CUH

#include "pipeline_cufft.cuh"

#include "nufft/interleaved_lanes.h"

/*
 * Grids of several columns interleaved, whatever the layout of image and samples: cells of a group
 * of columns lie side by side, up to 64 bytes of them, and group after group,
 * cells[group][z][y][x][lane]. What a sample reads of a row of cells is then one piece of memory,
 * and lines of an axis are transformed side by side with whole sectors.
 */

/* The coil and the term of a lane, counted from the pass' first. */
__device__ __forceinline__ int ndft_lane_coil(const ndft_nufft_lanes &lanes, int group, int lane)
{
    return group % lanes.coil_groups * lanes.coils + lane % lanes.coils;
}

__device__ __forceinline__ int ndft_lane_term(const ndft_nufft_lanes &lanes, int group, int lane)
{
    return group / lanes.coil_groups * lanes.terms + lane / lanes.coils;
}

#endif
