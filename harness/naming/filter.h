/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FILTER_H
#define NDFT_FILTER_H

#include "harness.h"

#include "base/status.h"

#include <regex.h>
#include <stdbool.h>

enum { NDFT_EXPRESSION_MAX = 512 };

/* Chooses registered variants: a POSIX extended regular expression that must match all of
 * NAME.BACKEND. An ablation, a peer or an engine is chosen only where the expression spells out
 * its name as well, so that neither .* nor tiled.* brings one along. */
typedef struct ndft_filter {
    regex_t regex;
    char expression[NDFT_EXPRESSION_MAX];
    bool all; /* nothing need be spelled out */
} ndft_filter;

/* NDFT_EINVAL when the expression is malformed, repeats too much, or matches nothing in the
 * registry: the message then has the nearest names. */
ndft_status ndft_filter_open(const char *expression, ndft_filter *, ndft_error *);

/* The same for lists, where ablations and peers are no different. */
ndft_status ndft_filter_open_all(const char *expression, ndft_filter *, ndft_error *);
void ndft_filter_close(ndft_filter *);

bool ndft_filter_match(const ndft_filter *, const ndft_registered *);

#endif
