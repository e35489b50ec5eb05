/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_INTERPOLATE_LOOP_H
#define NDFT_NUFFT_HOST_INTERPOLATE_LOOP_H

#include "core/loop.h"
#include "host_nufft.h"

/* Samples from the grids, batch after batch: all schemes share it, for no two threads write to one
 * sample; they differ in the samples' order and the size of a batch. */
NDFT_LOOP_DECLARE(void, nufft_interpolate, (const ndft_host_job *));

#endif
