/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_STAGES_FFTW_H
#define NDFT_NUFFT_HOST_STAGES_FFTW_H

#include "fft/fft_fftw.h"
#include "host_image_loop.h"

/*
 * From grids to images and back: transforms in place along all axes but the last, those of the last
 * axis to and from a buffer in the cache, where voxels are taken or put. Cells of a row that have
 * no voxel are not transformed along the other axes.
 */

typedef void ndft_row_loop(const ndft_host_grid *, void *grid, int64_t y, int64_t z);
typedef void ndft_lines_loop(const ndft_host_job *, const ndft_host_lines *);

/* The loops of host_image_loop.h for an instruction set and a precision. */
typedef struct ndft_image_loops {
    ndft_row_loop *fold, *repeat;
    void (*clear)(const ndft_host_grid *, void *row);
    ndft_lines_loop *take, *put, *crop, *pad;
} ndft_image_loops;

enum { NDFT_FFT_ROW, NDFT_FFT_MIDDLE, NDFT_FFT_LAST, NDFT_FFTS };

/* Of one direction: along x, along the second of three axes, along the last. */
typedef struct ndft_host_stages {
    ndft_image_loops loops;
    ndft_fft fft[NDFT_FFTS];
} ndft_host_stages;

/* grid and work are only looked at. */
ndft_status ndft_host_stages_plan(ndft_error *, const ndft_host_nufft *, ndft_isa, ndft_prec,
                                  ndft_op, void *grid, void *work, ndft_host_stages *);

void ndft_host_stages_destroy(ndft_host_stages *);

/* Bytes of work that a thread needs for the lines of so many coils. */
size_t ndft_host_lines_bytes(const ndft_host_grid *, ndft_prec, int coils);

/* What is to be done: all in one go, or one after the other, where their times are asked for. Then
 * the last axis's lines go back to the grids in between. */
typedef enum ndft_host_parts {
    NDFT_HOST_TRANSFORM = 1,
    NDFT_HOST_IMAGE = 2, /* voxels are deapodised and cropped, or padded */
    NDFT_HOST_WHOLE = NDFT_HOST_TRANSFORM | NDFT_HOST_IMAGE
} ndft_host_parts;

/* Called by all threads of a team. halo: there are sums in the grids' halo. */
void ndft_host_grids_to_images(const ndft_host_stages *, const ndft_host_job *, ndft_host_parts,
                               bool halo);
void ndft_host_images_to_grids(const ndft_host_stages *, const ndft_host_job *, ndft_host_parts);

#endif
