/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include "filter.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndft_status no_memory(ndft_error *err)
{
    return ndft_fail(err, NDFT_ENOMEM, "no memory for the plan of work");
}

/* The group of this case, backend and mode, new when there is none. */
static ndft_work *find_work(ndft_workload *load, const ndft_case *problem,
                            const ndft_backend *backend, ndft_mode mode)
{
    char text[NDFT_CASE_MAX];
    ndft_case_print(problem, text, sizeof text);
    for (int i = 0; i < load->size; i++)
        if (load->items[i].backend == backend && load->items[i].mode == mode &&
            !strcmp(load->items[i].text, text))
            return &load->items[i];
    ndft_work *items = realloc(load->items, (size_t)(load->size + 1) * sizeof *items);
    if (!items) return NULL;
    load->items = items;
    items[load->size] =
        (ndft_work){.problem = *problem, .text = strdup(text), .backend = backend, .mode = mode};
    return items[load->size].text ? &items[load->size++] : NULL;
}

static ndft_status add_candidate(ndft_workload *load, const ndft_case *problem,
                                 const ndft_candidate *candidate, ndft_mode mode, ndft_error *err)
{
    ndft_work *work = find_work(load, problem, ndft_backend_find(candidate->entry->backend), mode);
    if (!work) return no_memory(err);
    for (int i = 0; i < work->n; i++)
        if (!memcmp(&work->candidates[i], candidate, sizeof *candidate)) return NDFT_OK;
    ndft_candidate *all = realloc(work->candidates, (size_t)(work->n + 1) * sizeof *all);
    if (!all) return no_memory(err);
    work->candidates = all;
    all[work->n++] = *candidate;
    int width = ndft_id_print(candidate, NULL, 0);
    if (width > load->id_width) load->id_width = width;
    load->candidates++;
    return NDFT_OK;
}

static ndft_status add_in_modes(ndft_workload *load, const ndft_case *problem,
                                const ndft_candidate *candidate, unsigned modes, ndft_error *err)
{
    for (int mode = 0; mode < NDFT_N_MODES; mode++)
        if (modes >> mode & 1)
            NDFT_TRY(add_candidate(load, problem, candidate, (ndft_mode)mode, err));
    return NDFT_OK;
}

static ndft_status add_matches(ndft_workload *load, const ndft_item *item,
                               const ndft_filter *filter, const ndft_wanted *wanted,
                               ndft_error *err)
{
    const ndft_registered *refused = NULL;
    int taken = 0, served = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (entry->kind != item->problem.kind || !ndft_filter_match(filter, entry)) continue;
        served++;
        if (wanted->backend && strcmp(wanted->backend, entry->backend)) continue;
        ndft_candidate candidate = ndft_candidate_of(entry);
        if (entry->variant && !ndft_knobs_known(entry, item->knobs)) {
            if (!refused || !refused->variant->n_knobs) refused = entry;
            continue;
        }
        if (entry->variant) NDFT_TRY(ndft_knobs_parse(&candidate, item->knobs, err));
        NDFT_TRY(add_in_modes(load, &item->problem, &candidate,
                              wanted->modes ? wanted->modes : 1u << NDFT_BATCH, err));
        taken++;
    }
    if (!served)
        return ndft_fail(err, NDFT_EINVAL, "no variant of '%s' serves %s cases", item->variants,
                         ndft_kind_of(&item->problem)->name);
    if (taken || !refused) return NDFT_OK;
    ndft_candidate candidate = ndft_candidate_of(refused);
    return ndft_knobs_parse(&candidate, item->knobs, err);
}

static ndft_status check_backend(const char *backend, ndft_error *err)
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
    if (status == NDFT_OK || !item->where[0]) return status;
    char message[sizeof err->message];
    memcpy(message, err->message, sizeof message);
    return ndft_fail(err, status, "%s: %.700s", item->where, message);
}

ndft_status ndft_work_plan(const ndft_item *items, size_t n, const ndft_wanted *wanted,
                           ndft_workload *load, ndft_error *err)
{
    *load = (ndft_workload){0};
    NDFT_TRY(check_backend(wanted->backend, err));
    for (size_t i = 0; i < n; i++) {
        ndft_filter filter;
        ndft_status status = ndft_filter_open(items[i].variants, &filter, err);
        if (status == NDFT_OK) {
            status = add_matches(load, &items[i], &filter, wanted, err);
            ndft_filter_close(&filter);
        }
        if (status == NDFT_OK) continue;
        ndft_work_free(load);
        return at(&items[i], status, err);
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
    if (status == NDFT_OK) status = ndft_work_plan(suite.items, suite.size, wanted, load, err);
    ndft_suite_free(&suite);
    return status;
}

void ndft_work_free(ndft_workload *load)
{
    for (int i = 0; i < load->size; i++) {
        free(load->items[i].candidates);
        free(load->items[i].text);
    }
    free(load->items);
    *load = (ndft_workload){0};
}
