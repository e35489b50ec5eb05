/* SPDX-License-Identifier: Apache-2.0 */
#include "suite_line.h"

#include "case_keys.h"
#include "expand.h"
#include "suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A suite line as axes, the last varying fastest: defaults that were set, then knobs, then the case
 * as written. A point of an axis is a text of one or more words. Case keys may stand among the
 * knobs too, so that zip can tie the two; one that the case gives itself is a knob of that name.
 */
typedef struct ndft_axes {
    const char *variants; /* one of the line's words, or ".*" */
    ndft_texts *axis;     /* axes first..end; those from case_start on are the case as written */
    size_t first, case_start, end;
    size_t points; /* all combinations */
} ndft_axes;

/* Whether one of a point's words begins with name=. */
static bool point_gives(const char *point, const char *name, size_t length)
{
    for (; point; point = strchr(point, ' ')) {
        point += *point == ' ';
        if (strncmp(point, name, length) == 0 && point[length] == '=') return true;
    }
    return false;
}

/* Whether one of the axes from..end does. */
static bool gives(const ndft_axes *a, size_t from, const char *name, size_t length)
{
    for (size_t i = from; i < a->end; i++)
        if (a->axis[i].size && point_gives(a->axis[i].text[0], name, length)) return true;
    return false;
}

/* Each name of the new axis must be new: among the knobs, or in the case. */
static ndft_status check_once(const ndft_axes *a, const ndft_texts *axis, ndft_error *err)
{
    for (const char *word = axis->text[0]; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        size_t length = strcspn(word, "= ");
        if (word[length] == '=' && gives(a, a->case_start, word, length))
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
        if (gives(a, a->first, set, strcspn(set, "="))) continue;
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

/* From the words of `[VARIANTS [knob=values]... :] CASE` and from key=values for keys that it does
 * not give (of equal keys the last counts). Free it also on failure. */
static ndft_status axes_make(const ndft_texts *words, const ndft_texts *sets, ndft_axes *a,
                             ndft_error *err)
{
    size_t colon = find_colon(words), room = sets->size + words->size + 1;
    bool filtered = colon < words->size;
    *a = (ndft_axes){.variants = filtered && colon ? words->text[0] : ".*",
                     .axis = calloc(room, sizeof *a->axis),
                     .first = sets->size,
                     .case_start = sets->size,
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

static void axes_free(ndft_axes *a)
{
    for (size_t i = a->first; a->axis && i <= a->end; i++) ndft_texts_free(&a->axis[i]);
    free(a->axis);
    a->axis = NULL;
}

/* Appends a word to text of size characters. */
static ndft_status append(char *text, size_t size, char separator, const char *word, size_t length,
                          ndft_error *err)
{
    size_t used = strlen(text);
    if (used + 1 + length >= size)
        return ndft_fail(err, NDFT_EINVAL, "%.60s...: longer than %zu characters", text, size - 1);
    if (used) text[used++] = separator;
    memcpy(text + used, word, length);
    text[used + length] = '\0';
    return NDFT_OK;
}

/* Adds a point's words to an item's knobs or, case keys, to the text of its case. */
static ndft_status add_point(const ndft_axes *a, const char *point, bool in_case, ndft_item *item,
                             char *text, ndft_error *err)
{
    for (size_t length; *point; point += length + (point[length] == ' ')) {
        length = strcspn(point, " ");
        const char *equals = memchr(point, '=', length);
        const size_t name = equals ? (size_t)(equals - point) : 0;
        const bool is_key =
            name && ndft_key_find(point, name) && !gives(a, a->case_start, point, name);
        if (in_case || is_key) {
            NDFT_TRY(append(text, NDFT_CASE_MAX, ' ', point, length, err));
            continue;
        }
        if (!equals || equals == point)
            return ndft_fail(err, NDFT_EINVAL, "%.*s: not knob=value", (int)length, point);
        NDFT_TRY(append(item->knobs, sizeof item->knobs, ',', point, length, err));
    }
    return NDFT_OK;
}

/* The case as written comes first, so that its text begins with OP DIM. */
static ndft_status make_item(const ndft_axes *a, const size_t *index, ndft_item *item,
                             ndft_error *err)
{
    char text[NDFT_CASE_MAX] = "";
    for (size_t i = a->case_start; i < a->end; i++)
        NDFT_TRY(add_point(a, a->axis[i].text[index[i]], true, item, text, err));
    for (size_t i = a->first; i < a->case_start; i++)
        NDFT_TRY(add_point(a, a->axis[i].text[index[i]], false, item, text, err));
    return ndft_case_parse(text, &item->problem, err);
}

/* Makes room for all points. */
static ndft_status reserve(ndft_suite *suite, const ndft_axes *a, ndft_error *err)
{
    if (suite->size + a->points > NDFT_POINTS_MAX)
        return ndft_fail(err, NDFT_EINVAL, "a suite has at most %d points", NDFT_POINTS_MAX);
    ndft_item *items = realloc(suite->items, (suite->size + a->points) * sizeof *items);
    if (!items) return ndft_fail(err, NDFT_ENOMEM, "no memory for %zu points", a->points);
    suite->items = items;
    return NDFT_OK;
}

/* Steps the last index; false after the last point. */
static bool step(const ndft_axes *a, size_t *index)
{
    for (size_t i = a->end; i-- > a->first;) {
        if (++index[i] < a->axis[i].size) return true;
        index[i] = 0;
    }
    return false;
}

static ndft_status add_items(ndft_suite *suite, const ndft_axes *a, const char *where,
                             ndft_error *err)
{
    NDFT_TRY(reserve(suite, a, err));
    size_t *index = calloc(a->end + 1, sizeof *index);
    if (!index) return ndft_fail(err, NDFT_ENOMEM, "no memory for %zu axes", a->end);
    ndft_status status;
    do {
        ndft_item *item = &suite->items[suite->size];
        memset(item, 0, sizeof *item);
        snprintf(item->variants, sizeof item->variants, "%s", a->variants);
        snprintf(item->where, sizeof item->where, "%s", where);
        status = make_item(a, index, item, err);
        if (status == NDFT_OK) suite->size++;
    } while (status == NDFT_OK && step(a, index));
    free(index);
    return status;
}

ndft_status ndft_suite_expand(ndft_suite *suite, const ndft_texts *words, const ndft_texts *sets,
                              const char *where, ndft_error *err)
{
    size_t before = suite->size;
    ndft_axes axes;
    ndft_error reason = {0};
    ndft_status status = axes_make(words, sets, &axes, &reason);
    if (status == NDFT_OK) status = add_items(suite, &axes, where, &reason);
    axes_free(&axes);
    if (status == NDFT_OK) return NDFT_OK;
    suite->size = before;
    return ndft_fail(err, status, "%.400s: %.500s", where, reason.message);
}
