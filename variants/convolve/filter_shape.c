/* SPDX-License-Identifier: Apache-2.0 */
#include "filter_shape.h"

#include <stdbool.h>

enum { SHORTEST = 16, ODDS = 5, FAMILIES = 7, COLUMNS = 4, LONGEST_OF_8 = 4096 };

static const int odds[ODDS] = {1, 3, 5, 9, 25};

/* Columns by odd factor, powers of two by their share as well, the shortest row and the longest
 * beside each. Columns are read and written side by side, the more the shorter they are; rows are
 * long where both want few passes. A lone signal of 65536 cells waits less where both are alike. */
static const struct {
    int odd, shares, shortest; /* shares: 8, 16, or both of a row's */
    struct {
        int column, longest;
    } columns[COLUMNS];
} families[FAMILIES] = {
    {1, 8, SHORTEST, {{64, 1024}, {512, 4096}, {4096, 4096}}},
    {1, 8, 256, {{256, 256}}},
    {1, 16, SHORTEST, {{64, 256}, {256, 4096}, {512, 8192}, {2048, 8192}}},
    {3, 8 | 16, SHORTEST, {{192, 4096}, {768, 8192}}},
    {5, 8 | 16, SHORTEST, {{80, 128}, {320, 4096}, {1280, 8192}}},
    {9, 8 | 16, SHORTEST, {{144, 4096}, {576, 8192}}},
    {25, 8 | 16, SHORTEST, {{400, 8192}, {1600, 8192}}},
};

/* In place: 16 outer inner 16 cells, whose kernels are compiled for each length. */
enum { IN_PLACE_LINES = 8 };

static const int in_place_lines[IN_PLACE_LINES] = {4096,  6400,  NDFT_LINE_LONGEST,    10240, 12288,
                                                   16384, 20480, NDFT_IN_PLACE_LONGEST};

ndft_line_passes ndft_line_passes_of(int length, int share)
{
    const int cells = length % 5 == 0 ? 20 : length % 3 == 0 ? 12 : share;
    ndft_line_passes passes = {cells, length, 1, -1};
    for (; passes.rest % cells == 0; passes.rest /= cells) passes.exchanges++;
    if (passes.rest == 1) return passes;
    passes.first = passes.rest;
    while (cells != 16 && passes.first > 4) passes.first /= 4;
    for (int rest = passes.rest; rest >= passes.first; rest /= 4) passes.exchanges++;
    return passes;
}

/* Between passes of radix 16, one or two others, and 16. */
static int exchanges_in_place(int row) { return row > 16 * 16 * 16 ? 3 : 2; }

int ndft_filter_exchanges(const ndft_filter_shape *shape)
{
    const int row = shape->in_place ? exchanges_in_place(shape->row)
                                    : ndft_line_passes_of(shape->row, shape->share).exchanges;
    if (shape->column == 1) return row;
    return row + ndft_line_passes_of(shape->column, shape->share).exchanges;
}

static bool is_line(int odd, int64_t cells, int share)
{
    if (share == 8) return odd == 1 && cells <= LONGEST_OF_8;
    return cells <= NDFT_LINE_LONGEST;
}

static bool is_row(int64_t row, int shortest, int64_t longest, int share, bool in_place)
{
    if (in_place) return row == 4096 || row == NDFT_LINE_LONGEST;
    return row >= shortest && row <= longest && (share == 16 || row <= LONGEST_OF_8);
}

static void insert(ndft_filter_shape shape, ndft_filter_shape shapes[], int *count)
{
    int at = (*count)++;
    for (; at > 0 && shapes[at - 1].cells > shape.cells; at--) shapes[at] = shapes[at - 1];
    shapes[at] = shape;
}

/* One of each family that has them. */
static void insert_matrices(int odd, int64_t cells, int share, bool in_place,
                            ndft_filter_shape shapes[], int *count)
{
    for (int family = 0; family < FAMILIES; family++) {
        if (families[family].odd != odd || !(families[family].shares & share)) continue;
        for (int i = 0; i < COLUMNS && families[family].columns[i].column; i++) {
            const int column = families[family].columns[i].column;
            const int64_t row = cells / column;
            const int longest = families[family].columns[i].longest;
            if (cells % column || !is_row(row, families[family].shortest, longest, share, in_place))
                continue;
            insert((ndft_filter_shape){(int)cells, column, (int)row, share, in_place}, shapes,
                   count);
            break;
        }
    }
}

/* Lines that fill a block are matrices as well; so are shorter ones, in more and smaller blocks. */
static bool may_be_matrix(int odd, int64_t cells, int share)
{
    return cells > (odd == 1 && share == 8 ? 1024 : LONGEST_OF_8);
}

int ndft_filter_shapes(int64_t least, ndft_filter_shape shapes[NDFT_FILTER_SHAPES])
{
    int count = 0;
    for (int i = 0; i < ODDS; i++) {
        int64_t cells = (int64_t)SHORTEST * odds[i];
        while (cells < least) cells *= 2;
        for (int share = 8; share <= 16; share += 8)
            if (is_line(odds[i], cells, share))
                insert((ndft_filter_shape){(int)cells, 1, (int)cells, share, 0}, shapes, &count);
        for (int share = 8; share <= 16; share += 8)
            if (may_be_matrix(odds[i], cells, share))
                insert_matrices(odds[i], cells, share, false, shapes, &count);
    }
    return count;
}

int ndft_filter_shapes_in_place(int64_t least, ndft_prec prec,
                                ndft_filter_shape shapes[NDFT_FILTER_SHAPES])
{
    const int longest = prec == NDFT_F32 ? NDFT_IN_PLACE_LONGEST : NDFT_LINE_LONGEST;
    int count = 0, i = 0;
    while (i < IN_PLACE_LINES && in_place_lines[i] < least) i++;
    if (i < IN_PLACE_LINES && in_place_lines[i] <= longest && 2 * least > in_place_lines[0])
        insert((ndft_filter_shape){in_place_lines[i], 1, in_place_lines[i], 16, 1}, shapes, &count);
    for (i = 0; i < ODDS; i++) {
        int64_t cells = (int64_t)SHORTEST * odds[i];
        while (cells < least) cells *= 2;
        insert_matrices(odds[i], cells, 16, true, shapes, &count);
    }
    return count;
}
