/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_TILE_H
#define NDFT_GEMM_TILE_H

#include "core/vector.h"

/*
 * The matrix product of the gemm variants, of operands that were just generated in cache. It is
 * real: a complex product is one whose terms are doubled (cosines, then sines) and whose columns
 * are the real and imaginary parts, with the signs in b. A block of vectors times columns stays in
 * registers over all terms, so that a term costs one load a vector and one broadcast a column
 * (Goto and van de Geijn, ACM Trans. Math. Softw. 34 (2008) 12). Sums are short: the caller's.
 */

#if defined NDFT_LOOP_v4
enum { NDFT_GEMM_VECTORS = 4 }; /* 24 of 32 registers */
#else
enum { NDFT_GEMM_VECTORS = 2 }; /* 12 of 16 */
#endif

enum { NDFT_GEMM_COLUMNS = 6 };

/* c[n][l] += sum over k of a[k][l] b[n][k]. Strides are in reals, lanes a multiple of 256 bytes; no
 * two operands overlap. */
typedef struct ndft_gemm {
    int lanes, columns, terms;
    const ndft_real *a, *b;
    ndft_real *c;
    int64_t a_stride, b_stride, c_stride;
} ndft_gemm;

/* One block of lanes from l on and columns from n on, their number known to the compiler. */
static inline __attribute__((always_inline)) void ndft_gemm_block(const ndft_gemm *g, int l, int n,
                                                                  const int columns)
{
    enum { LANES = NDFT_VECTOR / sizeof(ndft_real) };
    const ndft_real *a = g->a + l, *b = g->b + n * g->b_stride;
    const int64_t a_stride = g->a_stride, b_stride = g->b_stride;
    ndft_vector sum[NDFT_GEMM_COLUMNS][NDFT_GEMM_VECTORS];
    for (int j = 0; j < columns; j++)
        for (int v = 0; v < NDFT_GEMM_VECTORS; v++) sum[j][v] = (ndft_vector){0};
    for (int k = 0, terms = g->terms; k < terms; k++, a += a_stride) {
        for (int j = 0; j < columns; j++)
            for (int v = 0; v < NDFT_GEMM_VECTORS; v++)
                sum[j][v] += *(const ndft_vector *)(a + v * LANES) * b[j * b_stride + k];
    }
    ndft_real *c = g->c + n * g->c_stride + l;
    for (int j = 0; j < columns; j++, c += g->c_stride)
        for (int v = 0; v < NDFT_GEMM_VECTORS; v++) *(ndft_vector *)(c + v * LANES) += sum[j][v];
}

static inline void ndft_gemm_columns(const ndft_gemm *g, int l)
{
    int n = 0;
    for (; n + NDFT_GEMM_COLUMNS <= g->columns; n += NDFT_GEMM_COLUMNS)
        ndft_gemm_block(g, l, n, NDFT_GEMM_COLUMNS);
    switch (g->columns - n) {
    case 5:
        ndft_gemm_block(g, l, n, 5);
        break;
    case 4:
        ndft_gemm_block(g, l, n, 4);
        break;
    case 3:
        ndft_gemm_block(g, l, n, 3);
        break;
    case 2:
        ndft_gemm_block(g, l, n, 2);
        break;
    case 1:
        ndft_gemm_block(g, l, n, 1);
        break;
    default:
        break;
    }
}

static inline void ndft_gemm_add(const ndft_gemm *g)
{
    const int width = NDFT_GEMM_VECTORS * NDFT_VECTOR / (int)sizeof(ndft_real);
    for (int l = 0; l < g->lanes; l += width) ndft_gemm_columns(g, l);
}

#endif
