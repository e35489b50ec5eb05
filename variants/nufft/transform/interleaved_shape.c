/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_shape.h"

#include "convolve/filter_shape.h"

#include <stddef.h>

/* What a transform of a line takes: sums of all cells, and each exchange of them as much as a
 * sixteenth of that. */
static double time_of(const ndft_filter_shape *line)
{
    return line->cells * (16.0 + ndft_filter_exchanges(line));
}

/* The line of at least so many cells that takes least, 0 cells where there is none. */
static ndft_filter_shape line_of(int64_t least)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES], best = {0};
    const int count = ndft_filter_shapes(least, shapes);
    for (int i = 0; i < count; i++) {
        if (shapes[i].column > 1 || shapes[i].share != NDFT_LINE_SHARE) continue;
        if (!best.cells || time_of(&shapes[i]) < time_of(&best)) best = shapes[i];
    }
    return best;
}

ndft_status ndft_nufft_fit_lines(ndft_nufft_shape *shape, ndft_prec prec, ndft_error *error)
{
    double cells = 1;
    for (int d = 0; d < shape->dim; d++) {
        const int64_t length = line_of(shape->grid[d]).cells;
        if (length == 0)
            return ndft_fail(error, NDFT_EUNSUPPORTED,
                             "a line of %lld cells is beyond the longest, %d",
                             (long long)shape->grid[d], NDFT_LINE_LONGEST);
        shape->grid[d] = length;
        cells *= (double)length;
    }
    if (cells >= 2147483648.0)
        return ndft_fail(error, NDFT_EUNSUPPORTED, "a grid of %.3g cells is beyond 2^31", cells);
    shape->cells = (int64_t)cells;
    shape->column_bytes = (size_t)shape->cells * 2 * ndft_real_size(prec);
    return NDFT_OK;
}
