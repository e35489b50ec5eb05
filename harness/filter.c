/* SPDX-License-Identifier: Apache-2.0 */
#include "filter.h"

#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_NAME = 96 };

void ndft_nearest_variants(const char *word, char *text, size_t size)
{
    text[0] = 0;
    const char **names = calloc((size_t)ndft_registry_size + 1, sizeof *names);
    if (!names) return;
    for (int i = 0; i < ndft_registry_size; i++) names[i] = ndft_registry[i].name;
    char name[FULL_NAME];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "."), word);
    const char *nearest = ndft_nearest(name, names);
    size_t used = 0;
    for (int i = 0; i < ndft_registry_size && used < size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->name, nearest)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s.%s", used ? ", " : "", entry->name,
                                 entry->backend);
    }
    free(names);
}

static bool matches_any(const ndft_filter *filter)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (ndft_filter_match(filter, &ndft_registry[i])) return true;
    return false;
}

static ndft_status open_filter(const char *expression, bool ablations, ndft_filter *filter,
                               ndft_error *err)
{
    char *anchored = filter->expression;
    filter->ablations = ablations;
    if (snprintf(anchored, NDFT_EXPRESSION_MAX, "^(%s)$", expression) >= NDFT_EXPRESSION_MAX)
        return ndft_fail(err, NDFT_EINVAL, "the expression '%.60s...' is too long", expression);
    int code = regcomp(&filter->regex, anchored, REG_EXTENDED | REG_NOSUB);
    if (code) {
        char why[128];
        regerror(code, &filter->regex, why, sizeof why);
        return ndft_fail(err, NDFT_EINVAL, "'%s' is no regular expression: %s", expression, why);
    }
    if (matches_any(filter)) return NDFT_OK;
    filter->ablations = true;
    bool named = matches_any(filter);
    char nearest[256];
    ndft_nearest_variants(expression, nearest, sizeof nearest);
    ndft_filter_close(filter);
    return ndft_fail(err, NDFT_EINVAL, "no variant matches '%s'%s; nearest: %s", expression,
                     named ? " (ablations do where their names are spelled out)" : "", nearest);
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
    if (entry->ablates && !filter->ablations && !strstr(filter->expression, entry->name))
        return false;
    snprintf(full, sizeof full, "%s.%s", entry->name, entry->backend);
    return regexec(&filter->regex, full, 0, NULL, 0) == 0;
}
