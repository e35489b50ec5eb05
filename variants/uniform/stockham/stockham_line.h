/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_LINE_H
#define NDFT_STOCKHAM_LINE_H

#include "convolve/pass.h"
#include "stockham_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the lines of a pass are cut into blocks and threads, and the source of the kernel that
 * transforms them (stockham_called.cuh), whose words these are. */

typedef struct ndft_stockham_line {
    ndft_stockham_shape shape;
    int length;         /* cells of a line: of an even number of reals half as many */
    bool halved;        /* they are */
    int per, wide;      /* lines of a team; so many of them are beside each other, 1: none */
    int threads, teams; /* that have those lines; so often in a block: 1, or warps by themselves */
    int blocks;         /* of a multiprocessor, for which registers are kept */
    bool in_beside, out_beside, loads, stores;
    bool streams;
    int mirrored; /* pass whose threads have both sums that mirror each other; -1: none */
    int folded;   /* pass of an odd number of reals of whose cells half are kept; -1: none */
    int in_numbers, out_numbers; /* of a line where it is copied */
    bool spectra;             /* half spectra are copied, of which the first pass makes its cells */
    bool in_whole, out_whole; /* what is copied is one piece */
    bool bulk;                /* the output's by one thread */
    int sectors;              /* 0, or numbers of a sector, in which blocks of it begin anywhere */
    bool past_l1;             /* to shared memory, 16 bytes at a time */
    int in_pitch, out_pitch;  /* from line to line where it is copied */
    int block[NDFT_STOCKHAM_PASSES], row[NDFT_STOCKHAM_PASSES]; /* before each pass */
    int turns[NDFT_STOCKHAM_PASSES]; /* where a pass's turns begin in the table */
    int ends;                        /* and those of a half spectrum */
    int whole;                       /* 0, or cells of the line that its lines are columns of */
    int twists;                      /* and where its turns begin: LOW of them, every LOW-th */
    int convolved;     /* 0, or numbers of a line that is a convolution (stockham_convolved.h) */
    int prime, inner;  /* 0, or the first pass's (stockham_columns.h), and its columns' turns */
    int filter, along; /* and where its filter, and its order or chirp begin in the table */
    int held;          /* and numbers that are in no cell in shared memory */
    int table, room;   /* numbers of the table, and of shared memory */
} ndft_stockham_line;

/* What else there is to choose; 0: as it is known to be fast. */
typedef struct ndft_stockham_choice {
    int radix;   /* none is larger */
    int threads; /* of a block at least, where lines are not beside each other */
} ndft_stockham_choice;

/* Cells of a line, or of the convolution that it is, and its passes; 0: they are too many. */
int ndft_stockham_length(const ndft_pass *, ndft_prec);
int ndft_stockham_passes(const ndft_pass *, ndft_prec);

/* shape.passes is 0 where the length has none. */
ndft_stockham_line ndft_stockham_line_of(const ndft_pass *, ndft_prec, ndft_stockham_choice);

/* Of lines that are columns of longer ones of `whole` cells (stockham_split.h) number k of column n
 * is multiplied by turn n k. */
enum { NDFT_STOCKHAM_LOW = 2048 };
void ndft_stockham_set_twists(ndft_stockham_line *, int64_t whole);

/* Cells that a pass keeps of a sum. */
int ndft_stockham_kept(const ndft_stockham_line *, int pass);

/* Of a pass: how many threads a line has work for, and the cells of each: of a sum, or of two that
 * mirror each other. */
int ndft_stockham_shares(const ndft_stockham_line *, int pass);
int ndft_stockham_cells(const ndft_stockham_line *, int pass);

/* Places in shared memory, and those of turns in the table. */
void ndft_stockham_set_rooms(ndft_stockham_line *, ndft_prec);

/* The table of turns, real and imaginary parts. */
void ndft_stockham_turns(const ndft_stockham_line *, int sign, double *table);

/* Which of a transform's functions a pass calls; what modes its lines are of, but for `axis`. */
typedef struct ndft_stockham_calls {
    bool load, store;
    int axis;
    int64_t modes[NDFT_MODES];
} ndft_stockham_calls;

/* The first pass loads, the last one stores. */
ndft_stockham_calls ndft_stockham_calls_of(const ndft_transform *, int pass);

enum { NDFT_STOCKHAM_TEXT = 6144 };

/* The source of the kernel ndft_stockham. */
void ndft_stockham_write(const ndft_pass *, const ndft_stockham_line *, ndft_prec,
                         const ndft_stockham_calls *, char text[NDFT_STOCKHAM_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
