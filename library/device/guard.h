/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GUARD_H
#define NDFT_GUARD_H

#include "base/exec.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The guarded, counted allocator of every backend: each buffer lies between two bands of a known
 * pattern, which ndft_pool_check verifies. A backend supplies the raw memory, fills and copies.
 */
typedef struct ndft_block ndft_block;

/* Whether an account and those above it have room for so much, which they hold from then on. */
bool ndft_account_hold(ndft_account *, size_t bytes);
void ndft_account_give_back(ndft_account *, size_t bytes);

/* What becomes of memory that is released, and who gets it. */
typedef enum ndft_keeping {
    NDFT_KEEP_NONE, /* it is given back */
    NDFT_KEEP_ALL,  /* it stays for later allocations of its name, each of which takes the oldest
                     * that is large enough, or more memory */
    NDFT_KEEP_ROOM  /* the same, and more memory is refused */
} ndft_keeping;

typedef struct ndft_pool {
    /* NDFT_ENOMEM without a message where there is too little; other errors with theirs. */
    ndft_status (*raw_alloc)(ndft_exec *, size_t bytes, void **memory);
    void (*raw_free)(ndft_exec *, void *memory);
    ndft_status (*fill)(ndft_exec *, void *device, int byte, size_t bytes); /* need not wait */
    ndft_status (*get)(ndft_exec *, void *host, const void *device, size_t bytes);
    ndft_block *blocks, *spare; /* newest first */
    ndft_keeping keeping;
    int64_t taken; /* blocks so far */
    int64_t turn;  /* how often what becomes of memory was said */
    char *lent;    /* for workspaces; NULL: they are of its own */
    size_t lent_bytes, lent_used;
} ndft_pool;

/* 256-byte aligned where the raw memory is. NDFT_ENOMEM, with what, bytes wanted and free; or what
 * raw_alloc says. */
ndft_status ndft_pool_alloc(ndft_pool *, ndft_exec *, const char *what, size_t bytes, void **);
void ndft_pool_release(ndft_pool *, ndft_exec *, void *memory);

/* From now on. What was kept is given back with NDFT_KEEP_NONE, and what exec keeps is forgotten,
 * but for what somebody has. */
void ndft_pool_keep(ndft_pool *, ndft_exec *, ndft_keeping);

/* Gives back what is kept and was not taken since then. */
void ndft_pool_trim(ndft_pool *, ndft_exec *);

/*
 * From now on workspaces, what engines write anew whenever they are executed, are of somebody
 * else's memory from its beginning on, aligned to 256, which others may use between executions, and
 * which has no bands. NULL: of its own again. Nothing that is kept is given to them meanwhile.
 */
void ndft_pool_lend(ndft_pool *, void *memory, size_t bytes);

/* Bytes that all workspaces that it holds or keeps would take of what is lent. */
size_t ndft_pool_workspace(const ndft_pool *);

/* Gives back those that are kept. */
void ndft_pool_drop_workspace(ndft_pool *, ndft_exec *);

/* NDFT_EDEVICE, naming buffer and side, when a band was overwritten; the band is repaired. */
ndft_status ndft_pool_check(ndft_pool *, ndft_exec *);

/* Releases every live buffer, and what was kept. */
void ndft_pool_clear(ndft_pool *, ndft_exec *);

#ifdef __cplusplus
}
#endif
#endif
