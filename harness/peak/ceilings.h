/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CEILINGS_H
#define NDFT_CEILINGS_H

#include <ndft/exec.h>

#include <jansson.h>

/*
 * Measured ceilings, kept in the folder of reference/cache.h from one program to the next. They
 * hold for one device, driver and highest clock; of a processor for one name, number of threads and
 * instruction set. A cache that is off, missing or damaged knows none.
 */

/* The array of ndft_peak_measure, a new reference; NULL when none are known. */
json_t *ndft_ceilings_read(const ndft_device *);

/* Replaces what is known; where it cannot be written, nothing is. */
void ndft_ceilings_write(const ndft_device *, const json_t *ceilings);

/* The lines of type peak that a run's record file holds: an array, a new reference, of those that
 * have a value. */
json_t *ndft_ceilings_lines(const json_t *ceilings, const char *run);

#endif
