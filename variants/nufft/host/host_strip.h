/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_STRIP_H
#define NDFT_NUFFT_HOST_STRIP_H

#include "host_tensor.h"

/*
 * Spreading in 2D with AVX-512, by samples in the order of strips of the grid, a vector's cells
 * wide, and of rows in them (ndft_sort_by_rows). All cells that windows of one place in that order
 * can reach stay in registers: a sample costs no load and no store of the grid, where the next one
 * begins a row further one row is stored and one loaded. Rows begin at whole vectors, so that a
 * sample has up to twice the multiply-adds; stores that cross cache lines, and loads of what was
 * stored just before by another line, cost more.
 */

#ifdef NDFT_LOOP_v4

/* Vectors of the rows of a window's strip. */
NDFT_INLINED int ndft_strip_row(const int width)
{
    return ndft_strip_vectors(width, sizeof(ndft_real) == 4 ? NDFT_F32 : NDFT_F64);
}

NDFT_INLINED ndft_vector *ndft_strip_cells(ndft_real *cells, int y, int64_t y_step)
{
    return (ndft_vector *)(cells + y * y_step);
}

/* The registers, row after row, from rows first.. of the grid, or back. */
NDFT_INLINED void ndft_load_rows(ndft_vector kept[NDFT_STRIP_MOST], ndft_real *cells,
                                 int64_t y_step, const int first, const int width)
{
    const int vectors = ndft_strip_row(width);
    for (int y = first; y < width; y++)
        for (int v = 0; v < vectors; v++)
            kept[y * vectors + v] = ndft_strip_cells(cells, y, y_step)[v];
}

NDFT_INLINED void ndft_store_rows(const ndft_vector kept[NDFT_STRIP_MOST], ndft_real *cells,
                                  int64_t y_step, const int width, const int rows)
{
    const int vectors = ndft_strip_row(width);
    for (int y = 0; y < rows; y++)
        for (int v = 0; v < vectors; v++)
            ndft_strip_cells(cells, y, y_step)[v] = kept[y * vectors + v];
}

/* From the rows that begin at cells to those that begin at next. */
NDFT_INLINED void ndft_move_rows(ndft_vector kept[NDFT_STRIP_MOST], ndft_real *cells,
                                 ndft_real *next, int64_t y_step, const int width)
{
    const int vectors = ndft_strip_row(width);
    if (next != cells + y_step) {
        ndft_store_rows(kept, cells, y_step, width, width);
        ndft_load_rows(kept, next, y_step, 0, width);
        return;
    }
    ndft_store_rows(kept, cells, y_step, width, 1);
    for (int y = 0; y < width - 1; y++)
        for (int v = 0; v < vectors; v++) kept[y * vectors + v] = kept[(y + 1) * vectors + v];
    ndft_load_rows(kept, next, y_step, width - 1, width);
}

/* A batch's samples, coil after coil. What it reads of the batch it reads before: stores to the
 * grid might change it, and half of a sample's instructions would read it again. */
NDFT_INLINED void ndft_add_strips(const ndft_batch *b, const int width)
{
    const int vectors = ndft_strip_row(width);
    const int64_t y_step = 2 * b->plan->grid.step[1], *at = b->at;
    ndft_place_rows(b, 2);
    for (int c = 0; c < b->job->coils; c++) {
        ndft_real *grid = ndft_coil_grid(b, c), *cells = grid + at[0];
        const ndft_vector *x = (const ndft_vector *)b->x;
        const ndft_real *value_at = b->value + 2 * c * b->plan->batch, *column = b->y;
        ndft_vector kept[NDFT_STRIP_MOST];
        ndft_load_rows(kept, cells, y_step, 0, width);
        for (int64_t j = 0, count = b->count; j < count;) {
            ndft_real *next = grid + at[j];
            if (next != cells) ndft_move_rows(kept, cells, next, y_step, width);
            cells = next;
            const ndft_vector value = ndft_repeated(value_at);
            ndft_vector row[NDFT_STRIP_MOST];
            for (int v = 0; v < vectors; v++) row[v] = x[v] * value;
            for (int y = 0; y < width; y++)
                for (int v = 0; v < vectors; v++)
                    kept[y * vectors + v] += row[v] * column[y * NDFT_LANES];
            x += vectors;
            value_at += 2;
            column += ++j % NDFT_LANES ? 1 : 1 + (width - 1) * NDFT_LANES;
        }
        ndft_store_rows(kept, cells, y_step, width, width);
    }
}

static void ndft_add_in_strips(const ndft_batch *b)
{
    switch (b->plan->window.width) {
    case 2:
        ndft_add_strips(b, 2);
        break;
    case 3:
        ndft_add_strips(b, 3);
        break;
    case 4:
        ndft_add_strips(b, 4);
        break;
    case 5:
        ndft_add_strips(b, 5);
        break;
    case 6:
        ndft_add_strips(b, 6);
        break;
    case 7:
        ndft_add_strips(b, 7);
        break;
    case 8:
        ndft_add_strips(b, 8);
        break;
    default: /* in double there are too few registers */
        if (sizeof(ndft_real) == 4) ndft_add_strips(b, 9);
        break;
    }
}

#else

static void ndft_add_in_strips(const ndft_batch *b) { (void)b; }

#endif

#endif
