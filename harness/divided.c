/* SPDX-License-Identifier: Apache-2.0 */
#include "divided.h"

#include "base/words.h"
#include "naming/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Knobs of a group. */
enum { GPUS, RANKS, CG, OF_GROUPS };
static const char *const names[OF_GROUPS] = {"gpus", "ranks", "cg"};

typedef struct knobs {
    bool given[OF_GROUPS];
    char value[OF_GROUPS][16];
    char rest[256]; /* of the engine */
} knobs;

static void take_knob(const char *knob, int length, knobs *k)
{
    const int named = (int)strcspn(knob, "=");
    for (int i = 0; i < OF_GROUPS; i++) {
        if (named != (int)strlen(names[i]) || strncmp(knob, names[i], (size_t)named)) continue;
        k->given[i] = true;
        snprintf(k->value[i], sizeof k->value[i], "%.*s", length - named - 1, knob + named + 1);
        return;
    }
    const size_t used = strlen(k->rest);
    snprintf(k->rest + used, sizeof k->rest - used, "%s%.*s", used ? "," : "", length, knob);
}

static void take_knobs(const char *text, knobs *k)
{
    *k = (knobs){.rest = ""};
    while (*text) {
        const int length = (int)strcspn(text, ",");
        take_knob(text, length, k);
        text += length + (text[length] != 0);
    }
}

/* How many devices there are is seen when the case is run. */
static ndft_status check_number(const knobs *k, int knob, ndft_error *err)
{
    static const int most_of[OF_GROUPS] = {NDFT_MOST_PARTS, NDFT_MOST_PARTS, 1000};
    uint64_t value = 0;
    if (!k->given[knob]) return NDFT_OK;
    const int most = most_of[knob], parsed = ndft_whole_parse(k->value[knob], &value);
    if (!parsed && value >= 1 && value <= (uint64_t)most) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%s=%s; 1 to %d%s, nearest: %d", names[knob], k->value[knob],
                     most, knob == CG ? "" : " devices", parsed > 0 || value > 1 ? most : 1);
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

static ndft_status choose(const ndft_item *item, const char *rest, ndft_divided *one,
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
                 *rest ? ":" : "", rest);
        return NDFT_OK;
    }
    NDFT_TRY(is_all(item, &m, &all, err));
    if (all && !*rest) return NDFT_OK;
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
            !strcmp(list->items[i].backend, one->backend) && list->items[i].cg == one->cg)
            return &list->items[i];
    return NULL;
}

static ndft_status add_number(char list[64], const char *knob, const char *number, ndft_error *err)
{
    const size_t used = strlen(list);
    int n = used > 0;
    for (size_t i = 0; i < used; i++) n += list[i] == ',';
    if (n == NDFT_MOST_NUMBERS)
        return ndft_fail(err, NDFT_EINVAL, "%s=%s is one more than %d numbers of devices", knob,
                         number, NDFT_MOST_NUMBERS);
    snprintf(list + used, 64 - used, "%s%s", used ? "," : "", number);
    return NDFT_OK;
}

static bool has_number(const char *list, const char *number)
{
    const size_t length = strlen(number);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == length && !strncmp(list, number, length)) return true;
    return false;
}

static ndft_status add(ndft_divided_list *list, const ndft_divided *one, const knobs *k,
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
    if (k->given[GPUS] && !has_number(known->gpus, k->value[GPUS]))
        NDFT_TRY(add_number(known->gpus, names[GPUS], k->value[GPUS], err));
    if (k->given[RANKS] && !has_number(known->ranks, k->value[RANKS]))
        NDFT_TRY(add_number(known->ranks, names[RANKS], k->value[RANKS], err));
    return NDFT_OK;
}

static ndft_status take(const ndft_item *item, const char *backend, ndft_divided_list *list,
                        bool *taken, ndft_error *err)
{
    knobs k;
    ndft_divided one = {.problem = item->problem};
    take_knobs(item->knobs, &k);
    *taken = k.given[GPUS] || k.given[RANKS];
    if (!*taken) return NDFT_OK;
    for (int i = 0; i < OF_GROUPS; i++) NDFT_TRY(check_number(&k, i, err));
    one.cg = k.given[CG] ? atoi(k.value[CG]) : 0;
    ndft_case_print(&item->problem, one.text, sizeof one.text);
    NDFT_TRY(choose(item, k.rest, &one, err));
    if (backend && *one.backend && strcmp(backend, one.backend)) return NDFT_OK;
    if (backend) snprintf(one.backend, sizeof one.backend, "%s", backend);
    return add(list, &one, &k, err);
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
