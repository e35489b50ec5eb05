/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERPOLATE_BOXES_CUH
#define NDFT_NUFFT_INTERPOLATE_BOXES_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * Reading planar grids in three dimensions by boxes, in f32, without a field map: samples are
 * sorted by tiles of 8^3 cells, and a block has up to 256 of a tile, a thread each. It brings the
 * tile and the window beyond it into shared memory by asynchronous copies, and evaluates weights
 * meanwhile. Cells of the box are 8 bytes, and the samples of a part are dealt to lanes when a plan
 * is made so that those of a half warp begin in as many of the 16 banks of 8 bytes as can be: then
 * so are all their cells. The ceiling is the rate of shared memory.
 */

struct ndft_nufft_boxes {
    const ndft_nufft_part *part; /* NULL: they do not serve */
    const uint8_t *order;        /* [parts][256] which sample of its part a thread has */
    int count;
};

/* Edge of a tile. */
enum { NDFT_CELL_BOX = 8 };

/* For samples that are sorted by such tiles; which they serve is by the plan. */
ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *, ndft_nufft_boxes *);

ndft_status ndft_nufft_boxes_read(const ndft_nufft_plan *, const ndft_nufft_boxes *,
                                  const ndft_nufft_pass *, void *out);

#endif
