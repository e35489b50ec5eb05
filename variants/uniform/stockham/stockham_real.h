/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_REAL_H
#define NDFT_STOCKHAM_REAL_H

#include "stockham_line.h"

/* What real lines have of their own, and what the files that cut lines have of each
 * other. */

/* A thread's cells that leave registers enough for several blocks. */
int ndft_stockham_most_cells(ndft_prec);

/* The threads of so many lines. */
void ndft_stockham_set_threads(ndft_stockham_line *, ndft_prec);

/* Blocks of a multiprocessor, for which registers are kept: a second one is worth eight of them. */
int ndft_stockham_blocks(const ndft_stockham_line *, ndft_prec);

/* Of a real line's passes: which one is beside half spectra, or of an odd number of reals keeps
 * half of its cells; in which order they are; what is stored as whole sectors. any: radices may be
 * others than the shape has. */
void ndft_stockham_set_real(ndft_stockham_line *, const ndft_pass *, ndft_prec, bool any);

/* Whether lines are end to end. */
bool ndft_stockham_follow(const ndft_pass *, const ndft_line_side *);

/* Whether output may be stored as whole sectors: of an odd number of reals where lines are long and
 * many enough. */
bool ndft_stockham_has_sectors(const ndft_pass *);

/* Which of two passes is first, of lines that the next function cuts. */
void ndft_stockham_order_real(ndft_stockham_line *, const ndft_pass *);

/* Lines of one or two passes that are one piece with those beside them on either side: how many a
 * block has, and which half spectra are copied as they are. */
void ndft_stockham_cut_real(ndft_stockham_line *, const ndft_pass *, ndft_prec);

/* Whether a block's lines follow each other as one piece, which 16 bytes at a time divide. */
bool ndft_stockham_is_whole(const ndft_stockham_line *, const ndft_pass *, const ndft_line_side *,
                            ndft_prec);

/* What is copied as one piece, and how many numbers of a line are copied. */
void ndft_stockham_set_copied(ndft_stockham_line *, const ndft_pass *, ndft_prec, bool is_short);

#endif
