/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAKE_ARENA_H
#define NDFT_MAKE_ARENA_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Host memory that is released all at once: what a problem owns, and what making it needs. */
typedef struct ndft_arena {
    struct ndft_arena_block *blocks; /* newest first; zero-initialise */
} ndft_arena;

/* Memory for count elements of size bytes, 64-byte aligned, uninitialised. NULL when it does not
 * suffice (NDFT_ENOMEM, with the bytes wanted and free; what names the array). */
void *ndft_arena_alloc(ndft_arena *, const char *what, int64_t count, size_t size, ndft_error *);

void ndft_arena_free(ndft_arena *);

#endif
