/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WINNERS_H
#define NDFT_WINNERS_H

#include <jansson.h>
#include <stdio.h>

/* The fastest pass and its runner-up of every case and mode, from case records. One whose time is
 * in doubt (ndft_field_doubt) wins nothing; the fastest of these is kept apart, for whoever would
 * miss it. */
enum { NDFT_FIRST, NDFT_SECOND, NDFT_IN_DOUBT, NDFT_PLACES };

typedef struct ndft_winner {
    char *text;                   /* case, and the mode unless it is batch */
    char *id[NDFT_PLACES];        /* variant ids, NULL: none */
    double median_s[NDFT_PLACES]; /* s */
    double rate;                  /* coil_pairs/s of the first */
    const char *doubt;            /* about the one in doubt */
} ndft_winner;

typedef struct ndft_winners {
    ndft_winner *items; /* in order of first mention */
    int size;
    json_t *places; /* of the items, by text */
} ndft_winners;

/* Only a pass with a timing counts; other records merely mention their case. */
void ndft_winners_take(ndft_winners *, const json_t *record);
void ndft_winners_print(const ndft_winners *, FILE *);
void ndft_winners_free(ndft_winners *);

#endif
