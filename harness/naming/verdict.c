/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ndft_check ndft_check_blank(void)
{
    return (ndft_check){.verdict = NDFT_PASS,
                        .rel_l2 = NAN,
                        .max_err = NAN,
                        .claim = NAN,
                        .claim_any = NAN,
                        .adjoint_err = NAN,
                        .plan_s = NAN,
                        .setpts_s = NAN,
                        .plan_bytes = NAN,
                        .outputs = NAN};
}

static const char *const names[NDFT_N_VERDICTS] = {
    [NDFT_PASS] = "pass",
    [NDFT_WRONG] = "wrong",
    [NDFT_UNTRUSTED] = "untrusted",
    [NDFT_ERROR] = "error",
    [NDFT_CRASHED] = "crashed",
    [NDFT_TIMEOUT] = "timeout",
    [NDFT_UNSUPPORTED] = "unsupported",
    [NDFT_NOT_BUILT] = "not_built",
};

const char *ndft_verdict_name(ndft_verdict verdict) { return names[verdict]; }

ndft_verdict ndft_verdict_find(const char *name)
{
    int v = 0;
    if (name && !strcmp(name, "unfit")) return NDFT_UNSUPPORTED; /* its name in older records */
    while (v < NDFT_N_VERDICTS && (!name || strcmp(names[v], name))) v++;
    return (ndft_verdict)v;
}

bool ndft_verdicts_fail(const int counts[NDFT_N_VERDICTS])
{
    return counts[NDFT_WRONG] || counts[NDFT_ERROR] || counts[NDFT_CRASHED] || counts[NDFT_TIMEOUT];
}

bool ndft_set_verdict(ndft_check *check, ndft_verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    check->verdict = verdict;
    vsnprintf(check->reason, sizeof check->reason, format, args);
    va_end(args);
    return false;
}
