/* SPDX-License-Identifier: Apache-2.0 */
#include "filter_shape.h"

#include <stdbool.h>
#include <stddef.h>

enum { SHORTEST = 16, ODDS = 5, COLUMNS = 4 };

static const int odds[ODDS] = {1, 3, 5, 9, 25};

/* Columns by odd factor, and the longest row beside each. Columns are read and written side by
 * side, the more the shorter they are; rows are long where both want few passes. */
static const struct {
    int column, longest;
} families[ODDS][COLUMNS] = {
    {{64, 256}, {256, 4096}, {512, 8192}, {2048, 8192}},
    {{192, 4096}, {768, 8192}},
    {{80, 128}, {320, 4096}, {1280, 8192}},
    {{144, 4096}, {576, 8192}},
    {{400, 8192}, {1600, 8192}},
};

ndft_line_passes ndft_line_passes_of(int length)
{
    const int cells = length % 5 == 0 ? 20 : length % 3 == 0 ? 12 : 16;
    ndft_line_passes passes = {cells, length, 1, -1};
    for (; passes.rest % cells == 0; passes.rest /= cells) passes.exchanges++;
    if (passes.rest == 1) return passes;
    passes.first = passes.rest;
    while (cells != 16 && passes.first > 4) passes.first /= 4;
    for (int rest = passes.rest; rest >= passes.first; rest /= 4) passes.exchanges++;
    return passes;
}

int ndft_filter_exchanges(const ndft_filter_shape *shape)
{
    const int row = ndft_line_passes_of(shape->row).exchanges;
    return shape->column > 1 ? row + ndft_line_passes_of(shape->column).exchanges : row;
}

static bool matrix_of(int family, int64_t cells, ndft_filter_shape *shape)
{
    for (int i = 0; i < COLUMNS && families[family][i].column; i++) {
        const int column = families[family][i].column;
        const int64_t row = cells / column;
        if (cells % column || row < SHORTEST || row > families[family][i].longest) continue;
        *shape = (ndft_filter_shape){(int)cells, column, (int)row};
        return true;
    }
    return false;
}

static void insert(ndft_filter_shape shape, ndft_filter_shape shapes[], int *count)
{
    int at = (*count)++;
    for (; at > 0 && shapes[at - 1].cells > shape.cells; at--) shapes[at] = shapes[at - 1];
    shapes[at] = shape;
}

int ndft_filter_shapes(int64_t least, ndft_filter_shape shapes[NDFT_FILTER_SHAPES])
{
    int count = 0;
    for (int family = 0; family < ODDS; family++) {
        ndft_filter_shape shape;
        int64_t cells = (int64_t)SHORTEST * odds[family];
        while (cells < least) cells *= 2;
        if (cells <= NDFT_LINE_LONGEST)
            insert((ndft_filter_shape){(int)cells, 1, (int)cells}, shapes, &count);
        if (cells > NDFT_LINE_SURE && matrix_of(family, cells, &shape))
            insert(shape, shapes, &count);
    }
    return count;
}
