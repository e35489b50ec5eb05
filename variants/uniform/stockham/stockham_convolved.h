/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_CONVOLVED_H
#define NDFT_STOCKHAM_CONVOLVED_H

#include "stockham_line.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lines of other prime factors are cyclic convolutions of as many cells as passes serve: a prime P
 * with such a P - 1 by Rader's order (1968), in powers of a generator, any other length by a chirp
 * (Bluestein 1970).
 */

/* Cells of the convolution that a line of so many complex numbers is; 0: they are beyond `longest`,
 * or a chirp's beyond what is fast. */
int ndft_stockham_convolution(int64_t numbers, int longest);

/* Whether a line of so many numbers and cells is in Rader's order. */
static inline bool ndft_stockham_is_ordered(const ndft_stockham_line *line)
{
    return line->convolved == line->length + 1;
}

/* In Rader's order cells are anywhere in a line: it is copied. */
void ndft_stockham_cut_convolved(ndft_stockham_line *, const ndft_pass *);

/* Behind the turns: the transform of what lines are convolved with, over its cells, and where cells
 * come from and go to in Rader's order, or the chirp; in shared memory a number of each line. */
void ndft_stockham_set_filter(ndft_stockham_line *);

/* That part of the table, real and imaginary parts. */
void ndft_stockham_filter(const ndft_stockham_line *, int sign, double *table);

#ifdef __cplusplus
}
#endif

#endif
