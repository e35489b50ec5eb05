/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUITE_AXES_H
#define NDFT_SUITE_AXES_H

#include "texts.h"

/*
 * A suite line as axes, the last varying fastest: defaults that were set, then knobs, then the case
 * as written. A point of an axis is a text of one or more words. Case keys may stand among the
 * knobs too, so that zip can tie the two.
 */
typedef struct ndft_axes {
    const char *variants; /* one of the line's words, or ".*" */
    ndft_texts *axis;     /* axes first..end; those from case_start on are the case as written */
    size_t first, case_start, end;
    size_t points; /* all combinations */
} ndft_axes;

/* From the words of `[VARIANTS [knob=values]... :] CASE` and from key=values for keys that it does
 * not give (of equal keys the last counts). Free it also on failure. */
ndft_status ndft_axes_make(const ndft_texts *words, const ndft_texts *sets, ndft_axes *,
                           ndft_error *);

void ndft_axes_free(ndft_axes *);

#endif
