/* SPDX-License-Identifier: Apache-2.0 */
#include "tune.h"

#include "base/now.h"
#include "naming/peer.h"
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_usable(const ndft_work *work)
{
    for (int c = 0; c < work->n && !work->backend->missing(); c++)
        if (!ndft_not_built(work->candidates[c].entry)) return true;
    return false;
}

ndft_status ndft_tune_begin(ndft_tune *t, const ndft_workload *load,
                            const ndft_isolate_options *how, ndft_error *err)
{
    bool usable = false;
    t->load = load;
    t->session.run.seed = ndft_workload_seed(load);
    t->searches = calloc((size_t)load->candidates, sizeof *t->searches);
    ndft_run_begin(&t->session.run);
    if (!t->searches) return ndft_fail(err, NDFT_ENOMEM, "no memory for a search");
    NDFT_TRY(ndft_session_open(&t->session, how, err));
    ndft_isolate_options several = *how;
    several.processes = t->processes;
    if (t->processes > 1) NDFT_TRY(ndft_isolate_open(&several, &t->confirmer, err));
    for (int i = 0; i < load->size; i++) {
        NDFT_TRY(ndft_session_describe(&t->session, load->items[i].backend, err));
        usable |= is_usable(&load->items[i]);
    }
    return usable ? NDFT_OK
                  : ndft_fail(err, NDFT_EUNSUPPORTED, "no variant that could be tuned is usable");
}

static void end_searches(ndft_tune *t)
{
    for (int i = 0; i < t->n; i++) ndft_search_end(&t->searches[i]);
    t->n = t->ended = t->n_works = 0;
}

void ndft_tune_end(ndft_tune *t)
{
    end_searches(t);
    free(t->searches);
    ndft_session_close(&t->session);
    ndft_isolate_close(t->confirmer);
}

static bool alike(const ndft_work *a, const ndft_work *b)
{
    return a->mode == b->mode && !strcmp(a->text, b->text);
}

/* Whether a case in a mode was taken up with a backend before. */
static bool was_taken_up(const ndft_tune *t, const ndft_work *work)
{
    for (const ndft_work *before = t->load->items; before < work; before++)
        if (is_usable(before) && alike(before, work)) return true;
    return false;
}

static void begin_searches(ndft_tune *t, const ndft_work *work)
{
    t->works[t->n_works++] = work;
    for (int c = 0; c < work->n; c++) {
        const ndft_registered *entry = work->candidates[c].entry;
        if (ndft_not_built(entry)) continue;
        const ndft_candidate presets = ndft_candidate_of(entry);
        ndft_search_begin(&t->searches[t->n++], &presets);
    }
}

/* Takes up a case in a mode, on every backend that is there. */
static void take_up(ndft_tune *t, const ndft_work *first)
{
    const ndft_work *end = t->load->items + t->load->size;
    end_searches(t);
    t->start = ndft_now_s();
    for (const ndft_work *w = first; w < end && t->n_works < NDFT_TUNED_BACKENDS; w++)
        if (is_usable(w) && alike(w, first)) begin_searches(t, w);
}

static ndft_status learn(ndft_tune *t, const json_t *record, ndft_error *err)
{
    const ndft_verdict verdict = ndft_verdict_find(ndft_field_text(record, "verdict"));
    const bool passed = verdict == NDFT_PASS;
    ndft_setting setting = {.seconds = passed ? ndft_field_number(record, "median_s") : NAN,
                            .failed = !passed && verdict != NDFT_UNSUPPORTED};
    NDFT_TRY(ndft_id_parse(ndft_field_text(record, "variant"), &setting.candidate, err));
    for (int i = 0; i < t->n; i++)
        if (t->searches[i].entry == setting.candidate.entry)
            return ndft_search_take(&t->searches[i], &setting, err);
    return NDFT_OK;
}

static bool take(void *context, json_t *record)
{
    ndft_tune *t = context;
    char text[NDFT_SHOWN];
    ndft_verdict verdict = ndft_verdict_find(ndft_field_text(record, "verdict"));
    if (!ndft_session_keep(&t->session, record)) return false;
    if (learn(t, record, &t->session.lost) != NDFT_OK) return false;
    fprintf(stderr, "%10s  %s%s%s\n",
            verdict == NDFT_PASS ? ndft_show_seconds(ndft_field_number(record, "median_s"), text)
                                 : ndft_verdict_name(verdict),
            ndft_field_text(record, "variant"), verdict == NDFT_PASS ? "" : ": ",
            ndft_field_text(record, "reason"));
    return true;
}

static const ndft_work *work_of(const ndft_tune *t, const ndft_registered *entry)
{
    for (int i = 0; i < t->n_works; i++)
        if (!strcmp(t->works[i]->backend->name, entry->backend)) return t->works[i];
    return NULL;
}

static ndft_status try_all(ndft_tune *t, const ndft_work *work, const ndft_candidate *all, int n,
                           ndft_error *err)
{
    return ndft_session_run(&t->session, t->session.isolate, work, all, n,
                            &(ndft_record_sink){take, t}, err);
}

static bool beside_peers(const ndft_tune *t)
{
    for (int i = 0; i < t->n; i++)
        if (ndft_peer_entry(t->searches[i].entry)) return true;
    return false;
}

/* Until when search i may try settings. The fastest first take what they need; beside a peer all
 * have the same share, and what one leaves goes to those after it. */
static double end_of(const ndft_tune *t, int i)
{
    const double end = t->start + t->time_s, now = ndft_now_s();
    return beside_peers(t) ? now + (end - now) / (t->n - i) : end;
}

static ndft_status search(ndft_tune *t, ndft_search *s, double end, ndft_error *err)
{
    ndft_candidate next[NDFT_SEARCH_STEP];
    for (int n; (n = ndft_search_next(s, next));) {
        if (ndft_now_s() > end) return NDFT_OK;
        int before = s->n;
        NDFT_TRY(try_all(t, work_of(t, s->entry), next, n, err));
        if (s->n == before)
            return ndft_fail(err, NDFT_EDEVICE, "%s.%s: settings came back without a record",
                             s->entry->name, s->entry->backend);
    }
    t->ended++;
    return NDFT_OK;
}

/* Fastest first; what has not passed with its preset comes last. */
static int by_seconds(const void *a, const void *b)
{
    double x = ((const ndft_search *)a)->best.seconds, y = ((const ndft_search *)b)->best.seconds;
    if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

static ndft_status search_all(ndft_tune *t, ndft_error *err)
{
    for (int i = 0; i < t->n_works; i++)
        NDFT_TRY(try_all(t, t->works[i], t->works[i]->candidates, t->works[i]->n, err));
    qsort(t->searches, (size_t)t->n, sizeof *t->searches, by_seconds);
    for (int i = 0; i < t->n; i++) NDFT_TRY(search(t, &t->searches[i], end_of(t, i), err));
    return NDFT_OK;
}

static bool same(const ndft_candidate *a, const ndft_candidate *b)
{
    const int n = a->entry->variant->n_knobs;
    return a->entry == b->entry && !memcmp(a->knobs, b->knobs, (size_t)n * sizeof *a->knobs);
}

/* What confirming found takes the place of the time that a setting was picked by; one that does not
 * pass again has none. */
static bool take_confirmed(void *context, json_t *record)
{
    ndft_tune *t = context;
    ndft_candidate found;
    ndft_verdict verdict = ndft_verdict_find(ndft_field_text(record, "verdict"));
    const double seconds = verdict == NDFT_PASS ? ndft_field_number(record, "median_s") : NAN;
    if (!ndft_session_keep(&t->session, record) ||
        ndft_id_parse(ndft_field_text(record, "variant"), &found, &t->session.lost) != NDFT_OK)
        return false;
    for (int i = 0; i < t->n; i++) {
        ndft_search *s = &t->searches[i];
        if (same(&s->best.candidate, &found)) s->best.seconds = seconds;
        if (same(&s->tried[0].candidate, &found)) s->tried[0].seconds = seconds;
    }
    return true;
}

/* The best setting of every variant on a backend, and its preset where that is another one. */
static ndft_status confirm_on(ndft_tune *t, const ndft_work *work, ndft_candidate *all,
                              ndft_error *err)
{
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        const ndft_search *s = &t->searches[i];
        if (strcmp(s->entry->backend, work->backend->name) || isnan(s->best.seconds)) continue;
        all[n++] = s->best.candidate;
        if (!isnan(s->tried[0].seconds) && !same(&s->best.candidate, &s->tried[0].candidate))
            all[n++] = s->tried[0].candidate;
    }
    if (!n) return NDFT_OK;
    return ndft_session_run(&t->session, t->confirmer, work, all, n,
                            &(ndft_record_sink){take_confirmed, t}, err);
}

static ndft_status confirm(ndft_tune *t, ndft_error *err)
{
    if (!t->confirmer) return NDFT_OK;
    ndft_candidate *all = malloc(2 * (size_t)t->n * sizeof *all);
    ndft_status status = all ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    for (int i = 0; i < t->n_works && status == NDFT_OK; i++)
        status = confirm_on(t, t->works[i], all, err);
    free(all);
    return status;
}

static ndft_status tune(ndft_tune *t, ndft_error *err)
{
    ndft_status status = search_all(t, err);
    if (status == NDFT_OK) status = confirm(t, err);
    t->tell(t);
    return status;
}

ndft_status ndft_tune_run(ndft_tune *t, ndft_error *err)
{
    ndft_status status = ndft_session_head(&t->session, err);
    for (int i = 0; i < t->load->size && status == NDFT_OK; i++) {
        const ndft_work *work = &t->load->items[i];
        if (!is_usable(work) || was_taken_up(t, work)) continue;
        take_up(t, work);
        status = tune(t, err);
    }
    status = ndft_session_end(&t->session, status, status != NDFT_OK, err);
    ndft_log_close(&t->session.log);
    return status;
}
