/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include "base/words.h"
#include "naming/filter.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status no_memory(ndft_error *err)
{
    return ndft_fail(err, NDFT_ENOMEM, "no memory for the plan of work");
}

/* A plan of work in the making. Where a group or a candidate has its place is looked up by its
 * text, since a suite has a hundred thousand points. */
typedef struct planner {
    ndft_workload *load;
    const ndft_wanted *wanted;
    json_t *groups;     /* their places, by mode, backend and case */
    json_t *candidates; /* those planned, by place of the group and id */
    const char *expression;
    const ndft_registered **matches; /* of the expression; n of them */
    int n;
    ndft_error *err;
} planner;

static ndft_status begin(planner *p)
{
    p->groups = json_object();
    p->candidates = json_object();
    p->matches = calloc((size_t)ndft_registry_size, sizeof(ndft_registered *));
    return p->groups && p->candidates && p->matches ? NDFT_OK : no_memory(p->err);
}

static void end(planner *p)
{
    json_decref(p->groups);
    json_decref(p->candidates);
    free(p->matches);
}

/* Room for one more in an array whose room doubles: one of power-of-two size is full. */
static void *grow(void *array, int size, size_t item)
{
    if (size & (size - 1)) return array;
    return realloc(array, (size ? 2 * (size_t)size : 1) * item);
}

static ndft_work *add_group(planner *p, const ndft_case *problem, const char *text,
                            const ndft_backend *backend, ndft_mode mode)
{
    ndft_workload *load = p->load;
    ndft_work *items = grow(load->items, load->size, sizeof *items);
    if (!items) return NULL;
    load->items = items;
    items[load->size] =
        (ndft_work){.problem = *problem, .text = strdup(text), .backend = backend, .mode = mode};
    return items[load->size].text ? &items[load->size++] : NULL;
}

/* The group of this case, backend and mode, new when there is none. */
static ndft_work *find_group(planner *p, const ndft_case *problem, const char *text,
                             const ndft_backend *backend, ndft_mode mode)
{
    char key[NDFT_CASE_MAX + 32];
    snprintf(key, sizeof key, "%d %s %s", (int)mode, backend->name, text);
    const json_t *place = json_object_get(p->groups, key);
    if (place) return &p->load->items[json_integer_value(place)];
    if (json_object_set_new(p->groups, key, json_integer(p->load->size))) return NULL;
    return add_group(p, problem, text, backend, mode);
}

/* Whether it is planned already; from now on it is. */
static bool is_planned(planner *p, const ndft_work *work, const char *id)
{
    char key[NDFT_ID_MAX + 16];
    snprintf(key, sizeof key, "%d %s", (int)(work - p->load->items), id);
    return json_object_get(p->candidates, key) ||
           json_object_set_new(p->candidates, key, json_true());
}

static ndft_status add_candidate(planner *p, const ndft_case *problem, const char *text,
                                 const ndft_candidate *candidate, ndft_mode mode)
{
    const ndft_backend *backend = ndft_backend_find(candidate->entry->backend);
    ndft_work *work = find_group(p, problem, text, backend, mode);
    if (!work) return no_memory(p->err);
    char id[NDFT_ID_MAX];
    int width = ndft_id_print(candidate, id, sizeof id);
    if (is_planned(p, work, id)) return NDFT_OK;
    ndft_candidate *all = grow(work->candidates, work->n, sizeof *all);
    if (!all) return no_memory(p->err);
    work->candidates = all;
    all[work->n++] = *candidate;
    if (width > p->load->id_width) p->load->id_width = width;
    p->load->candidates++;
    return NDFT_OK;
}

static ndft_status add_in_modes(planner *p, const ndft_case *problem, const char *text,
                                const ndft_candidate *candidate)
{
    unsigned modes = p->wanted->modes ? p->wanted->modes : 1u << NDFT_BATCH;
    for (int mode = 0; mode < NDFT_N_MODES; mode++)
        if (modes >> mode & 1)
            NDFT_TRY(add_candidate(p, problem, text, candidate, (ndft_mode)mode));
    return NDFT_OK;
}

static ndft_status add_matches(planner *p, const ndft_item *item)
{
    char text[NDFT_CASE_MAX];
    const ndft_registered *refused = NULL;
    int taken = 0, served = 0;
    ndft_case_print(&item->problem, text, sizeof text);
    for (int i = 0; i < p->n; i++) {
        const ndft_registered *entry = p->matches[i];
        if (entry->kind != item->problem.kind) continue;
        served++;
        if (p->wanted->backend && strcmp(p->wanted->backend, entry->backend)) continue;
        ndft_candidate candidate = ndft_candidate_of(entry);
        if (entry->variant && !ndft_knobs_known(entry, item->knobs)) {
            if (!refused || !refused->variant->n_knobs) refused = entry;
            continue;
        }
        if (entry->variant) NDFT_TRY(ndft_knobs_parse(&candidate, item->knobs, p->err));
        NDFT_TRY(add_in_modes(p, &item->problem, text, &candidate));
        taken++;
    }
    if (!served)
        return ndft_fail(p->err, NDFT_EINVAL, "no variant of '%s' serves %s cases", item->variants,
                         ndft_kind_of(&item->problem)->name);
    if (taken || !refused) return NDFT_OK;
    ndft_candidate candidate = ndft_candidate_of(refused);
    return ndft_knobs_parse(&candidate, item->knobs, p->err);
}

/* Finds what an expression matches; neighbours mostly have the same one. */
static ndft_status match(planner *p, const char *expression)
{
    ndft_filter filter;
    if (p->expression && !strcmp(p->expression, expression)) return NDFT_OK;
    NDFT_TRY(ndft_filter_open(expression, &filter, p->err));
    p->expression = expression;
    p->n = 0;
    for (int i = 0; i < ndft_registry_size; i++)
        if (ndft_filter_match(&filter, &ndft_registry[i])) p->matches[p->n++] = &ndft_registry[i];
    ndft_filter_close(&filter);
    return NDFT_OK;
}

static ndft_status add_item(planner *p, const ndft_item *item)
{
    if (p->wanted->interrupted && *p->wanted->interrupted)
        return ndft_fail(p->err, NDFT_EINTR, "interrupted");
    NDFT_TRY(match(p, item->variants));
    return add_matches(p, item);
}

ndft_status ndft_backend_check(const char *backend, ndft_error *err)
{
    const char *names[8] = {NULL};
    if (!backend || ndft_backend_find(backend)) return NDFT_OK;
    for (int i = 0; ndft_backends[i]; i++) names[i] = ndft_backends[i]->name;
    return ndft_fail(err, NDFT_EINVAL, "there is no backend '%s'; nearest: %s", backend,
                     ndft_nearest(backend, names));
}

/* Puts the item's place in a file before the message. */
static ndft_status at(const ndft_item *item, ndft_status status, ndft_error *err)
{
    if (status == NDFT_OK || status == NDFT_EINTR || !item->where[0]) return status;
    char message[sizeof err->message];
    memcpy(message, err->message, sizeof message);
    return ndft_fail(err, status, "%s: %.700s", item->where, message);
}

ndft_status ndft_work_plan(const ndft_item *items, size_t n, const ndft_wanted *wanted,
                           ndft_workload *load, ndft_error *err)
{
    *load = (ndft_workload){0};
    NDFT_TRY(ndft_backend_check(wanted->backend, err));
    planner p = {.load = load, .wanted = wanted, .err = err};
    ndft_status status = begin(&p);
    for (size_t i = 0; i < n && status == NDFT_OK; i++)
        status = at(&items[i], add_item(&p, &items[i]), err);
    end(&p);
    if (status != NDFT_OK) {
        ndft_work_free(load);
        return status;
    }
    if (!n || load->size) return NDFT_OK;
    const char *kind = ndft_kind_of(&items->problem)->name;
    return at(items,
              ndft_fail(err, NDFT_EINVAL, "no variant of '%s' for %s cases is on %s",
                        items->variants, kind, wanted->backend),
              err);
}

ndft_status ndft_work_read(const char *path, const char *line, const ndft_wanted *wanted,
                           ndft_workload *load, ndft_error *err)
{
    ndft_suite suite = {0};
    ndft_status status =
        line ? ndft_suite_add(&suite, line, "--case", err) : ndft_suite_read(path, &suite, err);
    if (status == NDFT_OK && !suite.size)
        status = ndft_fail(err, NDFT_EINVAL, "%s holds no case", line ? "--case" : path);
    ndft_divided_list divided = {0};
    if (status == NDFT_OK) status = ndft_divided_take(&suite, wanted->backend, &divided, err);
    if (status == NDFT_OK) status = ndft_work_plan(suite.items, suite.size, wanted, load, err);
    ndft_suite_free(&suite);
    if (status == NDFT_OK)
        load->divided = divided;
    else
        ndft_divided_free(&divided);
    return status;
}

void ndft_work_free(ndft_workload *load)
{
    for (int i = 0; i < load->size; i++) {
        free(load->items[i].candidates);
        free(load->items[i].text);
    }
    free(load->items);
    ndft_divided_free(&load->divided);
    *load = (ndft_workload){0};
}

long long ndft_workload_seed(const ndft_workload *load)
{
    const ndft_divided_list *divided = &load->divided;
    const uint64_t seed = load->size ? load->items[0].problem.seed : divided->items[0].problem.seed;
    for (int i = 0; i < load->size; i++)
        if (load->items[i].problem.seed != seed) return -1;
    for (int i = 0; i < divided->n; i++)
        if (divided->items[i].problem.seed != seed) return -1;
    return (long long)seed;
}
