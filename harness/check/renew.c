/* SPDX-License-Identifier: Apache-2.0 */
#include "renew.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Made when it is first needed, so that who needs none has the memory. */
static ndft_status keep_a_copy(ndft_fixture *fixture, ndft_side side)
{
    ndft_exec *exec = fixture->exec;
    NDFT_TRY(exec->alloc(exec, "copy of the input", fixture->bytes[side], &fixture->kept));
    return exec->upload(exec, fixture->kept, fixture->given[side], fixture->bytes[side]);
}

ndft_status ndft_fixture_renew(ndft_fixture *fixture)
{
    const ndft_side side = ndft_side_in(fixture->op);
    const ndft_status kept = fixture->kept ? NDFT_OK : keep_a_copy(fixture, side);
    if (kept == NDFT_ENOMEM) return ndft_fixture_restore(fixture, side);
    NDFT_TRY(kept);
    return fixture->backend->copy(fixture->exec, fixture->in[side], fixture->kept,
                                  fixture->bytes[side]);
}

/* log2 |x|_2 of the input; what lies between its elements may be NaN. */
static double input_bits(const ndft_fixture *fixture)
{
    const ndft_prec prec = fixture->made->problem.prec;
    const ndft_side side = ndft_side_in(fixture->op);
    const int64_t reals = (int64_t)(fixture->bytes[side] / ndft_real_size(prec));
    double largest = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double x = fabs(ndft_real_at(fixture->given[side], prec, i));
        if (isfinite(x)) largest = fmax(largest, x);
    }
    return log2(fmax(largest, DBL_MIN)) + 0.5 * log2((double)reals);
}

/*
 * With g bits that an execution adds to |x|_2, at most, the input of the last of n has (n-1) g more
 * than the first. Inside, the most is a convolution of padded length L < 4N through transforms
 * without a scale: its numbers stay below L^2 |x|_2, and g is log2(2N)/2.
 */
int ndft_most_in_a_row(const ndft_fixture *fixture)
{
    const ndft_problem *p = &fixture->made->problem;
    const double range = (p->prec == NDFT_F32 ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
    const double growth = fixture->kind->growth_bits ? fixture->kind->growth_bits(p) : INFINITY;
    const double room = range - input_bits(fixture) - 2 * (2 * growth + 1);
    if (!(room > 0)) return 1;
    return (int)fmin(1 + floor(room / growth), INT_MAX);
}
