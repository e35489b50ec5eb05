/* SPDX-License-Identifier: Apache-2.0 */
#include "rank.h"

#include "base/text.h"
#include "device/backend.h"
#include "estimate.h"
#include "promise.h"
#include "search.h"
#include "traits.h"
#include "wisdom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ndft_overwrites_input(const ndft_candidate *c, const ndft_problem *p)
{
    if (!ndft_traits_of(c->entry->variant, c->knobs).claim.overwrites_input) return false;
    if (c->entry->kind != NDFT_UNIFORM) return true;
    const ndft_transform *t = ndft_transform_of(p);
    return t->domain == NDFT_C2R && !t->in_place;
}

bool ndft_is_deterministic(const ndft_candidate *c)
{
    return ndft_traits_of(c->entry->variant, c->knobs).claim.deterministic;
}

bool ndft_may_be_chosen(const ndft_registered *entry, ndft_kind_of_problem kind,
                        const ndft_device *device)
{
    return !strcmp(entry->backend, device->backend) && entry->variant && !entry->ablates &&
           !entry->peer && entry->kind == kind && !ndft_is_engine(entry);
}

/* The knob of which engines declare what each value does: the oversampling of a grid, by which its
 * transform and its windows take more or less. Between candidates a window may be as narrow as at
 * the next one, and the grid smaller. */
static const char told_apart[] = "sigma";

/* The candidate that is farthest up or down. */
static int end_of(const ndft_knob *knob, int side)
{
    int end = knob->candidates[0];
    for (int i = 1; i < knob->n_candidates; i++)
        if ((knob->candidates[i] - end) * side > 0) end = knob->candidates[i];
    return end;
}

int ndft_settings(const ndft_registered *entry, bool deterministic,
                  ndft_candidate all[NDFT_MOST_SETTINGS])
{
    int n = 1;
    all[0] = ndft_candidate_of(entry);
    for (int k = 0; deterministic && k < entry->variant->n_knobs; k++)
        if (!strcmp(entry->variant->knobs[k].name, "deterministic")) all[0].knobs[k] = true;
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        if (strcmp(knob->name, told_apart) || !ndft_knob_shown(entry, all[0].knobs, k)) continue;
        const int most = end_of(knob, 1), grain = ndft_knob_grain(knob);
        for (int value = end_of(knob, -1); value <= most && n < NDFT_MOST_SETTINGS;
             value += grain) {
            if (value == all[0].knobs[k]) continue;
            all[n] = all[0];
            all[n++].knobs[k] = value;
        }
    }
    return n;
}

bool ndft_serves(const ndft_candidate *c, const ndft_problem *p, unsigned ops,
                 const ndft_device *device, bool deterministic, ndft_error *why)
{
    const ndft_variant *v = c->entry->variant;
    const char *reason = ndft_plan_unsupported(v, c->knobs, p, ops, device);
    if (!reason && deterministic && !ndft_is_deterministic(c)) reason = "it is not deterministic";
    if (!reason && ndft_overwrites_input(c, p)) reason = "it overwrites its input";
    if (reason) {
        ndft_fail(why, NDFT_EUNSUPPORTED, "%s", reason);
        return false;
    }
    return ndft_promise_tol(c->entry->kind, v, c->knobs, p, ops, why) == NDFT_OK;
}

double ndft_estimate_all(const ndft_candidate *c, const ndft_problem *p, unsigned ops,
                         const ndft_device *device)
{
    double sum = 0;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if (ops & op) sum += ndft_estimate(c, p, (ndft_op)op, device);
    return sum;
}

static double error_of_all(const ndft_candidate *c, const ndft_problem *p, unsigned ops,
                           const ndft_device *device)
{
    double most = 0;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if (ops & op) most = fmax(most, ndft_estimate_error(c, (ndft_op)op, p->prec, device));
    return most;
}

/* The fastest of an engine's settings that serve; false: none does, and why its presets do not. */
static bool take_fastest(const ndft_registered *entry, const ndft_problem *p, unsigned ops,
                         const ndft_device *device, bool deterministic, ndft_ranked *fastest,
                         ndft_error *why)
{
    ndft_candidate all[NDFT_MOST_SETTINGS];
    const int n = ndft_settings(entry, deterministic, all);
    *fastest = (ndft_ranked){.seconds = INFINITY, .why = "fastest by estimate"};
    for (int i = 0; i < n; i++) {
        ndft_error own = {.status = NDFT_OK};
        if (!ndft_serves(&all[i], p, ops, device, deterministic, i ? &own : why)) continue;
        const double seconds = ndft_estimate_all(&all[i], p, ops, device);
        if (seconds >= fastest->seconds) continue;
        fastest->candidate = all[i];
        fastest->seconds = seconds;
    }
    if (!fastest->candidate.entry) return false;
    fastest->error = error_of_all(&fastest->candidate, p, ops, device);
    return true;
}

static int faster(const void *a, const void *b)
{
    const ndft_ranked *x = a, *y = b;
    const int order = (x->seconds > y->seconds) - (x->seconds < y->seconds);
    return order ? order : strcmp(x->candidate.entry->name, y->candidate.entry->name);
}

/* There is none that could. */
static const char *why_none(const char *name)
{
    const ndft_backend *backend = ndft_backend_find(name);
    const char *missing = backend ? backend->missing() : NULL;
    return missing ? missing : "none is of its kind";
}

int ndft_rank(ndft_kind_of_problem kind, const ndft_problem *p, unsigned ops,
              const ndft_device *device, bool deterministic, ndft_ranked **ranked, ndft_error *err)
{
    int n = 0;
    char reasons[768];
    ndft_text line = ndft_text_in(reasons, sizeof reasons);
    ndft_ranked *all = calloc((size_t)ndft_registry_size, sizeof *all);
    *ranked = all;
    if (!all) {
        ndft_fail(err, NDFT_ENOMEM, "no memory for a list of engines");
        return 0;
    }
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_error why = {.status = NDFT_OK};
        if (!ndft_may_be_chosen(&ndft_registry[i], kind, device)) continue;
        if (take_fastest(&ndft_registry[i], p, ops, device, deterministic, &all[n], &why))
            n++;
        else
            ndft_text_add(&line, "; %s: %s", ndft_registry[i].name, why.message);
    }
    qsort(all, (size_t)n, sizeof *all, faster);
    if (!n && !*reasons) ndft_text_add(&line, ": %s", why_none(device->backend));
    if (!n)
        ndft_fail(err, NDFT_EUNSUPPORTED, "no engine of %s serves this problem%s", device->backend,
                  reasons);
    return n;
}

bool ndft_known(ndft_kind_of_problem kind, const ndft_problem *p, unsigned ops,
                const ndft_device *device, bool deterministic, ndft_ranked *known)
{
    ndft_wise wise;
    ndft_error why = {.status = NDFT_OK};
    ndft_wisdom_shape(kind, p, ops, device, deterministic, wise.shape);
    if (!ndft_wisdom_find(wise.shape, &wise) ||
        ndft_wisdom_candidate(&wise, &known->candidate, &why) != NDFT_OK)
        return false;
    known->seconds = wise.seconds;
    known->why = "fastest as measured before";
    return ndft_may_be_chosen(known->candidate.entry, kind, device) &&
           ndft_serves(&known->candidate, p, ops, device, deterministic, &why);
}

ndft_status ndft_prepare_fastest(ndft_kind_of_problem kind, const ndft_problem *p, unsigned ops,
                                 bool deterministic, ndft_exec *exec, ndft_ranked *taken,
                                 ndft_prepared *prepared)
{
    ndft_ranked *ranked = NULL;
    const int n = ndft_rank(kind, p, ops, &exec->device, deterministic, &ranked, exec->error);
    ndft_status status = n > 0 ? NDFT_EUNSUPPORTED : exec->error->status;
    for (int i = 0; i < n; i++) {
        const ndft_candidate *c = &ranked[i].candidate;
        *taken = ranked[i];
        status = ndft_prepare_promised(c->entry->variant, c->knobs, p, ops, exec, prepared);
        if (status != NDFT_EUNSUPPORTED && status != NDFT_ENOMEM) break;
    }
    free(ranked);
    return status;
}

double ndft_price(const ndft_candidate *c, const ndft_problem *p, unsigned ops,
                  const ndft_device *device)
{
    ndft_error ignored = {.status = NDFT_OK};
    ndft_ranked *all = NULL;
    const int n = ndft_rank(c->entry->kind, p, ops, device, false, &all, &ignored);
    const double price = n > 0 ? ndft_estimate_all(c, p, ops, device) / all[0].seconds : 1;
    free(all);
    return fmax(1, price);
}
