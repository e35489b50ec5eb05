/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_SAMPLES_LOOP_H
#define NDFT_NUFFT_HOST_SAMPLES_LOOP_H

#include "core/loop.h"
#include "host_nufft.h"

/* What a plan's stages between samples and grids do, called by all threads of a team. */

/* Sample-driven: windows are added to the grid where they lie. */
NDFT_LOOP_DECLARE(void, nufft_scatter, (const ndft_host_job *));

/* Tiles take all samples that reach into them; every cell is written once. */
NDFT_LOOP_DECLARE(void, nufft_hybrid, (const ndft_host_job *));

/* Padded tiles gather their samples, and are added to the grid. */
NDFT_LOOP_DECLARE(void, nufft_output_driven, (const ndft_host_job *));

/* Samples from the grids, batch after batch, in any order: no two threads write to one sample. */
NDFT_LOOP_DECLARE(void, nufft_interpolate, (const ndft_host_job *));

#endif
