/* SPDX-License-Identifier: Apache-2.0 */
#include "choose.h"

#include "isolate/isolate.h"

#include <stdio.h>
#include <string.h>

bool ndft_is_best(const char *variants) { return variants && !strcmp(variants, "best"); }

static void choose_here(const ndft_kind *kind, const ndft_problem *problem, ndft_op op,
                        ndft_chosen *chosen)
{
    ndft_best best;
    ndft_error err = {0};
    ndft_best_begin(&best, kind, problem, op, &chosen->device, &chosen->choice);
    if (ndft_best_next(&best, &chosen->candidate, &err) != NDFT_OK) {
        chosen->candidate.entry = NULL;
        snprintf(chosen->choice.text, sizeof chosen->choice.text, "%s", err.message);
    }
    ndft_best_end(&best);
}

/* Describes the devices, in other processes, so that none is opened here. */
static ndft_status describe(const char *backend, ndft_chosen chosen[NDFT_MAX_CHOSEN], int *n,
                            ndft_error *err)
{
    if (backend && !ndft_backend_find(backend))
        return ndft_fail(err, NDFT_EINVAL, "there is no backend '%s'; nearest: cpu", backend);
    ndft_isolate *isolate;
    NDFT_TRY(ndft_isolate_open(&ndft_isolate_defaults, &isolate, err));
    ndft_status status = NDFT_OK;
    *n = 0;
    for (const ndft_backend *const *b = ndft_backends; *b && status == NDFT_OK; b++) {
        if ((*b)->missing() || (backend && strcmp(backend, (*b)->name))) continue;
        chosen[*n] = (ndft_chosen){0};
        status = ndft_isolate_describe(isolate, *b, &chosen[(*n)++].device, err);
    }
    ndft_isolate_close(isolate);
    if (status != NDFT_OK || *n) return status;
    return ndft_fail(err, NDFT_EDEVICE, "no device of backend '%s' is here",
                     backend ? backend : "any");
}

ndft_status ndft_choose(const ndft_case *c, const char *backend,
                        ndft_chosen chosen[NDFT_MAX_CHOSEN], int *n, ndft_error *err)
{
    ndft_made made;
    const ndft_kind *kind = ndft_kind_of(c);
    NDFT_TRY(describe(backend, chosen, n, err));
    NDFT_TRY(kind->make(c, &made, err));
    for (int i = 0; i < *n; i++) choose_here(kind, &made.problem, c->op, &chosen[i]);
    ndft_made_free(&made);
    return NDFT_OK;
}

ndft_status ndft_choose_one(const ndft_case *c, ndft_chosen *one, ndft_error *err)
{
    ndft_chosen chosen[NDFT_MAX_CHOSEN];
    int n;
    NDFT_TRY(ndft_choose(c, NULL, chosen, &n, err));
    while (n > 1 && !chosen[n - 1].candidate.entry) n--;
    *one = chosen[n - 1];
    if (one->candidate.entry) return NDFT_OK;
    return ndft_fail(err, NDFT_EUNSUPPORTED, "%.900s", one->choice.text);
}
