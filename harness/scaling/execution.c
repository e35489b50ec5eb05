/* SPDX-License-Identifier: Apache-2.0 */
#include "execution.h"

#include "base/now.h"
#include "cg.h"

#include <math.h>

static ndft_ranks_arrays arrays_of(const ndft_contestant *one)
{
    return one->in_parts ? NDFT_PARTS : NDFT_WHOLE;
}

ndft_status ndft_execution_open(const ndft_contest *c, ndft_contestant *one)
{
    double ignored = 0;
    one->residual = NAN;
    NDFT_TRY(ndft_ranks_tell(one->ranks, arrays_of(one), NDFT_TO_PLAN));
    NDFT_TRY(ndft_contestant_plan(c, one));
    if (c->iterations) NDFT_TRY(ndft_cg_open(c, one));
    return ndft_ranks_wait(one->ranks, &ignored);
}

static ndft_status execute(const ndft_contest *c, ndft_contestant *one)
{
    return c->iterations ? ndft_cg_run(c, one) : ndft_contestant_apply(c, one);
}

ndft_status ndft_execution_time(const ndft_contest *c, ndft_contestant *one, bool twice,
                                double *seconds)
{
    NDFT_TRY(ndft_ranks_tell(one->ranks, arrays_of(one),
                             twice ? NDFT_TO_EXECUTE_TWICE : NDFT_TO_EXECUTE));
    if (twice) NDFT_TRY(execute(c, one));
    const double before = ndft_now_s();
    NDFT_TRY(execute(c, one));
    *seconds = ndft_now_s() - before;
    return ndft_ranks_wait(one->ranks, seconds);
}
