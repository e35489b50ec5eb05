/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_FFT_H
#define NDFT_LINE_FFT_H

#include "lanes_fft.h"

/*
 * The fast transform of one long line on a processor, as a matrix of rows whose sides are about as
 * long (Bailey, J. Supercomputing 4 (1990) 23): its columns are transformed side by side, then rows
 * are turned, multiplied by twiddles and transformed, side by side as well. Threads share either.
 */

typedef struct ndft_line_fft {
    ndft_lanes_fft down, along; /* columns, rows */
    const void *lane, *base;    /* twiddles of a block's rows, [columns][2][lanes twice], and of
                                 * blocks,    [rows / lanes][columns] complex */
} ndft_line_fft;

/* Rows of the matrix, 0 where cells have no two factors that are multiples of NDFT_FFT_LANES. */
int64_t ndft_line_fft_rows(int64_t cells);

/* Plans an unnormalised transform of cells that have rows; NDFT_ENOMEM. */
ndft_status ndft_line_fft_plan(ndft_arena *, ndft_prec, int sign, int64_t cells, ndft_line_fft *);

/* Bytes that a thread needs at most beside the line, of complex numbers of so many. */
size_t ndft_line_fft_scratch(int64_t cells, size_t complex);

/* First block by block of NDFT_FFT_LANES columns in place, then block by block of as many rows to
 * another line. */
NDFT_LOOP_DECLARE(void, line_fft_down,
                  (const ndft_line_fft *, void *line, int64_t block, void *scratch));
NDFT_LOOP_DECLARE(void, line_fft_along,
                  (const ndft_line_fft *, void *line, void *to, int64_t block, void *scratch));

#endif
