/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHOW_H
#define NDFT_SHOW_H

#include "group.h"

/* Numbers and results as people read them. The functions write into text and return it. */

enum { NDFT_SHOWN = 24 };

const char *ndft_show_seconds(double seconds, char text[NDFT_SHOWN]); /* "12.3 us", "-" for NaN */
const char *ndft_show_rate(double rate, char text[NDFT_SHOWN]);       /* "1.72e12", "-" for NaN */
const char *ndft_show_error(double error, char text[NDFT_SHOWN]);     /* "3.1e-06", "-" for NaN */

/* A table of results: id, verdict, errors, and with timed also time, interval and rate. */
void ndft_show_header(bool timed, int id_width);
void ndft_show_result(bool timed, int id_width, const ndft_result *);

#endif
