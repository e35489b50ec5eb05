/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ARENA_H
#define NDFT_ARENA_H

#include "base/exec.h"
#include "base/problem.h"

#include <stdlib.h>

/* The arrays of one CPU plan, released together; a plan begins with its arena. */

enum { NDFT_ARENA_MAX = 64 };

typedef struct ndft_arena {
    ndft_exec *exec;
    int size;
    void *memory[NDFT_ARENA_MAX];
} ndft_arena;

static inline void ndft_arena_release(ndft_arena *arena)
{
    for (int i = 0; i < arena->size; i++) arena->exec->release(arena->exec, arena->memory[i]);
    arena->size = 0;
}

/* Uninitialised memory that the arena owns; what names it in messages. */
static inline ndft_status ndft_reserve(ndft_arena *arena, const char *what, size_t bytes,
                                       void **memory)
{
    if (arena->size == NDFT_ARENA_MAX)
        return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no room to note %s", what);
    NDFT_TRY(arena->exec->alloc(arena->exec, what, bytes, memory));
    arena->memory[arena->size++] = *memory;
    return NDFT_OK;
}

/* How a CPU plan is made: of zeros, `bytes` of them, its arena at their beginning; then filled for
 * a problem and operations from what the variant has of its own, `how`. destroy frees it, a plan
 * that could not be filled as well. */
typedef struct ndft_host_recipe {
    size_t bytes;
    ndft_status (*fill)(void *plan, const ndft_problem *, const void *how, unsigned ops);
    void (*destroy)(void *plan);
} ndft_host_recipe;

static inline ndft_status ndft_host_create(const ndft_host_recipe *recipe, const ndft_problem *p,
                                           const void *how, unsigned ops, ndft_exec *exec,
                                           void **out)
{
    ndft_arena *plan = (ndft_arena *)calloc(1, recipe->bytes);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    const ndft_status status = recipe->fill(plan, p, how, ops);
    if (status == NDFT_OK)
        *out = plan;
    else
        recipe->destroy(plan);
    return status;
}

/* NULL, or why a CPU plan cannot have so many threads; 0 are all. */
static inline const char *ndft_threads_unsupported(int threads)
{
    return threads > 1024 ? "threads must be at most 1024" : NULL;
}

/* destroy of a plan that has nothing but arrays. */
static inline void ndft_arena_destroy(void *plan)
{
    ndft_arena_release((ndft_arena *)plan);
    free(plan);
}

#endif
