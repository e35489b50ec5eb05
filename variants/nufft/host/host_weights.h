/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_WEIGHTS_H
#define NDFT_NUFFT_HOST_WEIGHTS_H

#include "host_batch.h"

/* A batch's weights, from the window's polynomials or its table. */

enum {
    NDFT_TOGETHER = 4,    /* samples, or pairs of them, whose rows are evaluated together */
    NDFT_FEW_VECTORS = 4, /* where these are of so many vectors at most */
    NDFT_ABREAST = 4      /* pairs of cells whose polynomials along y and z go together */
};

#if defined NDFT_LOOP_v4 && defined NDFT_LOOP_f32
#define NDFT_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#define NDFT_HIGH_TWICE 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15
#define NDFT_BESIDE 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31
#elif defined NDFT_LOOP_v4 || (defined NDFT_LOOP_v3 && defined NDFT_LOOP_f32)
#define NDFT_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#define NDFT_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7
#define NDFT_BESIDE 0, 1, 2, 3, 12, 13, 14, 15
#elif defined NDFT_LOOP_v3 || defined NDFT_LOOP_f32
#define NDFT_LOW_TWICE 0, 0, 1, 1
#define NDFT_HIGH_TWICE 2, 2, 3, 3
#define NDFT_BESIDE 0, 1, 6, 7
#else
#define NDFT_LOW_TWICE 0, 0
#define NDFT_HIGH_TWICE 1, 1
#define NDFT_BESIDE 0, 3
#endif

/* Of a vector's lower and of its upper half each number twice. */
NDFT_INLINED ndft_vector ndft_low_twice(ndft_vector a)
{
    return __builtin_shufflevector(a, a, NDFT_LOW_TWICE);
}

NDFT_INLINED ndft_vector ndft_high_twice(ndft_vector a)
{
    return __builtin_shufflevector(a, a, NDFT_HIGH_TWICE);
}

/* The rows of weights of a few successive samples, their number and vectors known to the compiler:
 * what one waits for the other works. A weight is evaluated once, and then stands twice. */
NDFT_INLINED void ndft_poly_rows(const ndft_batch *b, int j, const int samples, const int vectors)
{
    const ndft_host_window *w = &b->plan->window;
    const ndft_real *place = b->place[0] + j;
    const int halves = (vectors + 1) / 2;
    const ndft_vector *c = w->row_poly;
    ndft_vector sum[NDFT_TOGETHER][NDFT_MOST_VECTORS / 2];
    for (int i = 0; i < samples; i++)
        for (int v = 0; v < halves; v++) sum[i][v] = c[v];
    for (int q = 0; q < w->degree; q++) {
        c += w->row_once / NDFT_LANES;
        for (int v = 0; v < halves; v++)
            for (int i = 0; i < samples; i++) sum[i][v] = sum[i][v] * place[i] + c[v];
    }
    for (int i = 0; i < samples; i++) {
        ndft_vector *to = (ndft_vector *)ndft_row_of(b, j + i);
        for (int v = 0; v < halves; v++) {
            to[2 * v] = ndft_low_twice(sum[i][v]);
            if (2 * v + 1 < vectors) to[2 * v + 1] = ndft_high_twice(sum[i][v]);
        }
    }
}

/* Two numbers, each in half a vector. */
NDFT_INLINED ndft_vector ndft_beside(ndft_real a, ndft_real b)
{
    const ndft_vector low = (ndft_vector){0} + a, high = (ndft_vector){0} + b;
    return __builtin_shufflevector(low, high, NDFT_BESIDE);
}

/* The rows of successive pairs of samples, where half a vector holds a window's weights: those of a
 * pair side by side. The polynomials stand in either half. */
NDFT_INLINED void ndft_poly_pairs(const ndft_batch *b, int j, const int pairs)
{
    const ndft_host_window *w = &b->plan->window;
    const ndft_real *place = b->place[0] + j;
    const ndft_vector *c = w->row_poly;
    ndft_vector s[NDFT_TOGETHER], sum[NDFT_TOGETHER];
    for (int i = 0; i < pairs; i++) {
        s[i] = ndft_beside(place[2 * i], place[2 * i + 1]);
        sum[i] = *c;
    }
    for (int q = 0; q < w->degree; q++) {
        c += w->row_once / NDFT_LANES;
        for (int i = 0; i < pairs; i++) sum[i] = sum[i] * s[i] + *c;
    }
    for (int i = 0; i < pairs; i++) {
        *(ndft_vector *)ndft_row_of(b, j + 2 * i) = ndft_low_twice(sum[i]);
        *(ndft_vector *)ndft_row_of(b, j + 2 * i + 1) = ndft_high_twice(sum[i]);
    }
}

NDFT_INLINED ndft_real ndft_table_place(const ndft_host_window *w, ndft_real s, int *row)
{
    const ndft_real at = (s + 1) * (ndft_real)w->density / 2;
    *row = (int)at;
    return at - (ndft_real)*row;
}

static inline void ndft_table_row(const ndft_host_window *w, ndft_real s, ndft_real *to)
{
    int row;
    const ndft_real f = ndft_table_place(w, s, &row);
    const ndft_real *low = (const ndft_real *)w->row_table + (int64_t)row * w->row;
    for (int i = 0; i < w->row; i++) to[i] = low[i] + f * (low[w->row + i] - low[i]);
}

/* The window is even: the cell as far from the other end has the same polynomial of -s. Of so many
 * such pairs, from cell `first` on, all at once: one's sums do not wait for each other, others do.
 */
NDFT_INLINED void ndft_poly_cells(const ndft_host_window *w, const ndft_real *place, int count,
                                  int first, ndft_real *restrict to, const int pairs)
{
    const int width = w->width, powers = w->degree + 1, odd_powers = powers % 2;
    for (int j = 0; j < count; j += NDFT_LANES, to += width * NDFT_LANES) {
        const ndft_vector s = *(const ndft_vector *)(place + j), square = s * s, none = {0};
        const ndft_real *c = (const ndft_real *)w->poly + first;
        ndft_vector odd[NDFT_ABREAST], even[NDFT_ABREAST]; /* powers of s */
        for (int i = 0; i < pairs; i++) {
            odd[i] = none + (odd_powers ? 0 : c[i]);
            even[i] = none + (odd_powers ? c : c + width)[i];
        }
        c += (2 - odd_powers) * width;
        for (int q = 2 - odd_powers; q < powers; q += 2, c += 2 * width)
            for (int i = 0; i < pairs; i++) {
                odd[i] = odd[i] * square + c[i];
                even[i] = even[i] * square + c[width + i];
            }
        for (int i = 0; i < pairs; i++) {
            odd[i] *= s;
            *(ndft_vector *)(to + (first + i) * NDFT_LANES) = even[i] + odd[i];
            *(ndft_vector *)(to + (width - 1 - first - i) * NDFT_LANES) = even[i] - odd[i];
        }
    }
}

static inline void ndft_poly_columns(const ndft_host_window *w, const ndft_real *place, int count,
                                     ndft_real *to)
{
    const int pairs = (w->width + 1) / 2;
    for (int first = 0; first < pairs; first += NDFT_ABREAST) switch (pairs - first) {
        case 1:
            ndft_poly_cells(w, place, count, first, to, 1);
            break;
        case 2:
            ndft_poly_cells(w, place, count, first, to, 2);
            break;
        case 3:
            ndft_poly_cells(w, place, count, first, to, 3);
            break;
        default:
            ndft_poly_cells(w, place, count, first, to, NDFT_ABREAST);
            break;
        }
}

static inline void ndft_table_columns(const ndft_host_window *w, const ndft_real *place, int count,
                                      ndft_real *restrict to)
{
    for (int j = 0; j < count; j++) {
        int row;
        const ndft_real f = ndft_table_place(w, place[j], &row);
        const ndft_real *low = (const ndft_real *)w->table + (int64_t)row * w->width;
        ndft_real *column = to + ndft_column_of(w->width, j);
        for (int i = 0; i < w->width; i++)
            column[i * NDFT_LANES] = low[i] + f * (low[w->width + i] - low[i]);
    }
}

static inline void ndft_weigh_columns(const ndft_batch *b, int axis, ndft_real *to)
{
    const ndft_host_window *w = &b->plan->window;
    if (axis < b->plan->grid.dim)
        (w->density ? ndft_table_columns : ndft_poly_columns)(w, b->place[axis], b->count, to);
}

/* Weights along x. What a row writes behind its end the next one writes again. */
NDFT_INLINED void ndft_weigh_rows(const ndft_batch *b, const int vectors, const int dim)
{
    int j = 0;
    (void)dim;
    for (; vectors == 1 && j + 2 * NDFT_TOGETHER <= b->count; j += 2 * NDFT_TOGETHER)
        ndft_poly_pairs(b, j, NDFT_TOGETHER);
    if (vectors <= NDFT_FEW_VECTORS)
        for (; j + NDFT_TOGETHER <= b->count; j += NDFT_TOGETHER)
            ndft_poly_rows(b, j, NDFT_TOGETHER, vectors);
    for (; j < b->count; j++) ndft_poly_rows(b, j, 1, vectors);
}

/* All weights of the batch. */
static __attribute__((noinline)) void ndft_weigh(const ndft_batch *b)
{
    const ndft_host_window *w = &b->plan->window;
    const ndft_batch own = *b; /* stores to weights cannot change it */
    if (w->density)
        for (int j = 0; j < b->count; j++) ndft_table_row(w, b->place[0][j], ndft_row_of(b, j));
    else
        ndft_with_vectors(&own, ndft_weigh_rows, 0);
    ndft_weigh_columns(b, 1, b->y);
    ndft_weigh_columns(b, 2, b->z);
}

#endif
