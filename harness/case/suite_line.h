/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUITE_LINE_H
#define NDFT_SUITE_LINE_H

#include "suite.h"
#include "texts.h"

/* Expands the words of one line, `[VARIANTS [knob=values]... :] CASE`, into items at the end of the
 * suite. sets: key=values for keys that the line does not give; the last of a key counts. On
 * failure the suite is as before and the message begins with where. */
ndft_status ndft_suite_expand(ndft_suite *, const ndft_texts *words, const ndft_texts *sets,
                              const char *where, ndft_error *);

#endif
