/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include "case/suite.h"

#include <math.h>
#include <stdio.h>

/* A claim is never broken, and never more than this many times the worst error it was held to. */
static const double slack = 20;

typedef struct worst {
    double share; /* the largest error over claim */
    int cases;
} worst;

static void measure(variant_suite *s, const ndft_candidate *candidate, const ndft_case *problem,
                    worst *by_prec)
{
    char text[NDFT_CASE_MAX];
    ndft_case_print(problem, text, sizeof text);
    ndft_check check = suite_verdict(s, candidate, problem);
    if (check.verdict == NDFT_UNSUPPORTED) {
        suite_unsupported(s);
        return;
    }
    if (check.verdict != NDFT_PASS) {
        suite_fail(s, candidate, text, "%s: %s", ndft_verdict_name(check.verdict), check.reason);
        return;
    }
    suite_pass(s);
    worst *w = &by_prec[problem->prec];
    w->share = fmax(w->share, check.rel_l2 / check.claim);
    w->cases++;
}

void test_claims(variant_suite *s, const ndft_registered *entry, const char *path)
{
    static const char *const precs[] = {"claims in f32", "claims in f64"};
    ndft_candidate candidate = ndft_candidate_of(entry);
    worst by_prec[2] = {{0}};
    ndft_suite suite;
    ndft_error err;
    if (ndft_suite_read(path, &suite, &err) != NDFT_OK) {
        suite_fail(s, &candidate, path, "%s", err.message);
        return;
    }
    for (size_t i = 0; i < suite.size; i++)
        measure(s, &candidate, &suite.items[i].problem, by_prec);
    ndft_suite_free(&suite);
    for (int prec = NDFT_F32; prec <= NDFT_F64; prec++) {
        if (!by_prec[prec].cases) continue;
        double times = 1 / by_prec[prec].share;
        printf("%s.%s %s: %.1f times the worst error\n", entry->name, entry->backend, precs[prec],
               times);
        if (times <= slack)
            suite_pass(s);
        else
            suite_fail(s, &candidate, precs[prec], "%.1f times the worst error, at most %g", times,
                       slack);
    }
}
