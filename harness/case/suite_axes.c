/* SPDX-License-Identifier: Apache-2.0 */
#include "suite_axes.h"

#include "expand.h"
#include "suite.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether one of a point's words begins with name=. */
static bool point_gives(const char *point, const char *name, size_t length)
{
    for (; point; point = strchr(point, ' ')) {
        point += *point == ' ';
        if (strncmp(point, name, length) == 0 && point[length] == '=') return true;
    }
    return false;
}

static bool gives(const ndft_axes *a, const char *name, size_t length)
{
    for (size_t i = a->first; i < a->end; i++)
        if (a->axis[i].size && point_gives(a->axis[i].text[0], name, length)) return true;
    return false;
}

/* Each key of the new axis must be new. */
static ndft_status check_once(const ndft_axes *a, const ndft_texts *axis, ndft_error *err)
{
    for (const char *word = axis->text[0]; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        size_t length = strcspn(word, "= ");
        if (word[length] == '=' && gives(a, word, length))
            return ndft_fail(err, NDFT_EINVAL, "%s: %.*s is given twice", word, (int)length, word);
    }
    return NDFT_OK;
}

/* Before the next axis is expanded, there may be too many already. */
static ndft_status count_points(ndft_axes *a, size_t size, ndft_error *err)
{
    a->points *= size;
    if (a->points <= NDFT_POINTS_MAX) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "a suite has at most %d points", NDFT_POINTS_MAX);
}

static ndft_status add_axis(ndft_axes *a, const char *word, ndft_error *err)
{
    ndft_texts *axis = &a->axis[a->end];
    NDFT_TRY(ndft_word_expand(word, axis, err));
    NDFT_TRY(check_once(a, axis, err));
    a->end++;
    return count_points(a, axis->size, err);
}

static ndft_status add_sets(ndft_axes *a, const ndft_texts *sets, ndft_error *err)
{
    for (size_t i = sets->size; i-- > 0;) {
        const char *set = sets->text[i];
        if (gives(a, set, strcspn(set, "="))) continue;
        NDFT_TRY(ndft_word_expand(set, &a->axis[--a->first], err));
        NDFT_TRY(count_points(a, a->axis[a->first].size, err));
    }
    return NDFT_OK;
}

static ndft_status check_variants(const char *variants, ndft_error *err)
{
    if (strlen(variants) >= sizeof((ndft_item *)NULL)->variants)
        return ndft_fail(err, NDFT_EINVAL, "%.60s...: too long a filter of variants", variants);
    if (strchr(variants, '='))
        return ndft_fail(err, NDFT_EINVAL,
                         "%.300s: a filter of variants comes first, e.g. tiled[.].*", variants);
    return NDFT_OK;
}

/* The index of the lone colon; words->size without one. */
static size_t find_colon(const ndft_texts *words)
{
    size_t i = 0;
    while (i < words->size && strcmp(words->text[i], ":") != 0) i++;
    return i;
}

ndft_status ndft_axes_make(const ndft_texts *words, const ndft_texts *sets, ndft_axes *a,
                           ndft_error *err)
{
    size_t colon = find_colon(words), room = sets->size + words->size + 1;
    bool filtered = colon < words->size;
    *a = (ndft_axes){.variants = filtered && colon ? words->text[0] : ".*",
                     .axis = calloc(room, sizeof *a->axis),
                     .first = sets->size,
                     .end = sets->size,
                     .points = 1};
    if (!a->axis) return ndft_fail(err, NDFT_ENOMEM, "no memory for %zu axes", room);
    NDFT_TRY(check_variants(a->variants, err));
    for (size_t i = 1; filtered && i < colon; i++) NDFT_TRY(add_axis(a, words->text[i], err));
    a->case_start = a->end;
    for (size_t i = filtered ? colon + 1 : 0; i < words->size; i++)
        NDFT_TRY(add_axis(a, words->text[i], err));
    return add_sets(a, sets, err);
}

void ndft_axes_free(ndft_axes *a)
{
    for (size_t i = a->first; a->axis && i <= a->end; i++) ndft_texts_free(&a->axis[i]);
    free(a->axis);
    a->axis = NULL;
}
