/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_TEXT_H
#define NDFT_BASE_TEXT_H

#include <stddef.h>

/* A text that grows in the room that it has. What does not fit is left out, and counted. */
typedef struct ndft_text {
    char *at;
    size_t size, used; /* used: as snprintf, without the zero, of all that was added */
} ndft_text;

/* An empty one; of size 0 all is counted and nothing written. */
ndft_text ndft_text_in(char *at, size_t size);

void ndft_text_add(ndft_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number of JSON, with a point whatever the locale has; NaN: null. */
void ndft_text_add_number(ndft_text *, double value);

#endif
