/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

#include "promise.h"

/*
 * Executions by a group. Each device does its parts by its own thread, on its own stream. Images
 * that are summed are summed by a binary tree over the parts: first those of one device, then those
 * of neighbours, of pairs of neighbours, and so on. With as many parts on each, a power of two, the
 * tree is the same however many devices there are, and whether they are of this process or of
 * several ranks, which exchange messages then.
 */

/* What another device has queued so far comes before what this one queues next. */
static ndft_status await(const ndft_run *r, int device, int other)
{
    const ndft_opened *opened = ndft_seat_device(r->plan, other);
    if (other == device) return NDFT_OK;
    const ndft_before before = ndft_enter(opened, false); /* its event is of its device */
    const ndft_status status =
        ndft_run_wait(r, r->plan->seat[device].exec, r->plan->seat[other].exec);
    ndft_leave(opened, before);
    return status;
}

/* What a neighbour has summed, added to its own. */
static ndft_status join(const ndft_run *r, int device)
{
    const int other = device + r->apart;
    if (device % (2 * r->apart) || other >= r->plan->group->n) return NDFT_OK;
    const char *terms = ndft_run_sum(r, other);
    char *received = r->plan->seat[device].image[1], *sum = ndft_run_sum(r, device);
    ndft_exec *exec = r->plan->seat[device].exec;
    NDFT_TRY(await(r, device, other));
    if (r->plan->group->reaches[device]) return ndft_run_add(r, exec, terms, sum, sum);
    NDFT_TRY(ndft_run_copy(r, exec, received, terms, ndft_image_bytes(r)));
    return ndft_run_add(r, exec, received, sum, sum);
}

static ndft_status leave_sum(const ndft_run *r, int device)
{
    NDFT_TRY(await(r, device, 0));
    return ndft_run_leave_sum(r, device);
}

/* Both of two devices add up what they have, which is the same whichever way round: in turn in one
 * image and the other, so that each is as it was until both have read it, at last in the output. */
static ndft_status join_for_all(const ndft_run *r, int device)
{
    const ndft_seat *seat = r->plan->seat;
    const int other = device ^ r->apart, level = __builtin_ctz((unsigned)r->apart);
    char *to = 2 * r->apart == r->plan->group->n ? ndft_run_out(r, device)
                                                 : seat[device].image[(level + 1) % 2];
    ndft_exec *exec = seat[device].exec;
    if (level) NDFT_TRY(await(r, device, device ^ (r->apart / 2)));
    NDFT_TRY(await(r, device, other));
    return ndft_run_add(r, exec, seat[other].image[level % 2], seat[device].image[level % 2], to);
}

static bool are_for_all(const ndft_run *r)
{
    const ndft_group *group = r->plan->group;
    bool are = r->to == IN_PARTS && group->n > 1 && !(group->n & (group->n - 1));
    for (int device = 0; device < group->n; device++) are = are && group->reaches[device];
    return are;
}

/* What was queued is finished, too. */
static ndft_status abandon(const ndft_run *r, int device)
{
    const ndft_seat *seat = &r->plan->seat[device];
    return ndft_run_wait(r, seat->exec, ndft_seat_beside(seat));
}

/* A step of a device, with the message of the thread. */
static ndft_status take_step(void *context, int device)
{
    const ndft_run *r = context;
    const ndft_opened *opened = ndft_seat_device(r->plan, device);
    ndft_seat *seat = &r->plan->seat[device];
    const ndft_before before = ndft_enter(opened, true);
    seat->error = (ndft_error){.status = NDFT_OK};
    ndft_status status = r->step(r, device);
    if (status == NDFT_OK && r->is_last) status = opened->backend->sync(seat->exec);
    ndft_leave(opened, before);
    return seat->error.status == NDFT_OK ? status : ndft_tell(&seat->error);
}

/* One of all devices, which have queued it on return; the last has finished, with all before it. */
static ndft_status take(ndft_run *r, ndft_step *step, bool is_last)
{
    r->step = step;
    r->is_last = is_last;
    return ndft_crew_run(r->plan->group->crew, take_step, r);
}

/* One part is the whole. */
static ndft_status execute_one(const ndft_run *r)
{
    ndft_plan *plan = r->division->plan[0];
    if (r->to == ON_HOST) return ndft_execute_host(plan, r->op, r->in, r->out);
    NDFT_TRY(
        ndft_execute(plan, r->op, r->from == IN_PARTS ? r->in_of[0] : r->in, ndft_run_out(r, 0)));
    return ndft_device_sync(r->plan->group->device[0]);
}

/* Others wait for a rank that fails on its own, and are told. */
static ndft_status execute_as_rank(ndft_run *r)
{
    const ndft_group *group = r->plan->group;
    if (group->communicator->is_broken) return ndft_tell(&group->communicator->why);
    if (!r->sums && r->to != IN_PARTS) ndft_lay_blocks(r);
    const bool meets = r->sums || r->whole;
    ndft_call_begin(group->communicator, r->plan->number, r->op);
    const ndft_status status = take(r, meets ? ndft_run_as_rank : ndft_run_parts, true);
    if (status == NDFT_OK || group->communicator->is_broken) return status;
    return ndft_communicator_break(group->communicator, status, "%s", ndft_message());
}

/* Devices wait for each other by their streams, and the host for all of them at the end. */
static ndft_status sum_all(ndft_run *r)
{
    const int n = r->plan->group->n;
    r->is_for_all = are_for_all(r);
    NDFT_TRY(take(r, ndft_run_parts, false));
    for (r->apart = 1; r->apart < n; r->apart *= 2)
        NDFT_TRY(take(r, r->is_for_all ? join_for_all : join, r->is_for_all && 2 * r->apart == n));
    return r->is_for_all ? NDFT_OK : take(r, leave_sum, true);
}

static ndft_status execute_all(ndft_run *r)
{
    if (r->plan->group->parts == 1) return execute_one(r);
    if (r->plan->group->communicator) return execute_as_rank(r);
    ndft_status status = r->sums ? sum_all(r) : take(r, ndft_run_parts, true);
    if (status == NDFT_OK) return status;
    const ndft_error why = *ndft_thread_error();
    (void)take(r, abandon, true);
    return ndft_tell(&why);
}

/* Of its operation. */
static ndft_status find_division(const ndft_group_plan *plan, ndft_op op, const ndft_division **d)
{
    ndft_error *err = ndft_thread_error();
    if (!plan) return ndft_fail(err, NDFT_EINVAL, "plan is NULL");
    for (int i = 0; i < plan->divisions; i++) {
        *d = &plan->division[i];
        if (op && !(op & (op - 1)) && ((unsigned)op & (*d)->ops)) return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EINVAL,
                     "op=%d: the plan was made for ops=%u (1 forward, 2 adjoint, 4 normal)",
                     (int)op, plan->ops);
}

static ndft_status check_vectors(const void *in, const void *out)
{
    if (in && out && in != out) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s",
                     !in    ? "in is NULL"
                     : !out ? "out is NULL"
                            : "in and out are the same memory");
}

static ndft_status execute(ndft_group_plan *plan, ndft_op op, ndft_place where, const void *in,
                           void *out)
{
    ndft_run r = {.plan = plan, .op = op, .from = where, .to = where, .in = in, .out = out};
    NDFT_TRY(find_division(plan, op, &r.division));
    NDFT_TRY(check_vectors(in, out));
    r.sums = ndft_parts_are_summed(&plan->problem->problem, r.division->cut, op);
    return execute_all(&r);
}

ndft_status ndft_group_execute(ndft_group_plan *plan, ndft_op op, const void *in, void *out)
{
    return execute(plan, op, ON_FIRST, in, out);
}

ndft_status ndft_group_execute_host(ndft_group_plan *plan, ndft_op op, const void *in, void *out)
{
    return execute(plan, op, ON_HOST, in, out);
}

ndft_status ndft_group_execute_parts(ndft_group_plan *plan, ndft_op op, const void *const *in,
                                     void *const *out)
{
    ndft_run r = {
        .plan = plan, .op = op, .from = IN_PARTS, .to = IN_PARTS, .in_of = in, .out_of = out};
    NDFT_TRY(find_division(plan, op, &r.division));
    NDFT_TRY(check_vectors(in, out));
    for (int device = 0; device < plan->group->own; device++)
        NDFT_TRY(check_vectors(in[device], out[device]));
    r.sums = ndft_parts_are_summed(&plan->problem->problem, r.division->cut, op);
    return execute_all(&r);
}

ndft_status ndft_group_part_of(const ndft_group_plan *plan, ndft_op op, int device, bool output,
                               ndft_group_part *part)
{
    const ndft_division *d = NULL;
    NDFT_TRY(find_division(plan, op, &d));
    if (!part || device < 0 || device >= plan->group->n)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "device=%d; 0 to %d, and a place",
                         device, plan->group->n - 1);
    const ndft_problem *p = &plan->problem->problem;
    const int each = ndft_parts_each(plan->group);
    const ndft_range own = ndft_range_of(d, device * each, each);
    const bool samples = op == (output ? NDFT_FORWARD : NDFT_ADJOINT);
    *part = (ndft_group_part){0, samples ? p->coils : ndft_image_coils(p), 0,
                              samples ? p->n_samples : p->n_voxels};
    if (ndft_cuts_coils(p, d->cut, samples)) {
        part->first_coil = (int)own.first;
        part->coils = (int)(own.end - own.first);
    }
    if (ndft_cuts_elements(d->cut, samples)) {
        part->first = own.first;
        part->length = own.end - own.first;
    }
    return NDFT_OK;
}
