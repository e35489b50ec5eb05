/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_SHORT_H
#define NDFT_STOCKHAM_SHORT_H

#include "stockham_line.h"

/* Complex lines of numbers beside each other, in a thread each or of two passes. What is not stored
 * in long pieces or whole sectors is copied as a whole, or else what is not read in pieces of 9
 * cells. False: it is neither, or two passes of 32, 36, 40 or 48 cells, which are slower so. */
bool ndft_stockham_cut_short(ndft_stockham_line *, const ndft_pass *, int most_cells);

/* Of two passes: the lines of which fewest of so many threads idle, none with two sums of the
 * larger radix. */
int ndft_stockham_lines_for(const ndft_stockham_line *, int threads, int most_cells, bool even);

#endif
