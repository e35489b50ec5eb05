/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

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

static int64_t count_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    blocks b;
    int64_t most = p->n_samples;
    for (int d = 0; d < p->dim; d++)
        if (!p->k[d]) return most;
    if (!blocks_make(p, grid, &b)) return most;
    count_samples(p, width, grid, &b);
    if (sum_axes(p, width, grid, &b)) {
        most = 0;
        for (int64_t i = 0; i < b.all; i++) most = b.count[i] > most ? b.count[i] : most;
    }
    free(b.count);
    return most;
}

int64_t ndft_nufft_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const ndft_question question = {"crowd",
                                    {width, (double)grid[0], (double)grid[1], (double)grid[2]}};
    int64_t crowd;
    if (ndft_memo_recall(p, question, &crowd, sizeof crowd)) return crowd;
    crowd = count_crowd(p, width, grid);
    ndft_memo_remember(p, question, &crowd, sizeof crowd);
    return crowd;
}

enum { PICKED = 8192, MOST_TILES = 1 << 20, TILINGS = 2 };

/* turns: periods of an axis. */
static int64_t tile_of(double turns, int64_t tiles)
{
    const double whole = fabs(turns) < 0x1p52 ? (double)(int64_t)turns : turns;
    const double part = turns - whole;
    const int64_t at = (int64_t)((part < 0 ? part + 1 : part) * (double)tiles);
    return at < tiles ? at : tiles - 1;
}

/* sum n^2 over tiles of n of the samples that are picked, one of each run of equal length, wherever
 * in it: the more of two tilings, half a tile apart; -1: no memory. */
static double squares_in(const ndft_problem *p, const int64_t tiles[3], int64_t picked)
{
    const int64_t all = tiles[0] * tiles[1] * tiles[2];
    int32_t *count = calloc((size_t)(TILINGS * all), sizeof *count);
    double squares[TILINGS] = {0};
    if (!count) return -1;
    for (int64_t i = 0, first = 0; i < picked; i++) {
        const int64_t next = (i + 1) * p->n_samples / picked;
        const uint64_t within = (uint32_t)i * 2654435761u;
        const int64_t j = first + (int64_t)((uint64_t)(next - first) * within >> 32);
        int64_t at[TILINGS] = {0};
        for (int d = p->dim - 1; d >= 0; d--) {
            const double turns = ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d];
            for (int t = 0; t < TILINGS; t++)
                at[t] = at[t] * tiles[d] + tile_of(turns + 0.5 * t / (double)tiles[d], tiles[d]);
        }
        for (int t = 0; t < TILINGS; t++) squares[t] += 2 * count[t * all + at[t]]++ + 1;
        first = next;
    }
    free(count);
    return fmax(squares[0], squares[1]);
}

static double count_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const int64_t picked = p->n_samples < PICKED ? p->n_samples : PICKED;
    const double count = (double)picked, of = (double)p->n_samples;
    int64_t tiles[3] = {1, 1, 1};
    double all = INFINITY;
    for (int64_t edge = width; all > MOST_TILES; edge *= 2) {
        all = 1;
        for (int d = 0; d < p->dim; d++)
            all *= (double)(tiles[d] = grid[d] > edge ? grid[d] / edge : 1);
    }
    for (int d = 0; d < p->dim; d++)
        if (!p->k[d]) return of;
    const double squares = squares_in(p, tiles, picked);
    return squares < 0 ? of : fmin(of, 1 + (squares / count - 1) * of / count);
}

double ndft_nufft_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const ndft_question question = {"mean crowd",
                                    {width, (double)grid[0], (double)grid[1], (double)grid[2]}};
    double mean;
    if (ndft_memo_recall(p, question, &mean, sizeof mean)) return mean;
    mean = count_mean_crowd(p, width, grid);
    ndft_memo_remember(p, question, &mean, sizeof mean);
    return mean;
}
