/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RANGE_H
#define NDFT_RANGE_H

#include "texts.h"

#include <stdbool.h>

/* Whether a word ends as a:b:+s or a:b:*f do. */
bool ndft_is_range(const char *word);

/* Appends the word with each value of its range. Both ends and the step are numbers of one unit;
 * a factor has none. NDFT_EINVAL for a range that is empty or has no end. */
ndft_status ndft_range_expand(const char *word, ndft_texts *points, ndft_error *);

#endif
