/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_BOX_PART_CUH
#define NDFT_NUFFT_BOX_PART_CUH

#include "nufft/transform/interleaved_grids.cuh"

namespace
{

/* A block's part of a tile in two dimensions: where the tile begins, and the part's samples. */
struct box_part {
    int x, y, begin, count;

    __device__ box_part(const ndft_nufft_part part, int tiles_across)
    {
        y = part.tile / tiles_across;
        x = (part.tile - y * tiles_across) * NDFT_BOX_EDGE;
        y *= NDFT_BOX_EDGE;
        begin = part.begin;
        count = part.end - part.begin;
    }
};

} // namespace

#endif
