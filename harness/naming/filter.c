/* SPDX-License-Identifier: Apache-2.0 */
#include "filter.h"

#include "harness.h"
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_NAME = 96, MOST_REPEATS = 255 };

static bool matches_any(const ndft_filter *filter)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (ndft_filter_match(filter, &ndft_registry[i])) return true;
    return false;
}

/* Whether a repetition follows another, which POSIX leaves undefined and the matcher takes any
 * amount of time for. */
static bool repeats_twice(const char *expression)
{
    for (const char *at = expression; *at; at++)
        if (strchr("*+?}", *at) && at[1] && strchr("*+?{", at[1])) return true;
    return false;
}

/* What the repetition at `at` unfolds to, in copies of what stands before it. */
static long copies(const char *expression, const char *at)
{
    if (*at == '+' || *at == '*') return at > expression && at[-1] == ')' ? 2 : 1;
    if (*at != '{') return 1;
    char *end;
    const long least = strtol(at + 1, &end, 10);
    const bool endless = end[0] == ',' && end[1] == '}';
    const long most = endless ? 1 : *end == ',' ? strtol(end + 1, NULL, 10) : least;
    if (least > MOST_REPEATS || most > MOST_REPEATS) return MOST_REPEATS + 1;
    const long count = endless ? least + 1 : least > most ? least : most;
    return count > 1 ? count : 1;
}

/* How often the expression repeats things over, nested repeats multiplied; the matcher unfolds them
 * and would take any amount of memory. Braces that stand for themselves count too. */
static long count_repeats(const char *expression)
{
    long product = 1;
    for (const char *at = expression; *at && product <= MOST_REPEATS; at++)
        product *= copies(expression, at);
    return product;
}

static ndft_status compile(const char *expression, ndft_filter *filter, ndft_error *err)
{
    char *anchored = filter->expression;
    if (snprintf(anchored, NDFT_EXPRESSION_MAX, "^(%s)$", expression) >= NDFT_EXPRESSION_MAX)
        return ndft_fail(err, NDFT_EINVAL, "the expression '%.60s...' is too long", expression);
    if (repeats_twice(expression))
        return ndft_fail(err, NDFT_EINVAL, "'%s' repeats a repetition; write one of * + ? {}",
                         expression);
    if (count_repeats(expression) > MOST_REPEATS)
        return ndft_fail(err, NDFT_EINVAL,
                         "'%s' repeats more than %d times, nested repetitions multiplied; write it "
                         "with * or +",
                         expression, MOST_REPEATS);
    int code = regcomp(&filter->regex, anchored, REG_EXTENDED | REG_NOSUB);
    if (!code) return NDFT_OK;
    char why[128];
    regerror(code, &filter->regex, why, sizeof why);
    return ndft_fail(err, NDFT_EINVAL, "'%s' is no regular expression: %s", expression, why);
}

static ndft_status open_filter(const char *expression, bool all, ndft_filter *filter,
                               ndft_error *err)
{
    filter->all = all;
    NDFT_TRY(compile(expression, filter, err));
    if (matches_any(filter)) return NDFT_OK;
    filter->all = true;
    bool named = matches_any(filter);
    char nearest[256];
    ndft_nearest_variants(expression, nearest, sizeof nearest);
    ndft_filter_close(filter);
    return ndft_fail(err, NDFT_EINVAL, "no variant matches '%s'%s; nearest: %s", expression,
                     named ? " (ablations do where their names are spelled out, and peers)" : "",
                     nearest);
}

ndft_status ndft_filter_open(const char *expression, ndft_filter *filter, ndft_error *err)
{
    return open_filter(expression, false, filter, err);
}

ndft_status ndft_filter_open_all(const char *expression, ndft_filter *filter, ndft_error *err)
{
    return open_filter(expression, true, filter, err);
}

void ndft_filter_close(ndft_filter *filter) { regfree(&filter->regex); }

bool ndft_filter_match(const ndft_filter *filter, const ndft_registered *entry)
{
    char full[FULL_NAME];
    if (!filter->all && ndft_by_name_only(entry) && !strstr(filter->expression, entry->name))
        return false;
    snprintf(full, sizeof full, "%s.%s", entry->name, entry->backend);
    return regexec(&filter->regex, full, 0, NULL, 0) == 0;
}
