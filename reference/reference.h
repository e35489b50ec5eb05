/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REFERENCE_H
#define NDFT_REFERENCE_H

#include "base/problem.h"
#include "base/status.h"

/*
 * The oracle: the operator of problem.h in double precision from the problem's own (float or
 * double) arrays, each phase product reduced to a fraction of a turn exactly, dw/(2 pi) in
 * double-double, sums compensated. Independent of every variant.
 *
 * Computes the listed outputs (elements, each for all coils that the output has): result[2*(i*coils
 * + c)] and the imaginary part after it belong to element outputs[i]. outputs NULL: all in order.
 * in: the operation's input in the problem's precision and layout. threads: host threads to use.
 * NDFT_ENOMEM. The normal operator needs every sample for any output; NDFT_EUNSUPPORTED above 2^36
 * pairs.
 */
ndft_status ndft_reference(const ndft_problem *, ndft_op, const void *in, const int64_t *outputs,
                           int64_t n_outputs, double *result, int threads, ndft_error *);

/* Sums of squares of a difference and of what it is a difference from, compensated, in a unit that
 * keeps them from under- and overflow. */
typedef struct ndft_norms {
    double unit, difference[2], reference[2];
} ndft_norms;

/* For references like these complex numbers. */
ndft_norms ndft_norms_begin(const double *ref, int64_t count);
void ndft_norms_add(ndft_norms *, double re, double im, const double ref[2]);

/* |y - ref|_2 / |ref|_2; infinite where it is no number. */
double ndft_norms_ratio(const ndft_norms *);

/* Differences of a variant's output from the reference over the listed outputs. */
typedef struct ndft_difference {
    double rel_l2;  /* |y - ref|_2 / |ref|_2; infinite where an output is NaN or infinite */
    double max_err; /* max |y - ref| / |in|_1, per coil column, of the normal operator over m, too;
                     * likewise. With coil maps |in|_1 is of all columns, and it is over the largest
                     * map, too, of the normal operator over the largest power of all maps */
    int64_t worst;  /* element with the largest difference */
} ndft_difference;

/* out: the variant's whole output in the problem's precision and layout. */
ndft_difference ndft_compare(const ndft_problem *, ndft_op, const void *in, const void *out,
                             const int64_t *outputs, int64_t n_outputs, const double *result);

/* <a, b> = sum a conj(b) over `count` complex elements of prec, in compensated double. */
void ndft_inner(ndft_prec, const void *a, const void *b, int64_t count, double result[2]);

/* |<Ax,y> - <x,A^H y>| / (|Ax| |y|), over all coils. What errors of one output each, relative to
 * |in|_1, may make of it is their sum times ndft_adjointness_any, |x|_1 |y|_1 / (|Ax| |y|). */
double ndft_adjointness(const ndft_problem *, const void *x, const void *ax, const void *y,
                        const void *ahy);
double ndft_adjointness_any(const ndft_problem *, const void *x, const void *ax, const void *y);

/* The outputs to check: all (returned count = length, *outputs NULL) while pairs <= 2^28 or where
 * memory for a list is lacking, else a seeded sample of at least 1024 plus first, last and tile
 * edges, ascending; free *outputs. */
int64_t ndft_sample_outputs(const ndft_problem *, ndft_op, uint64_t seed, int64_t **outputs);

/* The same of `length` outputs that are sums of so many terms. */
int64_t ndft_sample_of(int64_t length, double terms, uint64_t seed, int64_t **outputs);

#endif
