/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_SHAPE_H
#define NDFT_CONVOLVE_FILTER_SHAPE_H

#include "base/problem.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lengths of the convolutions of filter_lines.cuh. Up to NDFT_LINE_LONGEST cells are one line in
 * shared memory, or a matrix, column x row, whose columns and rows are such lines; more are a
 * matrix. Lines have 2^a odd cells, a >= 4, odd = 1, 3, 5, 9 or 25; rows powers of two alone. A
 * thread has 12 or 20 cells of lines with a 3 or 5, and 8 or 16 of powers of two. Lines from 4096
 * cells on may be transformed in place (in_place_fft.cuh), up to NDFT_IN_PLACE_LONGEST in f32.
 */

enum { NDFT_LINE_LONGEST = 8192, NDFT_IN_PLACE_LONGEST = 24576, NDFT_FILTER_SHAPES = 24 };

typedef struct ndft_filter_shape {
    int cells;
    int column, row; /* cells = column row; column is 1 where all is one line */
    int share;       /* of a thread in lines that are powers of two: 8 or 16 cells */
    int in_place;    /* rows, or the line, are transformed in place */
} ndft_filter_shape;

/* The shortest shapes of at least so many cells with each odd factor, as far as there are such: the
 * shortest first, lines before matrices of as many cells, the smaller share first. Their number, 0
 * where `least` is beyond all. */
int ndft_filter_shapes(int64_t least, ndft_filter_shape shapes[NDFT_FILTER_SHAPES]);

/* Those in place, of share 16: the shortest line of at least so many cells, where that is more than
 * 2048, and matrices whose rows have 4096 or 8192; ordered likewise. Both together are no
 * more than NDFT_FILTER_SHAPES. 0: there are none. */
int ndft_filter_shapes_in_place(int64_t least, ndft_prec,
                                ndft_filter_shape shapes[NDFT_FILTER_SHAPES]);

/* The passes of a line (block_fft.cuh): how many cells a thread has, which is the radix of most;
 * the product of the others, and the first of these, which are a 2, 4 or 8 and then 4. */
typedef struct ndft_line_passes {
    int cells, rest, first;
    int exchanges; /* between passes: how often a cell goes to shared memory and back */
} ndft_line_passes;

ndft_line_passes ndft_line_passes_of(int length, int share);

/* How often a cell goes to shared memory and back while a shape is transformed once. */
int ndft_filter_exchanges(const ndft_filter_shape *);

#ifdef __cplusplus
}
#endif

#endif
