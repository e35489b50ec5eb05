/* SPDX-License-Identifier: Apache-2.0 */
#include "contest.h"

#include "peak/ceilings.h"
#include "peak/peak.h"

#include <string.h>

ndft_status ndft_contest_status(const ndft_contest *c, ndft_status status)
{
    return status == NDFT_OK ? status : ndft_fail(c->err, status, "%s", ndft_message());
}

/* Conjugate gradients have one image, whose normal operator every device has the sum of. */
static ndft_status check_iterations(const ndft_contest *c)
{
    const ndft_problem *p = &c->made.problem;
    if (!c->iterations || (c->op == NDFT_NORMAL && (p->maps || p->coils == 1))) return NDFT_OK;
    return ndft_fail(c->err, NDFT_EINVAL,
                     "--cg solves equations of a normal operator of one image; nearest: normal, %s",
                     p->maps || p->coils == 1 ? "as it is" : "maps=birdcage");
}

ndft_status ndft_contest_parse(ndft_contest *c, const char *text)
{
    NDFT_TRY(ndft_case_parse(text, &c->problem, c->err));
    const ndft_kind *kind = ndft_kind_of(&c->problem);
    if (kind->problems != NDFT_NONUNIFORM)
        return ndft_fail(c->err, NDFT_EINVAL,
                         "--gpus divides cases of samples and voxels, and this is a %s case",
                         kind->name);
    c->op = c->problem.op;
    return NDFT_OK;
}

ndft_status ndft_contest_make(ndft_contest *c)
{
    NDFT_TRY(ndft_kind_of(&c->problem)->make(&c->problem, &c->made, c->err));
    return check_iterations(c);
}

static ndft_status open_devices(ndft_contest *c)
{
    const bool is_cpu = !strcmp(c->backend->name, "cpu");
    for (int i = 0; i < c->devices; i++) {
        NDFT_TRY(c->backend->open(is_cpu ? 0 : c->first + i, &c->exec[i], c->err));
        if (is_cpu) c->exec[i]->threads = c->each.threads;
    }
    return NDFT_OK;
}

static ndft_status fill_vectors(ndft_contest *c)
{
    ndft_exec *exec = c->exec[0];
    NDFT_TRY(exec->alloc(exec, "input", c->in_bytes, &c->in));
    NDFT_TRY(exec->alloc(exec, "output", c->out_bytes, &c->out));
    return exec->upload(exec, c->in, ndft_made_input(&c->made, c->op), c->in_bytes);
}

static ndft_status open_problem(ndft_contest *c)
{
    char name[NDFT_DEVICE_NAME];
    NDFT_TRY(ndft_device_open(ndft_device_name(c->backend, c->first, name), &c->each, &c->device));
    return ndft_problem_again(c->device, &c->made.problem, &c->whole);
}

/* The link between its devices, if it was measured: groups are told. */
static void find_link(ndft_contest *c)
{
    static const double hand_over_s = 10e-6; /* of threads, beside a message */
    json_t *ceilings = ndft_ceilings_read(&c->exec[0]->device);
    const double bytes_s = ndft_peak_value(ceilings, "link_bytes_0_1");
    const double messages = ndft_peak_value(ceilings, "link_messages_0_1");
    json_decref(ceilings);
    if (!(bytes_s > 0 && messages > 0)) return;
    c->link_bytes_s = bytes_s;
    c->link_step_s = hand_over_s + 1 / messages;
}

ndft_status ndft_contest_open(ndft_contest *c)
{
    c->each.struct_size = sizeof c->each;
    c->in_bytes = ndft_input_bytes(&c->made.problem, c->op);
    c->out_bytes = ndft_output_bytes(&c->made.problem, c->op);
    NDFT_TRY(open_devices(c));
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    const ndft_status status = fill_vectors(c);
    ndft_turn_back(c->backend, before);
    NDFT_TRY(status);
    find_link(c);
    return ndft_contest_status(c, open_problem(c));
}

void ndft_contest_close(ndft_contest *c)
{
    ndft_problem_destroy(c->whole);
    ndft_device_close(c->device);
    for (int i = 0; i < c->devices; i++) {
        if (!c->exec[i]) continue;
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        if (!i && c->in) c->exec[0]->release(c->exec[0], c->in);
        if (!i && c->out) c->exec[0]->release(c->exec[0], c->out);
        c->backend->close(c->exec[i]);
        ndft_turn_back(c->backend, before);
    }
    if (c->made.image) ndft_made_free(&c->made);
}

static ndft_status make_group(const ndft_contest *c, ndft_communicator *communicator, int n,
                              int parts, ndft_group **group)
{
    char text[NDFT_MOST_PARTS][NDFT_DEVICE_NAME];
    const char *names[NDFT_MOST_PARTS];
    for (int i = 0; i < n; i++) names[i] = ndft_device_name(c->backend, c->first + i, text[i]);
    return communicator ? ndft_group_join(communicator, names[0], parts, &c->each, group)
                        : ndft_group_create(n, names, parts, &c->each, group);
}

ndft_status ndft_contest_group(const ndft_contest *c, ndft_communicator *communicator, int n,
                               int parts, ndft_plan_mode mode, ndft_group_plan **plan)
{
    const ndft_plan_options each = {
        .struct_size = sizeof each, .variant = c->variant, .mode = mode};
    const ndft_group_plan_options o = {.struct_size = sizeof o,
                                       .each = &each,
                                       .link_bytes_s = c->link_bytes_s,
                                       .link_step_s = c->link_step_s};
    ndft_group *group = NULL;
    ndft_status status = make_group(c, communicator, n, parts, &group);
    if (status == NDFT_OK) status = ndft_group_plan_create(group, c->whole, c->op, &o, plan);
    ndft_group_destroy(group);
    return ndft_contest_status(c, status);
}

ndft_status ndft_contest_by_parts(const ndft_contest *c, ndft_communicator *communicator, int n,
                                  void *out)
{
    ndft_group_plan *plan = NULL;
    NDFT_TRY(ndft_contest_group(c, communicator, n, NDFT_COMPARED_PARTS, NDFT_ESTIMATE, &plan));
    const ndft_status status =
        ndft_group_execute_host(plan, c->op, ndft_made_input(&c->made, c->op), out);
    ndft_group_plan_destroy(plan);
    return ndft_contest_status(c, status);
}
