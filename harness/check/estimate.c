/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate.h"

#include "problem/kinds.h"

#include <math.h>
#include <string.h>

static double issue_slots(const ndft_candidate *candidate, const ndft_problem *p, ndft_op op)
{
    return ndft_executed_cost(candidate->entry->variant, p, op, candidate->knobs).issue_slots;
}

static double nominal_rate(const ndft_exec *exec)
{
    bool cpu = !strcmp(exec->device.backend, "cpu");
    return 1e9 * (cpu ? exec->threads : 32 * exec->device.units);
}

static ndft_status time_part(ndft_fixture *fixture, const ndft_candidate *candidate,
                             const ndft_problem *part, double *seconds)
{
    ndft_plan plan;
    double clock;
    NDFT_TRY(ndft_plan_make(candidate->entry->variant, candidate->knobs, part, fixture->op,
                            fixture->exec, &plan));
    ndft_status status = NDFT_OK;
    for (int run = 0; run < 2 && status == NDFT_OK; run++) { /* the first one warms up */
        status = fixture->instruments->timer_start(fixture->exec, 0);
        if (status == NDFT_OK)
            status = ndft_execute(&plan, fixture->op, fixture->in[ndft_side_in(fixture->op)],
                                  fixture->out[ndft_side_out(fixture->op)]);
        if (status == NDFT_OK) status = fixture->instruments->timer_stop(fixture->exec, 0);
        if (status == NDFT_OK)
            status = fixture->instruments->timer_read(fixture->exec, 0, seconds, &clock);
    }
    ndft_plan_destroy(&plan);
    return status;
}

double ndft_estimate(ndft_fixture *fixture, const ndft_candidate *candidate, double limit_s)
{
    const ndft_problem *p = &fixture->made->problem;
    double slots = issue_slots(candidate, p, fixture->op);
    double nominal = slots / nominal_rate(fixture->exec), seconds;
    if (nominal <= limit_s || !fixture->kind->part) return nominal;
    double share = 0.05 * limit_s / nominal;
    int64_t m = (int64_t)fmax(share * (double)p->n_samples, 1);
    ndft_problem part = fixture->kind->part(p, m);
    if (time_part(fixture, candidate, &part, &seconds) != NDFT_OK) return 0;
    if (!candidate->entry->variant->claim.preserves_input)
        ndft_fixture_restore(fixture, ndft_side_in(fixture->op));
    return seconds * slots / issue_slots(candidate, &part, fixture->op);
}
