/* SPDX-License-Identifier: Apache-2.0 */
#include "contestant.h"

#include "instruments/instruments.h"
#include "records/fields.h"

#include <stdio.h>
#include <string.h>

static ndft_status plan_one(const ndft_contest *c, ndft_contestant *one)
{
    const ndft_plan_options o = {
        .struct_size = sizeof o, .variant = c->variant, .mode = NDFT_MEASURE};
    return ndft_contest_status(c, ndft_plan_create(c->whole, c->op, &o, &one->one));
}

/* Whether an operation's images are summed. */
static bool is_summed(const json_t *plan, ndft_op op)
{
    size_t i;
    const json_t *name;
    json_array_foreach(json_object_get(plan, "sums"), i, name)
    {
        if (!strcmp(json_string_value(name), ndft_op_name(op))) return true;
    }
    return false;
}

/* What the plan says of itself; of the group's first division, which has the operation. */
static void say_what(const ndft_contest *c, ndft_contestant *one, bool *sums)
{
    char line[1 << 14];
    const ndft_status status = one->one ? ndft_plan_describe(one->one, line, sizeof line)
                                        : ndft_group_plan_describe(one->group, line, sizeof line);
    json_t *said = status == NDFT_OK ? json_loads(line, 0, NULL) : NULL;
    const json_t *plan = json_array_get(json_object_get(said, "plans"), 0);
    const json_t *part = plan ? json_object_get(plan, "part") : said;
    const json_t *operation = json_array_get(json_object_get(part, "operations"), 0);
    snprintf(one->split, sizeof one->split, "%s", plan ? ndft_field_text(plan, "split") : "");
    snprintf(one->engine, sizeof one->engine, "%s", ndft_field_text(operation, "variant"));
    *sums = plan && is_summed(plan, c->op);
    json_decref(said);
}

static ndft_status part_bytes(const ndft_contest *c, const ndft_contestant *one, int device,
                              bool output, size_t *bytes)
{
    ndft_group_part part;
    NDFT_TRY(ndft_contest_status(c, ndft_group_part_of(one->group, c->op, device, output, &part)));
    *bytes = (size_t)part.coils * (size_t)part.length * 2 * ndft_real_size(c->whole->prec);
    return NDFT_OK;
}

/* In parts inputs and gathered outputs stay where they are; so do whole ones, which each rank has.
 */
static ndft_status find_moved(const ndft_contest *c, bool sums, ndft_contestant *one)
{
    size_t in, out;
    if (one->n < 2) return NDFT_OK;
    NDFT_TRY(part_bytes(c, one, one->n - 1, false, &in));
    NDFT_TRY(part_bytes(c, one, one->n - 1, true, &out));
    one->moved = (ndft_moved){.in = one->in_parts || one->by_ranks ? 0 : (double)in,
                              .out = one->in_parts || sums ? 0 : (double)out,
                              .sum = sums ? (double)out : 0};
    return NDFT_OK;
}

static ndft_status take_part(const ndft_contest *c, int device, size_t bytes, void **memory)
{
    return c->exec[device]->alloc(c->exec[device], "a part", bytes, memory);
}

/* What is in a part does not matter: it is the input's beginning. */
static ndft_status take_parts_of(const ndft_contest *c, int device, ndft_contestant *one)
{
    size_t in, out;
    NDFT_TRY(part_bytes(c, one, c->first + device, false, &in));
    NDFT_TRY(part_bytes(c, one, c->first + device, true, &out));
    NDFT_TRY(take_part(c, device, out, &one->out_of[device]));
    NDFT_TRY(take_part(c, device, in, &one->in_of[device]));
    return c->exec[device]->upload(c->exec[device], one->in_of[device],
                                   ndft_made_input(&c->made, c->op), in);
}

int ndft_contestant_places(const ndft_contestant *one)
{
    return one->in_parts && !one->by_ranks ? one->n : 1;
}

static ndft_status take_arrays(const ndft_contest *c, ndft_contestant *one)
{
    ndft_status status = NDFT_OK;
    if (!one->in_parts) {
        one->in_of[0] = c->in;
        one->out_of[0] = c->out;
    }
    for (int i = 0; i < ndft_contestant_places(one) && one->in_parts && status == NDFT_OK; i++) {
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        status = take_parts_of(c, i, one);
        ndft_turn_back(c->backend, before);
    }
    return status;
}

ndft_status ndft_contestant_plan(const ndft_contest *c, ndft_contestant *one)
{
    bool sums;
    if (!one->n) NDFT_TRY(plan_one(c, one));
    if (one->n && !one->shares)
        NDFT_TRY(ndft_contest_group(c, one->communicator, one->n, 0, NDFT_MEASURE, &one->group));
    say_what(c, one, &sums);
    NDFT_TRY(find_moved(c, sums, one));
    return take_arrays(c, one);
}

void ndft_contestant_clocks(const ndft_contest *c, ndft_contestant *one)
{
    const ndft_instruments *with = ndft_instruments_of(c->backend->name);
    one->clocks++;
    for (int i = 0; i < (one->n ? one->n : 1); i++) {
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        one->clock_mhz[i] +=
            (with->facts(c->exec[i]).sm_clock_mhz - one->clock_mhz[i]) / one->clocks;
        ndft_turn_back(c->backend, before);
    }
}

ndft_status ndft_contestant_apply(const ndft_contest *c, const ndft_contestant *one)
{
    if (one->in_parts)
        return ndft_contest_status(c, ndft_group_execute_parts(one->group, c->op,
                                                               (const void *const *)one->in_of,
                                                               one->out_of));
    if (one->group)
        return ndft_contest_status(
            c, ndft_group_execute(one->group, c->op, one->in_of[0], one->out_of[0]));
    NDFT_TRY(ndft_contest_status(c, ndft_execute(one->one, c->op, one->in_of[0], one->out_of[0])));
    return ndft_contest_status(c, ndft_device_sync(c->device));
}

void ndft_contestant_free(const ndft_contest *c, ndft_contestant *one)
{
    ndft_plan_destroy(one->one);
    if (!one->shares) ndft_group_plan_destroy(one->group);
    for (int i = 0; i < ndft_contestant_places(one); i++) {
        if (!c->exec[i]) continue;
        const ndft_before before = ndft_turn_to(c->backend, c->exec[i]);
        c->exec[i]->release(c->exec[i], one->vectors[i]);
        if (one->in_parts) c->exec[i]->release(c->exec[i], one->in_of[i]);
        if (one->in_parts) c->exec[i]->release(c->exec[i], one->out_of[i]);
        ndft_turn_back(c->backend, before);
    }
    if (!one->shares) ndft_ranks_end(one->ranks);
}
