/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHOSEN_H
#define NDFT_CHOSEN_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* For a descriptor's chosen(): what a plan chose, appended to what text says. */

/* A value of each of n axes: V, VxV or VxVxV. */
static inline int ndft_chosen_values(char *word, int room, const int64_t *values, int n)
{
    int used = 0;
    for (int i = 0; i < n && used < room; i++)
        used += snprintf(word + used, (size_t)(room - used), "%s%lld", i ? "x" : "",
                         (long long)values[i]);
    return used;
}

/* name=values of both directions, NULL: not served; name=forward/adjoint where they differ. What
 * does not fit is left out. */
static inline void ndft_chosen_both(char *text, size_t size, const char *name,
                                    const int64_t *forward, const int64_t *adjoint, int n)
{
    enum { ROOM = 96 };
    char word[ROOM];
    if (!forward && !adjoint) return;
    int used = snprintf(word, ROOM, "%s%s=", text[0] ? "," : "", name);
    used += ndft_chosen_values(word + used, ROOM - used, forward ? forward : adjoint, n);
    if (used < ROOM && forward && adjoint &&
        memcmp(forward, adjoint, (size_t)n * sizeof *forward)) {
        word[used++] = '/';
        used += ndft_chosen_values(word + used, ROOM - used, adjoint, n);
    }
    const size_t length = strlen(text);
    if (used < ROOM && length + (size_t)used < size) memcpy(text + length, word, (size_t)used + 1);
}

static inline void ndft_chosen_add(char *text, size_t size, const char *name, const int64_t *values,
                                   int n)
{
    ndft_chosen_both(text, size, name, values, NULL, n);
}

static inline void ndft_chosen_word(char *text, size_t size, const char *name, const char *word)
{
    const size_t length = strlen(text);
    const size_t needed = strlen(name) + strlen(word) + 2;
    if (length + needed < size)
        snprintf(text + length, size - length, "%s%s=%s", length ? "," : "", name, word);
}

static inline void ndft_chosen_one(char *text, size_t size, const char *name, int64_t value)
{
    ndft_chosen_add(text, size, name, &value, 1);
}

/* Of both directions; 0: not served. */
static inline void ndft_chosen_directions(char *text, size_t size, const char *name,
                                          int64_t forward, int64_t adjoint)
{
    ndft_chosen_both(text, size, name, forward ? &forward : NULL, adjoint ? &adjoint : NULL, 1);
}

#endif
