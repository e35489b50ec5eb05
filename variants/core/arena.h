/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ARENA_H
#define NDFT_ARENA_H

#include "base/exec.h"

/* The arrays of one CPU plan, released together. */

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

#endif
