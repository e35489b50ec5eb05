/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_TABLE_H
#define NDFT_NUFFT_RANK_TABLE_H

#include <stdbool.h>

/*
 * Functions of bounded bandwidth on [-half, half] as polynomials on equal intervals, by
 * interpolation at Chebyshev points: with interval half-width e in radians the error is at most
 * 2 e^(degree + 1) / (2^degree (degree + 1)!).
 */

enum { NDFT_TABLE_DEGREE = 11 }; /* the largest */

typedef struct ndft_rank_table {
    int intervals, degree, width; /* width: functions side by side */
    double half;
    double *a; /* [intervals][degree + 1][width], highest power first, of position in [-1, 1] */
} ndft_rank_table;

typedef void ndft_rank_function(const void *context, double x, double *value);

/* The half-width e, in radians, of the intervals that _make takes at most. */
double ndft_rank_table_reach(int degree, double tol);

/* phase: bandwidth times half, in radians. false: no memory. */
bool ndft_rank_table_make(ndft_rank_function *f, const void *context, int width, double half,
                          double phase, int degree, double tol, ndft_rank_table *table);

/* Interval of x, and position in it. */
int ndft_rank_table_place(const ndft_rank_table *table, double x, double *position);

/* All functions at x; what their powers add up to without signs, of which they are rounded. */
void ndft_rank_table_at(const ndft_rank_table *table, double x, double *value);
void ndft_rank_table_size(const ndft_rank_table *table, double x, double *size);

#endif
