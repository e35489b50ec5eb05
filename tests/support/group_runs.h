/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_GROUP_RUNS_H
#define NDFT_TEST_GROUP_RUNS_H

#include "group.h"
#include "planted.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Planted variants run as a group on the processor, and what is reported of them. */

enum { MAX_RESULTS = 64 };

typedef struct taken {
    int n;
    ndft_check checks[MAX_RESULTS];
    char ids[MAX_RESULTS][NDFT_ID_MAX];
    double medians[MAX_RESULTS];
    int samples[MAX_RESULTS];
    char stops[MAX_RESULTS][16];
} taken;

static inline void take(void *context, const ndft_result *result)
{
    taken *t = context;
    assert_in_range(t->n, 0, MAX_RESULTS - 1);
    t->checks[t->n] = result->check;
    ndft_id_print(result->candidate, t->ids[t->n], NDFT_ID_MAX);
    t->medians[t->n] = result->timing ? result->timing->stats.median : NAN;
    t->samples[t->n] = result->timing ? result->timing->n : 0;
    snprintf(t->stops[t->n], 16, "%s", result->timing ? result->timing->stop : "");
    t->n++;
}

static const char text[] = "forward 2d n=5x4 m=17 field=random:50Hz t=5ms coils=2 tol=1e-3";

static inline ndft_status run(const char *problem, const ndft_candidate *candidates, int n,
                              const ndft_group_options *options, taken *t, ndft_error *err)
{
    ndft_case parsed;
    t->n = 0;
    assert_int_equal(ndft_case_parse(problem, &parsed, err), NDFT_OK);
    return ndft_run_group(&ndft_nonuniform, &parsed, &ndft_backend_cpu, candidates, n, options,
                          &(ndft_sink){take, t}, err);
}

static inline ndft_check check_one(const char *problem, const ndft_registered *entry,
                                   planted_fault fault)
{
    static taken t;
    ndft_error err = {0};
    ndft_candidate candidate = {.entry = entry, .knobs = {fault}};
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    if (run(problem, &candidate, 1, &options, &t, &err) != NDFT_OK) fail_msg("%s", err.message);
    assert_int_equal(t.n, 1);
    return t.checks[0];
}

static inline void assert_verdict(ndft_check check, ndft_verdict verdict, const char *reason)
{
    if (check.verdict != verdict || !strstr(check.reason, reason))
        fail_msg("%s: '%s', not %s: '%s'", ndft_verdict_name(check.verdict), check.reason,
                 ndft_verdict_name(verdict), reason);
}

#endif
