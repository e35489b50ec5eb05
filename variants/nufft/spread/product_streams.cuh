/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_STREAMS_CUH
#define NDFT_NUFFT_PRODUCT_STREAMS_CUH

#include "nufft/order/samples.cuh"

enum { NDFT_PRODUCT_STEP = 8 };

/* A number of visits, filled to whole steps. */
__device__ __forceinline__ int ndft_product_filled(int visits)
{
    return (visits + NDFT_PRODUCT_STEP - 1) / NDFT_PRODUCT_STEP * NDFT_PRODUCT_STEP;
}

/* Slots of a tile: of its part, or in place of one. */
enum { NDFT_PRODUCT_WHOLE = -1, NDFT_PRODUCT_NONE = -2, NDFT_PRODUCT_BEYOND = -3 };

/* A warp's share of a list: a tile, or a part of it; its visits. */
struct alignas(16) ndft_product_tile {
    int32_t at[3], slot;
    int32_t count, unit; /* of the list */
    int64_t first;
};

/* Tiles are dealt to streams, one for each warp, whose visits lie one after the other, so that a
 * warp asks for those to come without waiting for their tile. Warps of a block have neighbours,
 * which share samples; fours of them are dealt heaviest first, there and back, so that all streams
 * have nearly as many visits. */
enum { NDFT_PRODUCT_WARPS = 4 };

struct alignas(16) ndft_product_stream {
    int64_t first;
    int32_t count;
};

struct ndft_product_streams {
    ndft_product_tile *tile; /* [layers][count] */
    ndft_product_stream *stream;
    int layers, count; /* a multiple of NDFT_PRODUCT_WARPS */
};

/* Of all units, for so many blocks at a time, and tiles without visits where they are to be zeros;
 * and how many visits they have. */
ndft_status ndft_product_streams_make(ndft_arrays *, const ndft_nufft_lists &, int64_t blocks,
                                      bool zeros, ndft_product_streams *, int64_t *visits);

#endif
