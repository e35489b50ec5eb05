/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEXTS_H
#define NDFT_TEXTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A growing list of strings that it owns; starts as {0}. */
typedef struct ndft_texts {
    char **text;
    size_t size;
} ndft_texts;

/* Appends a copy of the first length characters. NDFT_ENOMEM leaves the list as it was. */
ndft_status ndft_texts_add(ndft_texts *, const char *text, size_t length, ndft_error *);

/* Appends a printf-style text. */
ndft_status ndft_texts_format(ndft_texts *, ndft_error *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Drops the texts from size on. */
void ndft_texts_cut(ndft_texts *, size_t size);

void ndft_texts_free(ndft_texts *);

/* A file's next line with its end, as getline has it; false where there is none. NUL characters
 * become ones that no case holds: nothing is hidden behind them. */
bool ndft_line_read(char **line, size_t *room, FILE *);

#endif
