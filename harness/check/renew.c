/* SPDX-License-Identifier: Apache-2.0 */
#include "renew.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Made when it is first needed, so that who needs none has the memory. */
static ndft_status keep_a_copy(ndft_rig *rig, ndft_side side)
{
    ndft_exec *exec = rig->exec;
    NDFT_TRY(exec->alloc(exec, "copy of the input", rig->bytes[side], &rig->kept));
    return exec->upload(exec, rig->kept, rig->given[side], rig->bytes[side]);
}

ndft_status ndft_rig_renew(ndft_rig *rig)
{
    const ndft_side side = ndft_side_in(rig->op);
    const ndft_status kept = rig->kept ? NDFT_OK : keep_a_copy(rig, side);
    if (kept == NDFT_ENOMEM) return ndft_rig_restore(rig, side);
    NDFT_TRY(kept);
    return rig->backend->copy(rig->exec, rig->in[side], rig->kept, rig->bytes[side]);
}

/* log2 |x|_2 of the input; what lies between its elements may be NaN. */
static double input_bits(const ndft_rig *rig)
{
    const ndft_prec prec = rig->made->problem.prec;
    const ndft_side side = ndft_side_in(rig->op);
    const int64_t reals = (int64_t)(rig->bytes[side] / ndft_real_size(prec));
    double largest = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double x = fabs(ndft_real_at(rig->given[side], prec, i));
        if (isfinite(x)) largest = fmax(largest, x);
    }
    return log2(fmax(largest, DBL_MIN)) + 0.5 * log2((double)reals);
}

/*
 * With g bits that an execution adds to |x|_2, at most, the input of the last of n has (n-1) g more
 * than the first. Inside, the most is a convolution of padded length L < 4N through transforms
 * without a scale: its numbers stay below L^2 |x|_2, and g is log2(2N)/2.
 */
int ndft_most_in_a_row(const ndft_rig *rig)
{
    const ndft_problem *p = &rig->made->problem;
    const double range = (p->prec == NDFT_F32 ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
    const double growth = rig->kind->growth_bits ? rig->kind->growth_bits(p) : INFINITY;
    const double room = range - input_bits(rig) - 2 * (2 * growth + 1);
    if (!(room > 0)) return 1;
    return (int)fmin(1 + floor(room / growth), INT_MAX);
}
