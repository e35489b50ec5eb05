/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ROWS_H
#define NDFT_ROWS_H

#include "contestant.h"

#include <jansson.h>

/* What was found of contestants of one case: as a table, and as records of type scaling. */
typedef struct ndft_scaled {
    const ndft_contest *contest;
    const ndft_contestant *all; /* the plain plan first */
    int n, samples;
} ndft_scaled;

void ndft_scaled_print(const ndft_scaled *);

/* Of contestant i, by docs/results.md; a new reference. run: its id. */
json_t *ndft_scaled_record(const ndft_scaled *, const char *run, int i);

#endif
