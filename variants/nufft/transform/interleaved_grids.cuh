/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_GRIDS_CUH
#define NDFT_NUFFT_INTERLEAVED_GRIDS_CUH

#include "interleaved_fft.cuh"
#include "nufft/spread/product_streams.cuh"
#include "two_lines.cuh"

/* What stages with interleaved grids have in common: grids, their transforms, and what both keep.
 * Where samples are spread, they are sorted by spreading's tiles. */

/* What spreading (spread_interleaved.cu) keeps. */
struct ndft_nufft_products {
    ndft_nufft_lists lists;
    ndft_product_streams streams;
    void *sample, *weight, *buffer, *part; /* product_visits.cuh; spread_interleaved.cuh */
};

enum {
    NDFT_BOX_EDGE = 8,     /* cells of a tile */
    NDFT_BOX_SAMPLES = 64, /* of a part at most */
    NDFT_BOX_COILS = 8,
    NDFT_BOX_WIDTH = 8
};

/* What reading eight coils at a time keeps, of a group of them by interpolate/interleaved_boxes.cuh
 * and of several by strip_walk.cuh; no parts: samples are not read so. */
struct ndft_nufft_boxes {
    ndft_nufft_samples samples; /* sorted by boxes */
    const ndft_nufft_part *part;
    int parts;
    const void *strip; /* samples of strips; NULL: no pass is read by these */
};

struct ndft_nufft_interleaved {
    ndft_nufft_lines lines;
    ndft_nufft_two_lines two_lines;
    int most_lanes;
    ndft_nufft_boxes boxes;
    ndft_nufft_products products;
};

/* For passes of these lanes, the largest and the last. */
ndft_status ndft_nufft_products_make(ndft_nufft_plan *, const ndft_nufft_lanes passes[2],
                                     ndft_nufft_products *);

ndft_status ndft_nufft_boxes_make(ndft_nufft_plan *, const ndft_nufft_lanes passes[2],
                                  ndft_nufft_boxes *);

/* For so many coils and terms of a pass. */
ndft_nufft_lanes ndft_nufft_interleaved_lanes(const ndft_nufft_plan *, int coils, int terms);

ndft_status ndft_nufft_interleaved_prepare(ndft_nufft_plan *, const int *knobs);
ndft_status ndft_nufft_interleaved_transform(const ndft_nufft_plan *, const ndft_nufft_pass *,
                                             const void *image);
void ndft_nufft_interleaved_chosen(const ndft_nufft_plan *, char *text, size_t size);
const char *ndft_nufft_interleaved_unsupported(const ndft_problem *, const ndft_device *,
                                               const int *knobs);
ndft_cost ndft_nufft_interleaved_execution(const ndft_problem *, ndft_op, const int *knobs);
ndft_cost ndft_nufft_interleaved_weighed(const ndft_problem *, ndft_op, const int *knobs);

#endif
