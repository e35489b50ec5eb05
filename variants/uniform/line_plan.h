/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_PLAN_H
#define NDFT_LINE_PLAN_H

#include "axes.h"
#include "core/arena.h"
#include "core/loop.h"

#include "base/variant.h"

/* Plans of CPU variants that sum axis by axis: a loop that transforms the lines of one pass, and
 * for each pass a table of the variant's own. Load and store functions are passes of their own. */

typedef struct ndft_line_sum {
    ndft_pass pass;
    const void *table; /* in the problem's precision; NULL: the variant has none */
    int tile, threads;
    void *work; /* work_reals for each thread, beginning on a cache line */
    size_t work_reals;
} ndft_line_sum;

/* Transforms all lines of a pass. */
typedef void ndft_line_loop(const ndft_line_sum *, const void *in, void *out);

/* Of the loops here: lines of a group, bytes of a chunk of outputs; bytes of a row of lanes,
 * numbers of as many lines. */
enum { NDFT_DIRECT_LINES = 32, NDFT_DIRECT_BYTES = 256, NDFT_GEMM_BYTES = 256 };

typedef struct ndft_line_recipe {
    bool whole_lines; /* see ndft_axes_of */
    int tile;
    ndft_line_loop *loop;
    size_t (*work_reals)(const ndft_line_sum *, ndft_prec); /* of one thread */
    /* The length of a pass's table in reals, and its filling in double; NULL: no table. */
    int64_t (*table_reals)(const ndft_pass *);
    void (*fill)(const ndft_pass *, double *table);
} ndft_line_recipe;

/* On failure nothing stays allocated. */
ndft_status ndft_line_create(const ndft_problem *, ndft_exec *, const ndft_line_recipe *,
                             void **plan);
ndft_status ndft_line_execute(void *plan, ndft_op, const void *in, void *out);

#endif
