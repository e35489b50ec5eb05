/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CEILINGS_H
#define NDFT_CEILINGS_H

#include "base/exec.h"

#include <jansson.h>

/*
 * Measured ceilings, kept in the folder of library/base/cache_file.h from one program to the next.
 * They hold for one device, driver and highest clock; of a processor for one name, number of
 * threads and instruction set. A cache that is off, missing or damaged knows none.
 */

/* The array of ndft_peak_measure, a new reference; NULL when none are known. */
json_t *ndft_ceilings_read(const ndft_device *);

/* Replaces what is known; where it cannot be written, nothing is. */
void ndft_ceilings_write(const ndft_device *, const json_t *ceilings);

/* The lines of type peak that a run's record file holds: an array, a new reference, of those that
 * have a value. */
json_t *ndft_ceilings_lines(const json_t *ceilings, const char *run);

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
