/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BIMODAL_H
#define NDFT_BIMODAL_H

#include <stdbool.h>

/*
 * The dip of n >= 1 values in ascending order: how far their distribution lies at least from any
 * that has one mode, as the largest difference of the distribution functions. J. A. Hartigan and
 * P. M. Hartigan, The dip test of unimodality, Ann. Statist. 13 (1985) 70-84; between 1/(2n) and
 * 1/4.
 */
double ndft_dip(const double *ascending, int n);

/*
 * Whether n samples in any order are of two kinds, whose middle is no typical value: their dip is
 * beyond 0.75 / sqrt(n), which less than one of a thousand sets of uniform values is, and the
 * kinds' medians, lower first, lie more than 2 % apart. Uniform values are the hardest case of one
 * mode, so that neither a drift, which spreads samples evenly, nor stragglers count. Kinds are told
 * apart where the sum of squares within them is least (N. Otsu, IEEE Trans. SMC 9 (1979) 62-66).
 * medians: NaN unless there are two.
 */
bool ndft_two_modes(const double *samples, int n, double medians[2]);

#endif
