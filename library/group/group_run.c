/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

/* Where outputs and sums of an execution are, and what moves them. */

char *ndft_run_out(const ndft_run *r, int device)
{
    if (r->whole) return r->whole + r->block[r->plan->group->first];
    return r->to == IN_PARTS ? r->out_of[device] : r->out;
}

ndft_status ndft_run_copy(const ndft_run *r, int device, void *to, const void *from, size_t bytes)
{
    ndft_exec *exec = r->plan->seat[device].exec;
    return ndft_seat_device(r->plan, device)->backend->copy(exec, to, from, bytes);
}

ndft_status ndft_run_add(const ndft_run *r, int device, const void *terms, void *sum)
{
    const ndft_problem *p = &r->plan->problem->problem;
    const int64_t reals = (int64_t)(ndft_image_bytes(r) / ndft_real_size(p->prec));
    return ndft_seat_device(r->plan, device)
        ->backend->add(r->plan->seat[device].exec, p->prec, reals, terms, sum);
}

/* It becomes the output where that is. */
char *ndft_run_sum(const ndft_run *r, int device)
{
    if (r->is_for_all) return r->plan->seat[device].image[0];
    const bool becomes_out = (device == 0 || r->to == IN_PARTS) && ndft_run_near(r, device, r->to);
    return becomes_out ? ndft_run_out(r, device) : r->plan->seat[device].image[0];
}

/* The sum of all goes where it is wanted. */
ndft_status ndft_run_leave_sum(const ndft_run *r, int device)
{
    const char *sum = ndft_run_sum(r, 0);
    if (sum == ndft_run_out(r, device) || (device && r->to != IN_PARTS)) return NDFT_OK;
    return ndft_run_copy(r, device, ndft_run_out(r, device), sum, ndft_image_bytes(r));
}
