/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_WAITS_H
#define NDFT_NUFFT_HOST_WAITS_H

#include "host_nufft.h"

/* Slices wait for the stripes of samples spread to them, samples for the slices that they read. */

/* Until all stripes are done whose windows reach a slice. */
static inline void ndft_wait_for_stripes(const ndft_host_nufft *h, uint32_t round, int64_t slice)
{
    const int axis = h->grid.dim - 1;
    const int64_t side = ndft_slice_cells(&h->grid), cells = h->grid.cells[axis];
    const int64_t first = slice * side, end = first + side < cells ? first + side : cells;
    if (h->portions.count)
        ndft_wait_for_cells(&h->portions, round, first - (h->window.width - 1), end,
                            h->sorted.tile[axis], cells);
}

/* Until the rows are there that samples read: of sorted ones those from the first one's tile to
 * behind the last one's, else all. */
static inline void ndft_wait_for_rows(const ndft_host_nufft *h, uint32_t round, int64_t begin,
                                      int64_t end)
{
    const int axis = h->grid.dim - 1;
    const int64_t cells = h->grid.cells[axis], tile = h->sorted.tile[axis];
    int64_t first = 0, last = cells;
    if (h->order) {
        const int64_t behind = (h->first[axis][end - 1] / tile + 1) * tile;
        first = h->first[axis][begin] / tile * tile;
        last = (behind < cells ? behind : cells) + h->window.width - 1;
    }
    ndft_wait_for_cells(&h->slices, round, first, last, ndft_slice_cells(&h->grid), cells);
}

#endif
