/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHOSEN_H
#define NDFT_CHOSEN_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* For a descriptor's chosen(): appends name=value, or of n axes name=VxVxV, to what text says. What
 * does not fit is left out. */
static inline void ndft_chosen_add(char *text, size_t size, const char *name, const int64_t *values,
                                   int n)
{
    char word[96];
    int used = snprintf(word, sizeof word, "%s%s=", text[0] ? "," : "", name);
    for (int i = 0; i < n && used < (int)sizeof word; i++)
        used += snprintf(word + used, sizeof word - (size_t)used, "%s%lld", i ? "x" : "",
                         (long long)values[i]);
    const size_t length = strlen(text);
    if (used < (int)sizeof word && length + (size_t)used < size)
        memcpy(text + length, word, (size_t)used + 1);
}

static inline void ndft_chosen_one(char *text, size_t size, const char *name, int64_t value)
{
    ndft_chosen_add(text, size, name, &value, 1);
}

#endif
