/* SPDX-License-Identifier: Apache-2.0 */
#include "picks.h"
#include "window.h"

#include <math.h>
#include <stdlib.h>

/* How many samples' windows touch a cell of the grid, of which it is the sum. */

/* Cells in blocks, of which there are a few for each sample at most; samples are counted in the
 * block of their first cell. */
typedef struct blocks {
    int64_t edge, n[3], all;
    int32_t *count; /* [all], x fastest */
} blocks;

enum { FOR_EACH = 4, FEW = 4096 };

static bool blocks_make(const ndft_problem *p, const int64_t grid[3], blocks *b)
{
    for (b->edge = 1;; b->edge *= 2) {
        double all = 1;
        for (int d = 0; d < 3; d++) {
            b->n[d] = (grid[d] + b->edge - 1) / b->edge;
            all *= (double)b->n[d];
        }
        b->all = (int64_t)fmin(all, 0x1p62);
        if (b->all <= FOR_EACH * p->n_samples + FEW) break;
    }
    b->count = calloc((size_t)b->all, sizeof *b->count);
    return b->count != NULL;
}

static void count_samples(const ndft_problem *p, int width, const int64_t grid[3], blocks *b)
{
    for (int64_t j = 0; j < p->n_samples; j++) {
        int64_t at = 0;
        for (int d = p->dim - 1; d >= 0; d--) {
            const double k = ndft_real_at(p->k[d], p->prec, j);
            at = at * b->n[d] + ndft_grid_place(k, p->n[d], grid[d], width).first / b->edge;
        }
        b->count[at]++;
    }
}

/* line[i] becomes the sum of `span` neighbours on a ring, with the help of `sum`. */
static void add_neighbours(int32_t *line, int64_t n, int64_t stride, int64_t span, int64_t *sum)
{
    for (int64_t i = 0; i < n; i++) {
        sum[i] = 0;
        if (i == 0)
            for (int64_t k = 0; k < span; k++) sum[0] += line[k * stride];
        else
            sum[i] = sum[i - 1] - line[(i - 1) * stride] + line[(i - 1 + span) % n * stride];
    }
    for (int64_t i = 0; i < n; i++) line[i * stride] = (int32_t)sum[i];
}

/* Windows that touch a cell begin at the last W cells, which lie in so many blocks; on a ring whose
 * last block is short, one more. */
static int64_t span_of(const blocks *b, int axis, int width, int64_t cells)
{
    const int64_t span = (width - 1 + b->edge - 1) / b->edge + 1 + (cells % b->edge != 0);
    if (b->edge == 1) return width;
    return span < b->n[axis] ? span : b->n[axis];
}

static bool sum_axes(const ndft_problem *p, int width, const int64_t grid[3], blocks *b)
{
    int64_t most = 1, stride = 1;
    for (int d = 0; d < p->dim; d++) most = b->n[d] > most ? b->n[d] : most;
    int64_t *sum = malloc((size_t)most * sizeof *sum);
    if (!sum) return false;
    for (int d = 0; d < p->dim; d++) {
        const int64_t n = b->n[d], span = span_of(b, d, width, grid[d]);
        for (int64_t line = 0; line < b->all / n; line++)
            add_neighbours(b->count + line / stride * stride * n + line % stride, n, stride, span,
                           sum);
        stride *= n;
    }
    free(sum);
    return true;
}

static double count_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    blocks b;
    int64_t most = p->n_samples;
    if (!ndft_has_positions(p) || !blocks_make(p, grid, &b)) return (double)most;
    count_samples(p, width, grid, &b);
    if (sum_axes(p, width, grid, &b)) {
        most = 0;
        for (int64_t i = 0; i < b.all; i++) most = b.count[i] > most ? b.count[i] : most;
    }
    free(b.count);
    return (double)most;
}

int64_t ndft_nufft_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    return (int64_t)ndft_counted_once(p, "crowd", count_crowd, width, grid);
}
