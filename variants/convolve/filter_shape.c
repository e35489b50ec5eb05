/* SPDX-License-Identifier: Apache-2.0 */
#include "filter_shape.h"

#include <stdbool.h>

enum { SHORTEST = 16, COLUMNS = 5 };

/* Columns by odd factor. They are read and written a few side by side, the more the shorter they
 * are; with a row at most 24 times as long both transforms have work for many blocks. */
static const struct {
    int odd, columns[COLUMNS];
} families[NDFT_FILTER_SHAPES] = {
    {1, {64, 512, 1024, 2048, 4096}}, {3, {192, 1536}}, {5, {320, 2560}}};

int ndft_line_radix(int length)
{
    while (length > 8 && length % 8 == 0) length /= 8;
    return length;
}

static int exchanges(int length)
{
    const int radix = ndft_line_radix(length);
    int count = radix == 3 || radix == 5;
    for (; length > radix; length /= 8) count++;
    return count;
}

int ndft_filter_exchanges(const ndft_filter_shape *shape)
{
    return exchanges(shape->row) + (shape->column > 1 ? exchanges(shape->column) : 0);
}

static bool is_radix(int radix)
{
    return radix == 2 || radix == 3 || radix == 4 || radix == 5 || radix == 8;
}

static bool is_line(int64_t cells)
{
    return cells <= NDFT_LINE_LONGEST && is_radix(ndft_line_radix((int)cells));
}

static bool shape_of(int family, int64_t cells, ndft_filter_shape *shape)
{
    if (is_line(cells)) {
        *shape = (ndft_filter_shape){(int)cells, 1, (int)cells};
        return true;
    }
    for (int i = 0; i < COLUMNS && cells > NDFT_LINE_LONGEST; i++) {
        const int column = families[family].columns[i];
        if (column == 0) break;
        const int64_t row = cells / column;
        if (row > 24 * column || row > NDFT_LINE_LONGEST) continue;
        *shape = (ndft_filter_shape){(int)cells, column, (int)row};
        return true;
    }
    return false;
}

int ndft_filter_shapes(int64_t least, ndft_filter_shape shapes[NDFT_FILTER_SHAPES])
{
    int count = 0;
    for (int family = 0; family < NDFT_FILTER_SHAPES; family++) {
        ndft_filter_shape shape;
        int64_t cells = families[family].odd;
        while (cells < least || cells < SHORTEST) cells *= 2;
        if (!shape_of(family, cells, &shape)) continue;
        int at = count++;
        for (; at > 0 && shapes[at - 1].cells > shape.cells; at--) shapes[at] = shapes[at - 1];
        shapes[at] = shape;
    }
    return count;
}
