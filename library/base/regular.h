/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REGULAR_H
#define NDFT_REGULAR_H

#include <stdio.h>

/* Opens for reading a file that somebody else may have put there: NULL with errno unless it is a
 * regular one, since opening a pipe would wait for its writer. */
FILE *ndft_open_regular(const char *path);

#endif
