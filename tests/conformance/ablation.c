/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <stdio.h>
#include <string.h>

/* An ablation is wrong on purpose; that it writes every output, with numbers, and nothing else is
 * asked of it as of any other. */

static void check(variant_suite *s, const ndft_candidate *candidate, const char *text)
{
    ndft_case problem;
    if (!suite_parse(s, candidate, text, &problem)) return;
    ndft_check check = suite_verdict(s, candidate, &problem);
    if (check.verdict == NDFT_UNSUPPORTED)
        suite_unsupported(s);
    else if (check.verdict == NDFT_UNTRUSTED && strstr(check.reason, "an ablation of "))
        suite_pass(s);
    else
        suite_fail(s, candidate, text, "%s: %s", ndft_verdict_name(check.verdict), check.reason);
}

void test_ablation(variant_suite *s, const ndft_registered *entry)
{
    static const char *const ops[] = {"forward", "adjoint", "normal"};
    static const char *const cases[] = {
        "1d n=1 m=1", "1d n=701 m=523 field=random:60Hz t=20ms prec=f64 coils=2 layout=interleaved",
        "2d n=37x29 m=1201 field=random:60Hz t=20ms coils=3",
        "2d n=37x29 m=1201 field=random:60Hz t=20ms grad=random:30Hz mask=disk",
        "3d n=9x11x7 m=613 traj=kooshball:7"};
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[256];
            snprintf(text, sizeof text, "%s %s", ops[op], cases[i]);
            check(s, &candidate, text);
        }
    }
}
