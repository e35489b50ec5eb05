/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRAJECTORY_H
#define NDFT_TRAJECTORY_H

#include "shots.h"

/*
 * Fills k and t of the case's trajectory; all arrays come from scratch. t=0 leaves all times 0; a
 * file's are taken as they are.
 *
 * The dwell time is t/length rounded to a multiple of 2^-27 s (7.45 ns), so that i * dwell is exact
 * in float; only below half of that it stays as it is, and the clock is not uniform in float.
 */
ndft_status ndft_trajectory_make(const ndft_case *, ndft_arena *scratch, ndft_trajectory *,
                                 ndft_error *);

#endif
