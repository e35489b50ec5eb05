/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "plan_objects.h"
#include "promise.h"
#include "traits.h"

static void add_operation(ndft_text *l, const ndft_plan *plan, const ndft_engine *engine,
                          ndft_op op)
{
    static const char *const names[] = {
        [NDFT_FORWARD] = "forward", [NDFT_ADJOINT] = "adjoint", [NDFT_NORMAL] = "normal"};
    const ndft_candidate *c = &engine->candidate;
    const ndft_variant *v = c->entry->variant;
    const ndft_promise promise =
        ndft_promise_of(c->entry->kind, v, c->knobs, &plan->problem->problem, op);
    char id[NDFT_ID_MAX];
    ndft_id_print(c, id, sizeof id);
    ndft_text_add(l, "{\"op\":\"%s\",\"variant\":\"%s\",\"why\":\"%s\",\"estimated_s\":", names[op],
                  id, engine->named ? "asked for" : "fastest by estimate");
    if (engine->named)
        ndft_text_add(l, "null");
    else
        ndft_text_add(l, "%.4g", engine->estimated_s);
    ndft_text_add(l, ",\"typical\":%.4g,\"any\":%.4g,\"deterministic\":%s,\"capturable\":%s}",
                  promise.typical, promise.any,
                  ndft_traits_of(v, c->knobs).claim.deterministic ? "true" : "false",
                  plan->problem->device->backend->use_stream && !v->uncapturable ? "true"
                                                                                 : "false");
}

ndft_status ndft_plan_describe(const ndft_plan *plan, char *text, size_t size)
{
    ndft_text l = ndft_text_in(text, size);
    ndft_text_add(&l, "{\"operations\":[");
    for (int i = 0, n = 0; i < plan->engines; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            if (!(plan->engine[i].ops & op)) continue;
            if (n++) ndft_text_add(&l, ",");
            add_operation(&l, plan, &plan->engine[i], (ndft_op)op);
        }
    ndft_text_add(&l, "],\"bytes\":%zu}", plan->exec->live_bytes);
    if (l.used < size) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a plan's line has %zu bytes, not %zu",
                     l.used + 1, size);
}
