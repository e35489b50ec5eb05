/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORDS_H
#define NDFT_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The word of a NULL-terminated list that is nearest to word by edit distance (optimal string
 * alignment); never NULL unless the list is empty. For "nearest: WORD" in messages. */
const char *ndft_nearest(const char *word, const char *const *words);

/* Digits only. 0 ok, -1 not a whole number, 1 too large for 64 bits. */
int ndft_whole_parse(const char *text, uint64_t *value);

/* Text that comes from outside may hold control characters, which a terminal would obey, characters
 * that hide or turn others, and bytes that are no UTF-8. */

/* Whether it holds none of them but the blanks between words. */
bool ndft_is_plain(const char *text);

/* Writes it on one line, with those as \n, \t or \x1b. */
void ndft_print_plain(FILE *, const char *text);

#endif
