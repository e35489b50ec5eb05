/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BOUNDS_H
#define NDFT_BOUNDS_H

#include "base/problem.h"

/* What promises are made of. */

/* Unit roundoff: 2^-24 or 2^-53. */
double ndft_roundoff(ndft_prec);

/* Sets the largest magnitudes and phi_max of a problem from its arrays: NaN where one has a NaN. */
void ndft_measure_bounds(ndft_problem *);

#endif
