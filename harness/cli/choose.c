/* SPDX-License-Identifier: Apache-2.0 */
#include "choose.h"

#include "base/memo.h"
#include "base/text.h"
#include "estimate.h"
#include "isolate/isolate.h"
#include "measure_choice.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ndft_is_best(const char *variants) { return variants && !strcmp(variants, "best"); }

/* What is asked, and what was found. */
typedef struct inquiry {
    const ndft_kind *kind;
    const ndft_problem *p;
    ndft_op op;
    const ndft_device *device;
    bool deterministic;
    ndft_ranked *ranked; /* all that serve */
    int n;
    ndft_ranked taken;
    ndft_promise promise;
} inquiry;

static json_t *amounts_of(const inquiry *q, const ndft_candidate *c)
{
    double amount[NDFT_MODEL_TERMS];
    json_t *amounts = json_object();
    ndft_estimate_amounts(c, q->p, q->op, q->device, amount);
    for (int term = 0; term < NDFT_MODEL_TERMS; term++)
        if (amount[term] > 0)
            json_object_set_new(amounts, ndft_model_term(term), json_real(amount[term]));
    return amounts;
}

/* Of each setting of an engine that serves, by id, what it declares and what it is estimated to
 * take. */
static void add_settings(const inquiry *q, const ndft_registered *entry, json_t *amounts,
                         json_t *seconds)
{
    ndft_candidate settings[NDFT_MOST_SETTINGS];
    const int n = ndft_settings(entry, q->deterministic, settings);
    for (int i = 0; i < n; i++) {
        char id[NDFT_ID_MAX];
        ndft_error why = {.status = NDFT_OK};
        if (!ndft_serves(&settings[i], q->p, q->op, q->device, q->deterministic, &why)) continue;
        ndft_id_print(&settings[i], id, sizeof id);
        json_object_set_new(amounts, id, amounts_of(q, &settings[i]));
        json_object_set_new(seconds, id,
                            json_real(ndft_estimate_all(&settings[i], q->p, q->op, q->device)));
    }
}

static json_t *serving(const inquiry *q)
{
    json_t *all = json_array();
    for (int i = 0; i < q->n; i++) {
        char id[NDFT_ID_MAX];
        const ndft_candidate *c = &q->ranked[i].candidate;
        ndft_id_print(c, id, sizeof id);
        const double least = ndft_estimate_least(c, q->p, q->op, q->device);
        json_t *amounts = json_object(), *seconds = json_object();
        add_settings(q, c->entry, amounts, seconds);
        json_array_append_new(all, json_pack("{s:s, s:f, s:f, s:o, s:o}", "variant", id,
                                             "estimated_s", q->ranked[i].seconds, "at_least_s",
                                             least, "amounts", amounts, "settings_s", seconds));
    }
    return all;
}

static bool is_ranked(const inquiry *q, const ndft_registered *entry)
{
    for (int i = 0; i < q->n; i++)
        if (q->ranked[i].candidate.entry == entry) return true;
    return false;
}

static json_t *passed_over(const inquiry *q)
{
    json_t *all = json_array();
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        const ndft_candidate c = ndft_candidate_of(entry);
        ndft_error why = {.status = NDFT_OK};
        char id[NDFT_ID_MAX];
        if (!ndft_may_be_chosen(entry, q->kind->problems, q->device) || is_ranked(q, entry))
            continue;
        (void)ndft_serves(&c, q->p, q->op, q->device, q->deterministic, &why);
        ndft_id_print(&c, id, sizeof id);
        json_array_append_new(all, json_pack("{s:s, s:s}", "variant", id, "why", why.message));
    }
    return all;
}

/* The fastest by estimate of those that were not taken. */
static void say_next(ndft_text *text, const inquiry *q)
{
    char id[NDFT_ID_MAX], time[NDFT_SHOWN];
    const bool first = q->ranked[0].candidate.entry == q->taken.candidate.entry;
    if (q->n <= first) return;
    const ndft_ranked *next = &q->ranked[first];
    ndft_id_print_short(&next->candidate, id, sizeof id);
    ndft_text_add(text, "; next by estimate %s, %s", id, ndft_show_seconds(next->seconds, time));
}

static void say(const inquiry *q, size_t passed, ndft_chosen *c)
{
    char id[NDFT_ID_MAX], time[NDFT_SHOWN], typical[NDFT_SHOWN], any[NDFT_SHOWN];
    ndft_text text = ndft_text_in(c->text, sizeof c->text);
    ndft_id_print_short(&q->taken.candidate, id, sizeof id);
    ndft_text_add(&text, "%s, %s: %s, errors promised %s of white data and %s of any", id,
                  q->taken.why, ndft_show_seconds(q->taken.seconds, time),
                  ndft_show_error(q->promise.typical, typical),
                  ndft_show_error(q->promise.any, any));
    say_next(&text, q);
    if (q->deterministic)
        ndft_text_add(&text, "; being deterministic costs %.0f %% by estimate",
                      100 * ndft_price(&q->taken.candidate, q->p, q->op, q->device) - 100);
    ndft_text_add(&text, "; %d serve, %zu passed over", q->n, passed);
}

static void take(const inquiry *q, ndft_chosen *c)
{
    char id[NDFT_ID_MAX];
    json_t *over = passed_over(q);
    c->candidate = q->taken.candidate;
    ndft_id_print(&c->candidate, id, sizeof id);
    say(q, json_array_size(over), c);
    c->facts =
        json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:s, s:o, s:o}", "device", q->device->slug,
                  "backend", q->device->backend, "variant", id, "why", q->taken.why, "seconds",
                  q->taken.seconds, "typical", q->promise.typical, "any", q->promise.any, "text",
                  c->text, "serve", serving(q), "passed_over", over);
}

void ndft_choose_on(const ndft_device *device, const ndft_kind *kind, ndft_made *made, ndft_op op,
                    bool deterministic, ndft_chosen *c)
{
    ndft_error err = {.status = NDFT_OK};
    const ndft_problem *p = &made->problem;
    inquiry q = {.kind = kind, .p = p, .op = op, .device = device, .deterministic = deterministic};
    made->problem.memo = ndft_memo_create(); /* engines ask the same */
    *c = (ndft_chosen){.device = *device};
    q.n = ndft_rank(kind->problems, p, op, device, deterministic, &q.ranked, &err);
    if (q.n) {
        if (!ndft_known(kind->problems, p, op, device, deterministic, &q.taken))
            q.taken = q.ranked[0];
        q.promise = ndft_claim_of(kind, &q.taken.candidate, p, op);
        take(&q, c);
    } else {
        snprintf(c->text, sizeof c->text, "%s", err.message);
        c->facts = json_pack("{s:s, s:s, s:n, s:s, s:[], s:o}", "device", device->slug, "backend",
                             device->backend, "variant", "text", c->text, "serve", "passed_over",
                             passed_over(&q));
    }
    free(q.ranked);
    ndft_memo_destroy(made->problem.memo);
    made->problem.memo = NULL;
}

void ndft_chosen_free(ndft_chosen *chosen, int n)
{
    for (int i = 0; i < n; i++) json_decref(chosen[i].facts);
}

/* Describes the devices, in other processes, so that none is opened here. */
static ndft_status describe(const char *backend, ndft_device devices[NDFT_MAX_CHOSEN], int *n,
                            ndft_error *err)
{
    ndft_isolate *isolate;
    NDFT_TRY(ndft_backend_check(backend, err));
    NDFT_TRY(ndft_isolate_open(&ndft_isolate_defaults, &isolate, err));
    ndft_status status = NDFT_OK;
    *n = 0;
    for (const ndft_backend *const *b = ndft_backends; *b && status == NDFT_OK; b++) {
        if ((*b)->missing() || (backend && strcmp(backend, (*b)->name))) continue;
        status = ndft_isolate_describe(isolate, *b, &devices[(*n)++], err);
    }
    ndft_isolate_close(isolate);
    if (status != NDFT_OK || *n) return status;
    return ndft_fail(err, NDFT_EDEVICE, "no device of backend '%s' is here",
                     backend ? backend : "any");
}

static ndft_status choose_made(const ndft_case *c, ndft_made *made, const ndft_choosing *how,
                               const ndft_device *device, ndft_chosen *chosen, ndft_error *err)
{
    const ndft_kind *kind = ndft_kind_of(c);
    if (how->mode) NDFT_TRY(ndft_measure_choice(kind, made, c->op, device->backend, how, err));
    ndft_choose_on(device, kind, made, c->op, how->deterministic, chosen);
    return NDFT_OK;
}

ndft_status ndft_choose(const ndft_case *c, const ndft_choosing *how,
                        ndft_chosen chosen[NDFT_MAX_CHOSEN], int *n, ndft_error *err)
{
    ndft_made made;
    ndft_device devices[NDFT_MAX_CHOSEN];
    int here;
    *n = 0;
    NDFT_TRY(describe(how->backend, devices, &here, err));
    NDFT_TRY(ndft_kind_of(c)->make(c, &made, err));
    ndft_load_wisdom();
    ndft_status status = NDFT_OK;
    while (*n < here && status == NDFT_OK) {
        status = choose_made(c, &made, how, &devices[*n], &chosen[*n], err);
        *n += status == NDFT_OK;
    }
    ndft_made_free(&made);
    if (status != NDFT_OK) ndft_chosen_free(chosen, *n);
    return status;
}

ndft_status ndft_choose_one(const ndft_case *c, ndft_candidate *candidate, ndft_error *err)
{
    ndft_chosen chosen[NDFT_MAX_CHOSEN];
    int n;
    NDFT_TRY(ndft_choose(c, &(ndft_choosing){0}, chosen, &n, err));
    int last = n - 1;
    while (last > 0 && !chosen[last].candidate.entry) last--;
    *candidate = chosen[last].candidate;
    if (candidate->entry)
        printf("best on %s: %s\n", chosen[last].device.slug, chosen[last].text);
    else
        ndft_fail(err, NDFT_EUNSUPPORTED, "%.900s", chosen[last].text);
    ndft_chosen_free(chosen, n);
    return candidate->entry ? NDFT_OK : NDFT_EUNSUPPORTED;
}
