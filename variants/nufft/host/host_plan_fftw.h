/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_PLAN_FFTW_H
#define NDFT_NUFFT_HOST_PLAN_FFTW_H

#include "host_prepare.h"
#include "host_stages_fftw.h"

#include "base/variant.h"

/*
 * The pipeline on a CPU, around the loops of its stages. Adjoint: samples are spread to a grid per
 * column, its halo is folded back, rows are transformed in place; then only lines that have voxels
 * are transformed along the other axes, the last time into a buffer in the cache, from which voxels
 * are taken, deapodised and weighted. Forward: the same backwards.
 *
 * With as many coils as threads every thread has coils of its own, whose grids stay in its cache,
 * and no thread waits for another; else all threads share one coil after another. A few coils go
 * together, so that weights are evaluated once for them.
 */

/* What execute marks. Padding, cropping and deapodisation are done inside the transforms, and apart
 * only while stages are being timed. */
extern const char *const ndft_host_stage_names[];

ndft_status ndft_host_plan(const ndft_problem *, const int *knobs, unsigned ops, ndft_exec *,
                           const ndft_host_spread *, void **plan);

ndft_status ndft_host_execute(void *plan, ndft_op, const void *in, void *out);

void ndft_host_destroy(void *plan);
void ndft_host_chosen(const void *plan, char *text, size_t size);

#endif
