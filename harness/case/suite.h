/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUITE_H
#define NDFT_SUITE_H

#include "case.h"

/*
 * A suite: lines `[VARIANTS [knob=values]... :] CASE` where any value may be {a,b}, a:b:+s, a:b:*f,
 * or several keys tied by zip(...); plus `include FILE`, `set key=value` and # comments. Reading
 * expands it to items in order.
 */
typedef struct ndft_item {
    char variants[256]; /* extended regular expression over NAME.BACKEND, anchored; ".*" if none */
    char knobs[256];    /* "tile=32,outputs=4"; empty: defaults */
    ndft_case problem;
    char where[NDFT_PATH_MAX + 16]; /* file:line, for messages */
} ndft_item;

typedef struct ndft_suite {
    ndft_item *items;
    size_t size;
} ndft_suite;

/* NDFT_EIO; NDFT_EINVAL, with FILE:LINE and the nearest valid word, and for a case that names code
 * to be run. */
ndft_status ndft_suite_read(const char *path, ndft_suite *, ndft_error *);

/* Expands one line, appending to the suite; where names it in messages. NDFT_EINVAL. */
ndft_status ndft_suite_add(ndft_suite *, const char *line, const char *where, ndft_error *);

void ndft_suite_free(ndft_suite *);

#endif
