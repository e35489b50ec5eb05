/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAIN_H
#define NDFT_PLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* Text that comes from outside may hold control characters, which a terminal would obey, and bytes
 * that are no UTF-8. */

/* Whether it holds none of them but the blanks between words. */
bool ndft_is_plain(const char *text);

/* Writes it on one line, with those as \n, \t or \x1b. */
void ndft_print_plain(FILE *, const char *text);

#endif
