/* SPDX-License-Identifier: Apache-2.0 */
#include "suite_line.h"

#include "case_keys.h"
#include "expand.h"
#include "suite_axes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static ndft_status add_point(const char *point, bool in_case, ndft_item *item, char *text,
                             ndft_error *err)
{
    for (size_t length; *point; point += length + (point[length] == ' ')) {
        length = strcspn(point, " ");
        const char *equals = memchr(point, '=', length);
        if (in_case || (equals && ndft_key_find(point, (size_t)(equals - point)))) {
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
        NDFT_TRY(add_point(a->axis[i].text[index[i]], true, item, text, err));
    for (size_t i = a->first; i < a->case_start; i++)
        NDFT_TRY(add_point(a->axis[i].text[index[i]], false, item, text, err));
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
    ndft_status status = ndft_axes_make(words, sets, &axes, &reason);
    if (status == NDFT_OK) status = add_items(suite, &axes, where, &reason);
    ndft_axes_free(&axes);
    if (status == NDFT_OK) return NDFT_OK;
    suite->size = before;
    return ndft_fail(err, status, "%.400s: %.500s", where, reason.message);
}
