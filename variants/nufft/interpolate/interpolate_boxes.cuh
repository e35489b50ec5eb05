/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERPOLATE_BOXES_CUH
#define NDFT_NUFFT_INTERPOLATE_BOXES_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * Reading planar grids by boxes, in f32, without a field map: samples are sorted by tiles of 8^3
 * cells, of a lone plane 16^2, and a block has up to 512 or 256 of a tile, one after the other a
 * thread. It brings the tile and the window beyond it into shared memory by asynchronous copies,
 * and evaluates weights meanwhile. The ceiling is the rate of shared memory.
 *
 * Cells of a box are 8 bytes, in 16 banks for the 16 lanes that read at once. Planes, or rows of
 * one, begin 8 banks apart, so that a lane that reads them by pairs may take the second of each
 * first, and is then in the other half of all banks: it does where its lane is in the other half of
 * the sixteen. So samples are dealt, when a plan is made, to eight lanes that begin in as many of 8
 * banks as can be, and lie in the order in which they are read.
 */

/* Samples as blocks read them. */
struct ndft_nufft_dealt {
    const ndft_nufft_part *part; /* its samples are those from begin to end */
    const uint16_t *place;       /* [count] the cell of a box where a sample begins */
    const float *s[3];           /* [count] as those of ndft_nufft_samples */
    const int32_t *number;       /* [count] */
};

struct ndft_nufft_boxes {
    ndft_nufft_dealt samples; /* part NULL: they do not serve */
    int count;                /* of parts */
};

/* Edge of a tile in 3D. */
enum { NDFT_CELL_BOX = 8 };

/* For samples that are sorted by such tiles; which they serve is by the plan. */
ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *, ndft_nufft_boxes *);

ndft_status ndft_nufft_boxes_read(const ndft_nufft_plan *, const ndft_nufft_boxes *,
                                  const ndft_nufft_pass *, void *out);

#endif
