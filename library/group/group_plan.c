/* SPDX-License-Identifier: Apache-2.0 */
#include "group_plan.h"

#include "base/text.h"
#include "digests.h"
#include "promise.h"
#include "public/points.h"
#include "split.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Plans of a group: how a problem is divided, and what each device makes of its parts. */

typedef struct making {
    ndft_group_plan *plan;
    ndft_plan_options each;
    ndft_link link;
} making;

static ndft_status choose_split(const making *m, ndft_group_split *split)
{
    if (*split == NDFT_SPLIT_COILS && !ndft_split_serves(m->plan, *split))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "by coils there are planar data of at least %d of them; nearest: "
                         "NDFT_SPLIT_SAMPLES",
                         m->plan->group->parts);
    if (*split == NDFT_SPLIT_AUTO && m->plan->group->parts > 1)
        *split = ndft_split_choose(m->plan, &m->each, m->link);
    return NDFT_OK;
}

static void predict(const making *m)
{
    for (int i = 0; i < m->plan->divisions; i++) {
        ndft_division *d = &m->plan->division[i];
        d->seconds = ndft_split_seconds(m->plan, &m->each, m->link, d->cut, d->ops);
    }
}

static ndft_status add_division(ndft_group_plan *plan, unsigned ops, ndft_cut cut)
{
    ndft_division *division = &plan->division[plan->divisions];
    if (!ops) return NDFT_OK;
    plan->divisions++;
    division->ops = ops;
    division->cut = cut;
    return ndft_part_bounds(&plan->problem->problem, cut, plan->group->parts, division->first);
}

static ndft_status divide(ndft_group_plan *plan, ndft_group_split split)
{
    const unsigned voxels = split == NDFT_SPLIT_OUTPUTS ? plan->ops & NDFT_ADJOINT : 0;
    NDFT_TRY(add_division(plan, plan->ops & ~voxels, ndft_split_cut(split, false)));
    return add_division(plan, voxels, NDFT_CUT_VOXELS);
}

static ndft_status make_part(const making *m, ndft_division *division, int part, int device)
{
    ndft_problem *problem;
    NDFT_TRY(ndft_part_create(m->plan->group->device[device], &m->plan->problem->problem,
                              division->cut, division->first[part], division->first[part + 1],
                              &problem));
    const ndft_status status =
        ndft_plan_create(problem, division->ops, &m->each, &division->plan[part]);
    ndft_problem_destroy(problem);
    return status;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Bytes of the largest piece of a device's parts among the inputs of operations, or among their
 * outputs that are gathered; or of those alone of which each part has its own. */
static size_t most_bytes(const ndft_group_plan *plan, int device, bool inputs, bool cut)
{
    const ndft_problem *p = &plan->problem->problem;
    const int first = ndft_first_part(plan->group, device), each = ndft_parts_each(plan->group);
    size_t most = 0;
    for (int i = 0; i < plan->divisions; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            const ndft_division *d = &plan->division[i];
            const bool samples = inputs ? op == NDFT_ADJOINT : op == NDFT_FORWARD;
            if (!(d->ops & op)) continue;
            if (!inputs && ndft_parts_are_summed(p, d->cut, (ndft_op)op)) continue;
            if (cut && !ndft_is_cut(p, d->cut, samples)) continue;
            for (int part = first; part < first + each; part++) {
                const ndft_range all = ndft_range_of(d, 0, plan->group->parts);
                const ndft_piece piece =
                    ndft_piece_of(p, d->cut, all, ndft_range_of(d, part, 1), samples);
                most = larger(most, ndft_piece_bytes(&piece));
            }
        }
    return most;
}

static bool has_sums(const ndft_group_plan *plan)
{
    bool has = false;
    for (int i = 0; i < plan->divisions; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
            has = has || ((plan->division[i].ops & op) &&
                          ndft_parts_are_summed(&plan->problem->problem, plan->division[i].cut,
                                                (ndft_op)op));
    return has;
}

static ndft_status take_memory(ndft_seat *seat, const char *what, size_t bytes, char **memory)
{
    void *taken = NULL;
    if (bytes) NDFT_TRY(seat->exec->alloc(seat->exec, what, bytes, &taken));
    *memory = taken;
    return NDFT_OK;
}

/* Of ranks: bytes of the longest output that is gathered and does not come in one piece, or does
 * not to where the caller has it. */
static size_t gathered_bytes(const ndft_group_plan *plan)
{
    const ndft_problem *p = &plan->problem->problem;
    const bool has_memory = ndft_seat_device(plan, 0)->backend->pin != NULL;
    size_t most = 0;
    for (int i = 0; i < plan->divisions && plan->group->communicator; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            const ndft_division *d = &plan->division[i];
            if (!(d->ops & op) || ndft_parts_are_summed(p, d->cut, (ndft_op)op)) continue;
            const ndft_piece piece =
                ndft_rank_piece(plan, d, plan->group->first, op == NDFT_FORWARD);
            if (has_memory || piece.rows > 1)
                most = larger(most, ndft_output_bytes(p, (ndft_op)op));
        }
    return most;
}

static ndft_status make_buffers(ndft_group_plan *plan, int device)
{
    ndft_seat *seat = &plan->seat[device];
    const ndft_problem *p = &plan->problem->problem;
    const size_t image = has_sums(plan) ? ndft_output_bytes(p, NDFT_ADJOINT) : 0;
    int images = 2; /* its own, and another's */
    for (int parts = ndft_parts_each(plan->group); parts > 2; parts /= 2) images++;
    for (int i = 0; i < 2 && i < ndft_parts_each(plan->group); i++) {
        const size_t in = most_bytes(plan, device, true, i),
                     out = most_bytes(plan, device, false, i);
        NDFT_TRY(take_memory(seat, "a part's input", in, &seat->in[i]));
        NDFT_TRY(take_memory(seat, "a part's output", out, &seat->out[i]));
    }
    NDFT_TRY(take_memory(seat, "all ranks' outputs", gathered_bytes(plan), &seat->whole));
    for (int i = 0; i < images; i++)
        NDFT_TRY(take_memory(seat, "a part's image", image, &seat->image[i]));
    return NDFT_OK;
}

/* Between parts something can move beside the next, and between ranks beside their own. */
static ndft_status make_beside(ndft_group_plan *plan, const ndft_opened *opened, ndft_seat *seat)
{
    const bool has_more = ndft_parts_each(plan->group) > 1 || plan->group->communicator;
    if (!has_more || !opened->backend->fork_beside) return NDFT_OK;
    return opened->backend->fork_beside(opened->exec, &seat->beside, &seat->error);
}

static ndft_status make_seat(ndft_group_plan *plan, int device)
{
    const ndft_opened *opened = ndft_seat_device(plan, device);
    ndft_seat *seat = &plan->seat[device];
    NDFT_TRY(opened->backend->fork(opened->exec, &seat->exec, ndft_thread_error()));
    seat->exec->error = &seat->error;
    const ndft_before before = ndft_enter(opened, true);
    ndft_status status = make_beside(plan, opened, seat);
    if (status == NDFT_OK) status = make_buffers(plan, device);
    ndft_leave(opened, before);
    return status == NDFT_OK ? status : ndft_tell(&seat->error);
}

static ndft_status make_device(void *context, int device)
{
    making *m = context;
    const int first = ndft_first_part(m->plan->group, device);
    for (int i = 0; i < m->plan->divisions; i++)
        for (int part = first; part < first + ndft_parts_each(m->plan->group); part++)
            NDFT_TRY(make_part(m, &m->plan->division[i], part, device));
    return m->plan->group->parts > 1 ? make_seat(m->plan, device) : NDFT_OK;
}

static ndft_status take_options(making *m, const ndft_group_plan_options *options,
                                ndft_group_split *split)
{
    ndft_plan_options *each = &m->each;
    ndft_group_plan_options o;
    NDFT_TRY(ndft_take_options("group plan options", options, &o, sizeof o));
    NDFT_TRY(ndft_take_options("plan options", o.each, each, sizeof *each));
    each->struct_size = sizeof *each;
    *split = o.split;
    if (!(o.link_bytes_s >= 0 && o.link_step_s >= 0))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "link_bytes_s=%g, link_step_s=%g; each at least 0", o.link_bytes_s,
                         o.link_step_s);
    m->link = ndft_link_of(m->plan->group, o.link_bytes_s, o.link_step_s);
    if (each->capacity)
        return ndft_fail(ndft_thread_error(), NDFT_EUNSUPPORTED,
                         "capacity: plans of a group take no new values; NULL");
    if (o.split > NDFT_SPLIT_SAMPLES)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "split=%d; NDFT_SPLIT_AUTO (0) to NDFT_SPLIT_SAMPLES (%d)", (int)o.split,
                         NDFT_SPLIT_SAMPLES);
    return NDFT_OK;
}

/* What ranks have alike, arrays by their digests. */
static void say_problem(const making *m, int split, char *words, size_t size)
{
    const ndft_problem *p = &m->plan->problem->problem;
    const ndft_digests d = ndft_digests_of(p);
    ndft_text w = ndft_text_in(words, size);
    ndft_text_add(&w, "a plan of %lld samples (%016" PRIx64 ") and %lld voxels (%016" PRIx64 ")",
                  (long long)p->n_samples, d.samples, (long long)p->n_voxels, d.voxels);
    ndft_text_add(&w, ", coils=%d", p->coils);
    if (p->maps) ndft_text_add(&w, " with maps (%016" PRIx64 ")", d.maps);
    ndft_text_add(&w, ", %s %s, tol=%.17g%s, ops=%u, split=%d", p->prec == NDFT_F32 ? "f32" : "f64",
                  p->layout == NDFT_PLANAR ? "planar" : "interleaved", p->tol,
                  p->tol_kind == NDFT_TOL_ANY ? " of any data" : "", m->plan->ops, split);
    if (m->each.deterministic) ndft_text_add(&w, ", deterministic");
    if (m->each.variant) ndft_text_add(&w, ", by %s", m->each.variant);
}

/* All ranks take the split of the first. */
static ndft_status agree_on_split(const making *m, ndft_status status, int asked,
                                  ndft_group_split *split)
{
    ndft_communicator *c = m->plan->group->communicator;
    char words[400] = "";
    int chosen = (int)*split;
    if (c) say_problem(m, asked, words, sizeof words);
    if (c) m->plan->number = ++c->plans;
    status = ndft_agree(c, ndft_seat_device(m->plan, 0), status, words, &chosen);
    *split = (ndft_group_split)chosen;
    return status;
}

static ndft_status make(ndft_group_plan *plan, const ndft_group_plan_options *options)
{
    making m = {.plan = plan};
    ndft_group *group = plan->group;
    ndft_group_split split = NDFT_SPLIT_AUTO;
    ndft_status status = take_options(&m, options, &split);
    const int asked = (int)split;
    m.each.deterministic |= group->is_fixed;
    if (status == NDFT_OK) status = choose_split(&m, &split);
    NDFT_TRY(agree_on_split(&m, status, asked, &split));
    NDFT_TRY(divide(plan, split));
    predict(&m);
    status = ndft_crew_run(group->crew, make_device, &m);
    return ndft_agree(group->communicator, ndft_seat_device(plan, 0), status, "", NULL);
}

ndft_status ndft_group_plan_create(ndft_group *group, const ndft_problem *problem, unsigned ops,
                                   const ndft_group_plan_options *options, ndft_group_plan **out)
{
    NDFT_POINTS;
    const unsigned all = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL;
    if (!group || !problem || !out)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a plan of a group needs a group, a problem and a place");
    *out = NULL;
    if (!ops || (ops & ~all))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "ops=%u; NDFT_FORWARD (1), NDFT_ADJOINT (2), NDFT_NORMAL (4), or'd", ops);
    ndft_owned *owned = (ndft_owned *)(uintptr_t)problem;
    if (!ndft_takes_values(owned))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a group divides problems of samples and voxels alone");
    ndft_group_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a plan");
    plan->group = group;
    plan->problem = owned;
    plan->ops = ops;
    __atomic_add_fetch(&group->users, 1, __ATOMIC_RELAXED);
    ndft_keep_problem(owned);
    const ndft_status status = make(plan, options);
    if (status == NDFT_OK)
        *out = plan;
    else
        ndft_group_plan_destroy(plan);
    return status;
}

static void leave_seat(ndft_group_plan *plan, int device)
{
    const ndft_opened *opened = ndft_seat_device(plan, device);
    ndft_exec *exec = plan->seat[device].exec;
    if (!exec) return;
    const ndft_before before = ndft_enter(opened, true);
    for (int i = 0; i < 2; i++) {
        exec->release(exec, plan->seat[device].in[i]);
        exec->release(exec, plan->seat[device].out[i]);
    }
    exec->release(exec, plan->seat[device].whole);
    for (int i = 0; i < NDFT_MOST_IMAGES; i++) exec->release(exec, plan->seat[device].image[i]);
    opened->backend->close(plan->seat[device].beside);
    opened->backend->close(exec);
    ndft_leave(opened, before);
}

void ndft_group_plan_destroy(ndft_group_plan *plan)
{
    if (!plan) return;
    for (int i = 0; i < plan->divisions; i++)
        for (int part = 0; part < plan->group->parts; part++)
            ndft_plan_destroy(plan->division[i].plan[part]);
    for (int device = 0; device < plan->group->own; device++) leave_seat(plan, device);
    ndft_problem_destroy(&plan->problem->problem);
    ndft_group_destroy(plan->group);
    free(plan);
}
