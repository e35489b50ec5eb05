/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRAJECTORY_FAMILIES_H
#define NDFT_TRAJECTORY_FAMILIES_H

#include "shots.h"

/* Each fills k of its trajectories; t is filled already. */
ndft_status ndft_trajectory_random(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_radial(ndft_trajectory *, ndft_error *); /* radial, golden, sos */
ndft_status ndft_trajectory_kooshball(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_spiral(ndft_trajectory *, ndft_error *); /* spiral, vdspiral */
ndft_status ndft_trajectory_epi(ndft_trajectory *, ndft_error *);
ndft_status ndft_trajectory_file(ndft_trajectory *, ndft_error *); /* BART: also t */

/* Fills t from the file of the case's times, for any family. */
ndft_status ndft_times_file(ndft_trajectory *, ndft_error *);

/* Lines that a shot of `length` samples reads in echo-planar imaging. */
int64_t ndft_epi_train(const ndft_case *, int64_t length);

#endif
