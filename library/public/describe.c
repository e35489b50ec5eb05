/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"
#include "promise.h"
#include "traits.h"

#include <stdarg.h>
#include <stdio.h>

/* A line that grows; what does not fit is counted. */
typedef struct line {
    char *text;
    size_t size, used;
} line;

static void add(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const bool room = l->used < l->size;
    const int more =
        vsnprintf(room ? l->text + l->used : NULL, room ? l->size - l->used : 0, format, args);
    va_end(args);
    l->used += (size_t)more;
}

static void add_operation(line *l, const ndft_plan *plan, const ndft_engine *engine, ndft_op op)
{
    static const char *const names[] = {
        [NDFT_FORWARD] = "forward", [NDFT_ADJOINT] = "adjoint", [NDFT_NORMAL] = "normal"};
    const ndft_candidate *c = &engine->candidate;
    const ndft_variant *v = c->entry->variant;
    const ndft_promise promise =
        ndft_promise_of(c->entry->kind, v, c->knobs, &plan->problem->problem, op);
    char id[NDFT_ID_MAX];
    ndft_id_print(c, id, sizeof id);
    add(l, "{\"op\":\"%s\",\"variant\":\"%s\",\"why\":\"%s\",\"estimated_s\":", names[op], id,
        engine->named ? "asked for" : "fastest by estimate");
    if (engine->named)
        add(l, "null");
    else
        add(l, "%.4g", engine->estimated_s);
    add(l, ",\"typical\":%.4g,\"any\":%.4g,\"deterministic\":%s,\"capturable\":%s}",
        promise.typical, promise.any,
        ndft_traits_of(v, c->knobs).claim.deterministic ? "true" : "false",
        plan->problem->device->backend->use_stream && !v->uncapturable ? "true" : "false");
}

ndft_status ndft_plan_describe(const ndft_plan *plan, char *text, size_t size)
{
    line l = {.size = size};
    l.text = text;
    add(&l, "{\"operations\":[");
    for (int i = 0, n = 0; i < plan->engines; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            if (!(plan->engine[i].ops & op)) continue;
            if (n++) add(&l, ",");
            add_operation(&l, plan, &plan->engine[i], (ndft_op)op);
        }
    add(&l, "],\"bytes\":%zu}", plan->exec->live_bytes);
    if (l.used < size) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a plan's line has %zu bytes, not %zu",
                     l.used + 1, size);
}
