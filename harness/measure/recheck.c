/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck.h"

#include "check/attempt.h"
#include "check/check.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct again {
    ndft_mode mode;
    ndft_subject *subject;
} again;

static ndft_status produce(void *context)
{
    const again *a = context;
    return ndft_mode_produce(a->mode, a->subject);
}

/* Executions of which each but the first finds what the last one left. */
static int in_a_row(const ndft_subject *s)
{
    return s->consumes ? s->region.before + s->region.repetitions : 1;
}

static ndft_status produce_apart(void *context)
{
    const again *a = context;
    const ndft_subject *s = a->subject;
    const ndft_fixture *fixture = s->fixture;
    for (int i = 0; i < in_a_row(s); i++) {
        NDFT_TRY(ndft_fixture_execute(fixture, *s->plan, fixture->op));
        NDFT_TRY(fixture->backend->sync(fixture->exec));
    }
    return NDFT_OK;
}

static bool attempt(const again *a, ndft_status (*how)(void *), ndft_check *check)
{
    ndft_fixture *fixture = a->subject->fixture;
    const ndft_way way = {a->subject->candidate->entry->variant, fixture->op, how, (void *)a};
    return ndft_attempt_by(fixture, &way, check);
}

static bool same(const uint64_t a[2], const uint64_t b[2]) { return a[0] == b[0] && a[1] == b[1]; }

/* Whether a candidate promises the same bits from run to run. */
static bool is_exact(const again *a)
{
    const ndft_candidate *candidate = a->subject->candidate;
    return ndft_traits_of(candidate->entry->variant, candidate->knobs).claim.deterministic;
}

/* Holds what is fetched against the first check's. */
static bool repeats(const again *a, ndft_check *check)
{
    const ndft_registered *entry = a->subject->candidate->entry;
    uint64_t output[2];
    ndft_check_digest(a->subject->fixture, output);
    if (entry->ablates || same(output, check->output)) return true;
    if (!ndft_check_agrees(a->subject->fixture, check)) return false;
    if (a->mode == NDFT_END_TO_END || !is_exact(a)) return true;
    return ndft_set_verdict(
        check, NDFT_WRONG,
        "it claims the same bits from run to run, and these are not those that were "
        "checked");
}

/* |x - y|_2 / |x|_2 of the numbers in two outputs; both have been found finite. */
static double apart_by(const ndft_fixture *fixture, const void *x, const void *y)
{
    const ndft_prec prec = fixture->made->problem.prec;
    const int64_t reals =
        (int64_t)(fixture->bytes[ndft_side_out(fixture->op)] / ndft_real_size(prec));
    double largest = 0, difference = 0, all = 0;
    for (int64_t i = 0; i < reals; i++) largest = fmax(largest, fabs(ndft_real_at(x, prec, i)));
    for (int64_t i = 0; i < reals; i++) {
        const double a = ndft_real_at(x, prec, i) / largest;
        const double b = ndft_real_at(y, prec, i) / largest;
        if (!isfinite(a) && !isfinite(b)) continue; /* between the outputs */
        difference += (a - b) * (a - b);
        all += a * a;
    }
    return difference > 0 ? sqrt(difference / all) : 0;
}

/* A sample of n executions in a row, each of what the one before has left, comes to what n single
 * ones come to: their errors, relative to outputs that all grow alike, add up. */
static bool as_often_apart(const again *a, ndft_check *check)
{
    const ndft_fixture *fixture = a->subject->fixture;
    const ndft_side side = ndft_side_out(fixture->op);
    const double n = in_a_row(a->subject), limit = is_exact(a) ? 0 : 2 * n * check->claim;
    void *timed = malloc(fixture->bytes[side]);
    if (!timed) return ndft_set_verdict(check, NDFT_ERROR, "no host memory for an output");
    memcpy(timed, fixture->fetched[side], fixture->bytes[side]);
    bool held = attempt(a, produce_apart, check);
    const double distance = held ? apart_by(fixture, timed, fixture->fetched[side]) : 0;
    free(timed);
    if (!held || distance <= limit) return held;
    return ndft_set_verdict(
        check, NDFT_WRONG,
        "%g executions in a row are %.3g away from as many single ones, more than %.3g", n,
        distance, limit);
}

/* One single execution of the plan that was timed. */
static bool still_holds(const again *a, ndft_check *check)
{
    ndft_fixture *fixture = a->subject->fixture;
    return ndft_attempt(fixture, *a->subject->plan, fixture->op, check) && repeats(a, check);
}

static void name_mode(ndft_mode mode, ndft_check *check)
{
    char reason[sizeof check->reason];
    memcpy(reason, check->reason, sizeof reason);
    ndft_set_verdict(check, check->verdict, "in mode %s: %.*s", ndft_mode_name(mode),
                     (int)sizeof reason - 32, reason);
}

bool ndft_recheck(ndft_mode mode, ndft_subject *s, ndft_check *check)
{
    const again a = {mode, s};
    const ndft_check first = *check;
    bool held = attempt(&a, produce, check);
    if (held && in_a_row(s) > 1)
        held = as_often_apart(&a, check) && still_holds(&a, check);
    else if (held)
        held = repeats(&a, check);
    if (!held) {
        name_mode(mode, check);
        return false;
    }
    check->rel_l2 = fmax(check->rel_l2, first.rel_l2); /* NaN: of neither */
    check->max_err = fmax(check->max_err, first.max_err);
    return true;
}
