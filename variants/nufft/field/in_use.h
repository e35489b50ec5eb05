/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_IN_USE_H
#define NDFT_NUFFT_IN_USE_H

#include "base/problem.h"

/*
 * The values that a field map or a clock takes on, by bins, and points at which to look at what is
 * a function of them, so that nothing between the points and no rare value is overlooked.
 *
 * What an expansion of exp(i w t) leaves over is at any time a sum of exponentials in w with |t| at
 * most some S, and at any w one in t. On an interval of half-width a/S it is, to rounding, a
 * polynomial of the degree d where the terms of exp(i a x) = sum_k i^k J_k(a) T_k(x) end, and
 * |J_k(a)| <= (a/2)^k/k!. With x = cos(theta) a polynomial is a trigonometric one. Near its largest
 * value, M, it is at least M cos(d delta), delta away, and no theta is farther than pi/(2n) from
 * one of n Chebyshev points: nowhere is it more than 1/cos(pi d/(2n)) times its largest at them
 * (H. Ehlich, K. Zeller, Math. Z. 86 (1964) 41). Three for each degree make that 1.155.
 *
 * Intervals are runs of values without a gap of more than 1/S. A run of fewer values than it would
 * take points is looked at there, exactly.
 */

enum { NDFT_BINS = 4096 };

/* Values that fall into one bin. */
typedef struct ndft_bin {
    double low, high;
    int64_t count;
} ndft_bin;

/* Bins without values are left out, once ndft_values_close was called. */
typedef struct ndft_values {
    double low, high, scale; /* of all; bins are of equal width, `bins` of them */
    int bins, n;
    ndft_bin bin[NDFT_BINS];
} ndft_values;

void ndft_values_open(ndft_values *, double low, double high, int bins);

/* Unlike fmin and fmax no calls. */
static inline double ndft_lower(double a, double b) { return a < b ? a : b; }

static inline double ndft_higher(double a, double b) { return a > b ? a : b; }

/* Where a value belongs. */
static inline int ndft_values_bin(const ndft_values *values, double value)
{
    const double place = (value - values->low) * values->scale;
    return (int)ndft_lower(ndft_higher(place, 0), values->bins - 1);
}

static inline void ndft_bin_add(ndft_bin *bin, double low, double high)
{
    bin->low = ndft_lower(bin->low, low);
    bin->high = ndft_higher(bin->high, high);
    bin->count++;
}

/* Adds what lies between low and high. */
static inline void ndft_values_add(ndft_values *values, double low, double high)
{
    ndft_bin_add(&values->bin[ndft_values_bin(values, (low + high) / 2)], low, high);
}

void ndft_values_close(ndft_values *);

/* Those of an array of the problem, counted once where it repeats. */
void ndft_values_of(const void *array, ndft_prec, int64_t count, int bins, ndft_values *);

/* |a - b| of all pairs. */
void ndft_values_differences(const ndft_values *, ndft_values *differences);

/* Whether every bin has one value only. */
bool ndft_values_exact(const ndft_values *);

/* The points for functions of this bandwidth S, ascending in each run; 0: more than `most`. */
int ndft_values_points(const ndft_values *, double bandwidth, int most, double *points);

/* The distinct ones of an array, ascending, which are the caller's to free; false: there is no
 * memory. */
bool ndft_values_distinct(const void *array, ndft_prec, int64_t count, double **values, int64_t *n);

/* The number of one that is among them. */
int64_t ndft_values_find(const double *values, int64_t n, double value);

/* The degree of the polynomial that exp(i a x) is on [-1, 1], to 1e-16; at most one for which
 * nobody has so many points. */
int ndft_wave_degree(double a);

/* How much larger such a function may be at a value in use. */
static const double ndft_points_margin = 1.155;

#endif
