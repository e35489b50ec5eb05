/* SPDX-License-Identifier: Apache-2.0 */
#include "staging.h"

#include "descriptor.h"
#include "promise.h"
#include "registry.h"

#include <string.h>

enum { IN, OUT, CHUNK = 1 << 20 }; /* while a chunk goes to the device the next is copied */

static void drop(ndft_staging *s, int side)
{
    if (s->pinned[side]) s->backend->unpin(s->exec, s->pinned[side]);
    if (s->device[side]) s->exec->release(s->exec, s->device[side]);
    s->pinned[side] = s->device[side] = NULL;
    s->room[side] = 0;
}

static ndft_status make_room(ndft_staging *s, int side, size_t bytes, bool keeps)
{
    if (bytes <= s->room[side]) return NDFT_OK;
    drop(s, side);
    NDFT_TRY(s->exec->alloc(s->exec, side == IN ? "input" : "output", bytes, &s->device[side]));
    s->room[side] = bytes;
    const ndft_status pinned = keeps ? s->backend->pin(s->exec, bytes, &s->pinned[side]) : NDFT_OK;
    return pinned == NDFT_ENOMEM ? NDFT_OK : pinned;
}

static ndft_status upload(ndft_staging *s, int side, const void *from, size_t bytes)
{
    char *pinned = s->pinned[side], *device = s->device[side];
    if (!pinned) return s->exec->upload(s->exec, device, from, bytes);
    for (size_t at = 0; at < bytes; at += CHUNK) {
        const size_t part = bytes - at < CHUNK ? bytes - at : CHUNK;
        memcpy(pinned + at, (const char *)from + at, part);
        NDFT_TRY(s->backend->copy(s->exec, device + at, pinned + at, part));
    }
    return NDFT_OK;
}

/* In place there is one vector on the device. */
static ndft_status queue(ndft_staging *s, const ndft_prepared *plan, ndft_op op, const void *in,
                         const void *out, bool keeps)
{
    const ndft_problem *p = plan->problem;
    const ndft_kind_of_problem kind = ndft_kind_served(plan->variant);
    const size_t bytes_in = ndft_input_bytes(p, op);
    const int side = ndft_in_place(kind, p) ? IN : OUT;
    s->bytes = ndft_output_bytes(p, op);
    NDFT_TRY(make_room(s, IN, bytes_in, keeps));
    NDFT_TRY(make_room(s, side, s->bytes, keeps));
    s->tensor = kind == NDFT_UNIFORM && s->pinned[side] ? &ndft_transform_of(p)->out : NULL;
    s->prec = p->prec;
    /* What it does not write is to stay: all else where all comes back, elements where a store
     * function leaves some out. */
    if (kind == NDFT_UNIFORM && side == OUT && (!s->tensor || ndft_transform_of(p)->store))
        NDFT_TRY(upload(s, OUT, out, s->bytes));
    NDFT_TRY(upload(s, IN, in, bytes_in));
    NDFT_TRY(ndft_prepared_execute(plan, op, s->device[IN], s->device[side]));
    s->from = s->device[side];
    if (!s->pinned[side]) return NDFT_OK;
    return s->backend->copy(s->exec, s->pinned[side], s->from, s->bytes);
}

ndft_status ndft_staging_begin(ndft_staging *s, const ndft_prepared *plan, ndft_op op,
                               const void *in, void *out, bool keeps)
{
    s->exec = plan->exec;
    s->backend = ndft_backend_find(plan->exec->device.backend);
    NDFT_TRY(queue(s, plan, op, in, out, keeps));
    s->to = out;
    return NDFT_OK;
}

ndft_status ndft_staging_end(ndft_staging *s)
{
    void *to = s->to;
    const void *pinned = s->pinned[s->from == s->device[IN] ? IN : OUT];
    s->to = NULL;
    NDFT_TRY(s->backend->sync(s->exec));
    if (!pinned) return s->backend->download(s->exec, to, s->from, s->bytes);
    if (s->tensor)
        ndft_tensor_copy(s->tensor, s->prec, pinned, to);
    else
        memcpy(to, pinned, s->bytes);
    return NDFT_OK;
}

size_t ndft_staging_pinned(const ndft_staging *s)
{
    return (s->pinned[IN] ? s->room[IN] : 0) + (s->pinned[OUT] ? s->room[OUT] : 0);
}

void ndft_staging_free(ndft_staging *s)
{
    if (!s->backend) return;
    if (s->to) (void)s->backend->sync(s->exec); /* of an execution that nobody ended */
    drop(s, IN);
    drop(s, OUT);
    *s = (ndft_staging){0};
}

ndft_status ndft_prepared_execute_host(const ndft_prepared *plan, ndft_op op, const void *in,
                                       void *out)
{
    ndft_staging s = {0};
    ndft_status status = ndft_staging_begin(&s, plan, op, in, out, false);
    if (status == NDFT_OK) status = ndft_staging_end(&s);
    ndft_staging_free(&s);
    return status;
}
