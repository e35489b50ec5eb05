/* SPDX-License-Identifier: Apache-2.0 */
#include "divided.h"

#include "base/words.h"
#include "naming/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of gpus among the knobs, which are left without it; false: there is none. */
static bool take_number(const char *knobs, char number[16], char rest[256])
{
    bool found = false;
    *rest = 0;
    while (*knobs) {
        const int length = (int)strcspn(knobs, ",");
        if (!strncmp(knobs, "gpus=", 5)) {
            snprintf(number, 16, "%.*s", length - 5 < 15 ? length - 5 : 15, knobs + 5);
            found = true;
        } else {
            snprintf(rest + strlen(rest), 256 - strlen(rest), "%s%.*s", *rest ? "," : "", length,
                     knobs);
        }
        knobs += length + (knobs[length] != 0);
    }
    return found;
}

/* How many devices there are is seen when the case is run. */
static ndft_status check_number(const char *number, ndft_error *err)
{
    uint64_t value = 0;
    const int parsed = ndft_whole_parse(number, &value);
    if (!parsed && value >= 1 && value <= NDFT_MOST_PARTS) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "gpus=%s; 1 to %d devices, nearest: %d", number,
                     NDFT_MOST_PARTS, parsed > 0 || value > 1 ? NDFT_MOST_PARTS : 1);
}

/* What an expression matches among the variants of a kind. */
typedef struct matched {
    const ndft_registered *last;
    int n;
    bool several; /* of more than one backend */
} matched;

static ndft_status match(const ndft_item *item, matched *m, ndft_error *err)
{
    ndft_filter filter;
    *m = (matched){0};
    NDFT_TRY(ndft_filter_open(item->variants, &filter, err));
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (entry->kind != item->problem.kind || !ndft_filter_match(&filter, entry)) continue;
        m->n++;
        m->several |= m->last && strcmp(m->last->backend, entry->backend) != 0;
        m->last = entry;
    }
    ndft_filter_close(&filter);
    return NDFT_OK;
}

/* Whether it matches as many as .* of the same backend, or of all, does. */
static ndft_status is_all(const ndft_item *item, const matched *m, bool *all, ndft_error *err)
{
    ndft_item every = *item;
    matched those;
    snprintf(every.variants, sizeof every.variants, m->several ? ".*" : ".*[.]%s",
             m->last->backend);
    NDFT_TRY(match(&every, &those, err));
    *all = those.n == m->n;
    return NDFT_OK;
}

static ndft_status choose(const ndft_item *item, const char *knobs, ndft_divided *one,
                          ndft_error *err)
{
    matched m;
    bool all;
    NDFT_TRY(match(item, &m, err));
    if (!m.n)
        return ndft_fail(err, NDFT_EINVAL, "no variant of '%s' serves these cases", item->variants);
    if (!m.several) snprintf(one->backend, sizeof one->backend, "%s", m.last->backend);
    if (m.n == 1) {
        snprintf(one->variant, sizeof one->variant, "%s.%s%s%.200s", m.last->name, m.last->backend,
                 *knobs ? ":" : "", knobs);
        return NDFT_OK;
    }
    NDFT_TRY(is_all(item, &m, &all, err));
    if (all && !*knobs) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "gpus= is of one engine, with its knobs, or of all without: '%s' matches %d; "
                     "nearest: .*[.]%s, or %s[.]%s",
                     item->variants, m.n, m.last->backend, m.last->name, m.last->backend);
}

static ndft_divided *find(const ndft_divided_list *list, const ndft_divided *one)
{
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->items[i].text, one->text) &&
            !strcmp(list->items[i].variant, one->variant) &&
            !strcmp(list->items[i].backend, one->backend))
            return &list->items[i];
    return NULL;
}

static ndft_status add(ndft_divided_list *list, const ndft_divided *one, const char *number,
                       ndft_error *err)
{
    ndft_divided *known = find(list, one);
    if (!known) {
        ndft_divided *items = realloc(list->items, (size_t)(list->n + 1) * sizeof *items);
        if (!items) return ndft_fail(err, NDFT_ENOMEM, "no memory for the plan of work");
        list->items = items;
        known = &items[list->n++];
        *known = *one;
    }
    const size_t used = strlen(known->numbers);
    int n = used > 0;
    for (size_t i = 0; i < used; i++) n += known->numbers[i] == ',';
    if (n == NDFT_MOST_NUMBERS)
        return ndft_fail(err, NDFT_EINVAL, "gpus=%s is one more than %d numbers of devices", number,
                         NDFT_MOST_NUMBERS);
    snprintf(known->numbers + used, sizeof known->numbers - used, "%s%s", used ? "," : "", number);
    return NDFT_OK;
}

static ndft_status take(const ndft_item *item, const char *backend, ndft_divided_list *list,
                        bool *taken, ndft_error *err)
{
    char number[16], rest[256];
    ndft_divided one = {.problem = item->problem};
    *taken = take_number(item->knobs, number, rest);
    if (!*taken) return NDFT_OK;
    NDFT_TRY(check_number(number, err));
    ndft_case_print(&item->problem, one.text, sizeof one.text);
    NDFT_TRY(choose(item, rest, &one, err));
    if (backend && *one.backend && strcmp(backend, one.backend)) return NDFT_OK;
    if (backend) snprintf(one.backend, sizeof one.backend, "%s", backend);
    return add(list, &one, number, err);
}

ndft_status ndft_divided_take(ndft_suite *suite, const char *backend, ndft_divided_list *list,
                              ndft_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < suite->size; i++) {
        ndft_error why;
        bool taken;
        const ndft_status status = take(&suite->items[i], backend, list, &taken, &why);
        if (status != NDFT_OK)
            return ndft_fail(err, status, "%s: %.700s", suite->items[i].where, why.message);
        if (!taken) suite->items[kept++] = suite->items[i];
    }
    suite->size = kept;
    return NDFT_OK;
}

void ndft_divided_free(ndft_divided_list *list)
{
    free(list->items);
    *list = (ndft_divided_list){0};
}
