/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_SHAPE_H
#define NDFT_CONVOLVE_FILTER_SHAPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lengths of the convolutions of filter_lines.cuh. Up to NDFT_LINE_LONGEST cells are one line in
 * shared memory; more are a matrix, column x row, whose columns and rows are such lines. Lines have
 * 2^a, 3 8^k or 5 8^k cells; rows powers of two alone, at least 16.
 */

enum { NDFT_LINE_LONGEST = 4096, NDFT_FILTER_SHAPES = 3 };

typedef struct ndft_filter_shape {
    int cells;
    int column, row; /* cells = column row; column is 1 where all is one line */
} ndft_filter_shape;

/* The shortest shapes of at least so many cells whose odd factor is 1, 3 and 5, as far as there are
 * such, the shortest first; their number, 0 where `least` is beyond all. */
int ndft_filter_shapes(int64_t least, ndft_filter_shape shapes[NDFT_FILTER_SHAPES]);

/* The radix of a line's first pass: length = radix 8^k. */
int ndft_line_radix(int length);

/* How often a cell goes to shared memory and back while a shape is transformed once. */
int ndft_filter_exchanges(const ndft_filter_shape *);

#ifdef __cplusplus
}
#endif

#endif
