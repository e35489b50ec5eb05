/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ROOFLINE_H
#define NDFT_ROOFLINE_H

#include <jansson.h>

/*
 * How far a result is from what its device can do: of every resource, the declared cost over the
 * measured ceiling is a lower bound of the time, and the largest is the one that counts (S.
 * Williams, A. Waterman, D. Patterson, Roofline, CACM 52(4), 2009, with one roof per resource).
 *
 * Sets bounds_s, bound and bound_fraction of a case record from the ceilings of its device, the
 * array of ndft_peak_measure; null where there are none, or where the record has no cost. Work in
 * double has ceilings of its own, whose names end in _f64; issue slots, integers and memory have
 * those of float where there is no other.
 */
void ndft_roofline_add(json_t *record, const json_t *ceilings);

#endif
