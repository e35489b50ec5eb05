/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BOUNDS_H
#define NDFT_BOUNDS_H

#include "base/problem.h"

/* What promises are made of. */

/* The largest magnitude of reals, NaN where one is; 0 of a NULL array. */
double ndft_largest(const void *array, ndft_prec, int64_t count);

/* The lowest and the highest of reals, of which there are some and none is a NaN. */
void ndft_ends(const void *array, ndft_prec, int64_t count, double *low, double *high);

/* Clocks are mostly a readout's, again and again: how long it is; count where they are not. */
int64_t ndft_period(const void *array, ndft_prec, int64_t count);

/* The first element that is below 0 or no number; count: none is. */
int64_t ndft_first_negative(const void *array, ndft_prec, int64_t count);

/* Sets the largest magnitudes, phi_max and b_rms of a problem from its arrays: NaN where one has a
 * NaN. before: a problem whose are known, and which may have arrays with it together; or NULL.
 * b_rms is taken over a sample of pairs where there are gradients, and with decay it is no more
 * than the root mean square of exp(-R t) over all pairs, of which it is a bound from below. With
 * coil maps a voxel counts by what all coils see of it. */
void ndft_measure_bounds(ndft_problem *, const ndft_problem *before);

/* What no result shows, since all samples are read at t=0: "field map", "decay", "field map and
 * decay"; NULL: nothing. */
const char *ndft_without_effect(const ndft_problem *);

/* The part of tol that an error may have which does not shrink with an entry B_jk exp(-i phi_jk):
 * relative errors are measured by the entries' root mean square, errors of any output by 1. */
double ndft_tol_of_entries(const ndft_problem *);

/*
 * How far above a predicted ratio of root mean squares a relative error may lie by chance. With m
 * independent numbers its square is distributed like F with 2m and 2m degrees of freedom, of which
 * this is the root of the quantile 1 - 1e-4, to a tenth; 1 from some thousands on. One number may
 * be a hundred times smaller than others would be.
 */
double ndft_chance(double numbers);

#endif
