/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RECORD_TIMING_H
#define NDFT_RECORD_TIMING_H

#include "measure/measure.h"

#include <jansson.h>

/* Adds the fields of a timing to a case record; with timing NULL, empty or null. */
void ndft_record_add_timing(json_t *record, const ndft_timing *, double coil_pairs);

#endif
