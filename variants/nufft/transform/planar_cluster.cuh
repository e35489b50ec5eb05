/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_CLUSTER_CUH
#define NDFT_NUFFT_PLANAR_CLUSTER_CUH

#include "interleaved_fft.cuh"

/*
 * Long lines of one dimension, each by the blocks of a cluster: one block would wait for itself,
 * and cuFFT takes padding and cropping beside it. A line is a matrix of columns and rows (Bailey,
 * J. Supercomputing 4, 1990): blocks transform their columns as they read them, turn what comes of
 * it and put it into the shared memory of the block whose rows these are, which transforms them.
 */

/* Whether the compiler knows lines of so many cells, and the device has clusters. */
bool ndft_nufft_cluster_serves(const ndft_exec *, int cells);

/* Before the others: lets the kernels of a plan's operations have what they need. */
ndft_status ndft_nufft_cluster_allow(const ndft_nufft_plan *);

/* A pass' images, deapodised, to its grids; turns: exp(-2 pi i j/cells). */
ndft_status ndft_nufft_cluster_forward(const ndft_nufft_plan *, const void *turns,
                                       const ndft_nufft_pass *, const void *image);

/* Sums of samples to images, deapodised; sums that are not the grid's are left zeros. */
ndft_status ndft_nufft_cluster_adjoint(const ndft_nufft_plan *, const void *turns,
                                       const ndft_nufft_pass *, void *sums, void *image);

#endif
