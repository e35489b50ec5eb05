/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHOW_H
#define NDFT_SHOW_H

#include "records/fields.h"

#include <stdbool.h>

/* Numbers and results as people read them. The functions write into text and return it. */

enum { NDFT_SHOWN = 24 };

const char *ndft_show_seconds(double seconds, char text[NDFT_SHOWN]); /* "12.3 us", "-" for NaN */
const char *ndft_show_rate(double rate, char text[NDFT_SHOWN]);       /* "1.72e12", "-" for NaN */
const char *ndft_show_error(double error, char text[NDFT_SHOWN]);     /* "3.1e-06", "-" for NaN */
const char *ndft_show_energy(double joules, char text[NDFT_SHOWN]);   /* "12.3 mJ", "-" for NaN */

/* "84 MB, 1.68 L2", of the cache that l2_bytes has (0: unknown); "-" for NaN. */
const char *ndft_show_set(double bytes, double l2_bytes, char text[NDFT_SHOWN]);

/* A table of case records: id, verdict, errors, and what else is asked for. */
typedef struct ndft_columns {
    int id_width;
    bool modes;      /* the timing mode */
    bool timed;      /* time, interval, regime, or what is doubtful about it, rate, the share of the
                        bound that was reached, energy, the host's time of a call, the working set */
    double l2_bytes; /* of the device, that the set is shown beside; 0: unknown */
} ndft_columns;

void ndft_show_header(ndft_columns);
void ndft_show_record(ndft_columns, const json_t *record);

/* Prints JSON and a line end, and takes the reference. flags: as of json_dumpf. */
void ndft_show_json(json_t *, size_t flags);

#endif
