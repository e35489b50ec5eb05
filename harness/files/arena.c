/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include "base/memory/memory.h"

#include <stdlib.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

typedef struct ndft_arena_block {
    struct ndft_arena_block *next;
} block;

/* Takes every page now, so that the next question about memory counts them. */
static void touch(char *memory, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < bytes; at += page) memory[at] = 0;
}

void *ndft_arena_alloc(ndft_arena *arena, const char *what, int64_t count, size_t size,
                       ndft_error *err)
{
    double wanted = (double)count * (double)size, available = (double)ndft_memory_available();
    block *b = NULL;
    if (wanted <= available) {
        size_t bytes = ALIGNMENT + (size_t)count * size;
        b = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        if (b) touch((char *)b, bytes);
    }
    if (!b) {
        ndft_fail(err, NDFT_ENOMEM, "%s: no memory: %.0f bytes wanted, %.0f free", what, wanted,
                  available);
        return NULL;
    }
    b->next = arena->blocks;
    arena->blocks = b;
    return (char *)b + ALIGNMENT;
}

void ndft_arena_free(ndft_arena *arena)
{
    while (arena->blocks) {
        block *b = arena->blocks;
        arena->blocks = b->next;
        free(b);
    }
}
