/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIELDS_H
#define NDFT_FIELDS_H

#include <jansson.h>

/* A field of a record: "" where it is no text, NaN where it is no number. */
const char *ndft_field_text(const json_t *record, const char *name);
double ndft_field_number(const json_t *record, const char *name);

/* Why no winner may be told from the time of a record: "device shared", where another program had
 * it meanwhile, "two modes", or "host-bound", where the device had to wait in most samples; NULL:
 * it ranks. */
const char *ndft_field_doubt(const json_t *record);

/* Its value: null where the number is not finite; NULL where there is no text, or none in UTF-8. */
json_t *ndft_field_of_number(double value);
json_t *ndft_field_of_count(double value);
json_t *ndft_field_of_text(const char *text);

#endif
