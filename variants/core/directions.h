/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECTIONS_H
#define NDFT_DIRECTIONS_H

#include "arena.h"
#include "loop.h"

#include "base/variant.h"

#include <stdlib.h>

/* Plans of CPU variants that prepare forward and adjoint apart, each a structure of the variant's
 * own that its loop reads. */

/* Fills a direction, zero so far, for one operation; its arrays belong to the arena. how: the
 * variant's knobs, or what it makes of them. */
typedef ndft_status ndft_direction_prepare(ndft_arena *, const ndft_problem *, ndft_op,
                                           const void *how, void *direction);

typedef struct ndft_directions {
    ndft_arena arena;
    void *direction[2]; /* forward, adjoint; NULL: not served */
    ndft_direction_loop *loop[2];
} ndft_directions;

/* A direction that is served, for what is alike in both. */
static inline const void *ndft_direction_served(const void *state)
{
    const ndft_directions *plan = (const ndft_directions *)state;
    return plan->direction[0] ? plan->direction[0] : plan->direction[1];
}

static inline void ndft_directions_destroy(void *state)
{
    ndft_directions *plan = (ndft_directions *)state;
    ndft_arena_release(&plan->arena);
    free(plan->direction[0]);
    free(plan->direction[1]);
    free(plan);
}

static inline ndft_status ndft_directions_add(ndft_directions *plan, const ndft_problem *p,
                                              ndft_op op, const void *how, size_t bytes,
                                              ndft_direction_prepare *prepare)
{
    void *direction = calloc(1, bytes);
    if (!direction) return ndft_fail(plan->arena.exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->direction[op == NDFT_ADJOINT] = direction;
    return prepare(&plan->arena, p, op, how, direction);
}

/* Of a descriptor, whose plan is made by ndft_directions_create. */
#define NDFT_DIRECTIONS(create)                                                                    \
    .plan = (create), .execute = ndft_directions_execute, .destroy = ndft_directions_destroy

/* A plan for the operations in ops, of directions of so many bytes and with loops by instruction
 * set and precision; on failure nothing stays allocated. */
static inline ndft_status ndft_directions_create(const ndft_problem *p, const void *how,
                                                 unsigned ops, ndft_exec *exec, size_t bytes,
                                                 ndft_direction_prepare *prepare,
                                                 ndft_direction_loop *const forward[3][2],
                                                 ndft_direction_loop *const adjoint[3][2],
                                                 void **out)
{
    const ndft_isa isa = exec->device.isa;
    ndft_directions *plan = (ndft_directions *)calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    *plan = (ndft_directions){.arena.exec = exec,
                              .loop = {forward[isa][p->prec], adjoint[isa][p->prec]}};
    ndft_status status = NDFT_OK;
    if (ops & NDFT_FORWARD)
        status = ndft_directions_add(plan, p, NDFT_FORWARD, how, bytes, prepare);
    if (status == NDFT_OK && ops & NDFT_ADJOINT)
        status = ndft_directions_add(plan, p, NDFT_ADJOINT, how, bytes, prepare);
    if (status != NDFT_OK) {
        ndft_directions_destroy(plan);
        return status;
    }
    *out = plan;
    return NDFT_OK;
}

static inline ndft_status ndft_directions_execute(void *state, ndft_op op, const void *in,
                                                  void *out)
{
    const ndft_directions *plan = (const ndft_directions *)state;
    plan->loop[op == NDFT_ADJOINT](plan->direction[op == NDFT_ADJOINT], in, out);
    return NDFT_OK;
}

#endif
