/* SPDX-License-Identifier: Apache-2.0 */
#include "group_plan.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

enum { LINE = 1 << 13 };

static void add_operations(ndft_text *l, const ndft_group_plan *plan, const ndft_division *d)
{
    static const char *const names[] = {
        [NDFT_FORWARD] = "forward", [NDFT_ADJOINT] = "adjoint", [NDFT_NORMAL] = "normal"};
    const char *comma = "";
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        if (!(d->ops & op)) continue;
        if (!ndft_parts_are_summed(&plan->problem->problem, d->cut, (ndft_op)op)) continue;
        ndft_text_add(l, "%s\"%s\"", comma, names[op]);
        comma = ",";
    }
}

static ndft_status add_division(ndft_text *l, const ndft_group_plan *plan, const ndft_division *d,
                                char line[LINE])
{
    NDFT_TRY(ndft_plan_describe(d->plan[ndft_first_part(plan->group, 0)], line, LINE));
    ndft_text_add(l, "{\"split\":\"%s\",\"sums\":[", ndft_cut_name(d->cut));
    add_operations(l, plan, d);
    ndft_text_add(l, "],\"part\":%s", line);
    if (isfinite(d->seconds)) {
        ndft_text_add(l, ",\"seconds\":");
        ndft_text_add_number(l, d->seconds);
    }
    ndft_text_add(l, "}");
    return NDFT_OK;
}

static ndft_status describe(ndft_text *l, const ndft_group_plan *plan, char line[LINE])
{
    NDFT_TRY(ndft_device_describe(plan->group->device[0], line, LINE));
    ndft_text_add(l, "{\"devices\":%d,\"parts\":%d,\"device\":%s,\"plans\":[", plan->group->n,
                  plan->group->parts, line);
    for (int i = 0; i < plan->divisions; i++) {
        if (i) ndft_text_add(l, ",");
        NDFT_TRY(add_division(l, plan, &plan->division[i], line));
    }
    ndft_text_add(l, "]}");
    return NDFT_OK;
}

ndft_status ndft_group_plan_describe(const ndft_group_plan *plan, char *text, size_t size)
{
    ndft_error *err = ndft_thread_error();
    if (!plan || (!text && size))
        return ndft_fail(err, NDFT_EINVAL, "%s is NULL", plan ? "text" : "plan");
    char *line = malloc(LINE);
    if (!line) return ndft_fail(err, NDFT_ENOMEM, "no memory for a plan's line");
    ndft_text l = ndft_text_in(text, size);
    const ndft_status status = describe(&l, plan, line);
    free(line);
    if (status != NDFT_OK || l.used < size) return status;
    return ndft_fail(err, NDFT_EINVAL, "the plan's line has %zu bytes, not %zu", l.used + 1, size);
}
