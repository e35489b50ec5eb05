/* SPDX-License-Identifier: Apache-2.0 */
#include "guard.h"

#include "base/retained.h"
#include "workspace.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = 256, PATTERN = 0xa5 };

struct ndft_block {
    char *memory;         /* what the user sees; one band before, one after */
    size_t bytes, room;   /* room: of the memory itself, between bands */
    int64_t number, turn; /* turn: of the pool, when it was taken */
    bool lent, banded;    /* banded: by its bytes, from the time before if it was kept */
    char what[48];
    ndft_block *next;
};

static ndft_status lay_bands(ndft_pool *pool, ndft_exec *exec, const ndft_block *block)
{
    if (block->lent) return NDFT_OK;
    NDFT_TRY(pool->fill(exec, block->memory - BAND, PATTERN, BAND));
    return pool->fill(exec, block->memory + block->bytes, PATTERN, BAND);
}

/* Whose memory it is. */
static const ndft_account *owner_of(const ndft_account *account)
{
    while (account && !account->alloc) account = account->parent;
    return account;
}

void ndft_account_give_back(ndft_account *account, size_t bytes)
{
    for (; account; account = account->parent)
        __atomic_sub_fetch(&account->held, bytes, __ATOMIC_RELAXED);
}

static size_t room_in(const ndft_account *account)
{
    const size_t held = __atomic_load_n(&account->held, __ATOMIC_RELAXED);
    return !account->limit ? SIZE_MAX : held < account->limit ? account->limit - held : 0;
}

/* What is refused is never counted, so that it refuses nobody else. */
static bool reserve_in(ndft_account *account, size_t bytes)
{
    size_t held = __atomic_load_n(&account->held, __ATOMIC_RELAXED);
    do {
        if (account->limit && (held > account->limit || bytes > account->limit - held))
            return false;
    } while (!__atomic_compare_exchange_n(&account->held, &held, held + bytes, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

bool ndft_account_hold(ndft_account *first, size_t bytes)
{
    for (ndft_account *at = first; at; at = at->parent) {
        if (reserve_in(at, bytes)) continue;
        for (ndft_account *done = first; done != at; done = done->parent)
            __atomic_sub_fetch(&done->held, bytes, __ATOMIC_RELAXED);
        return false;
    }
    return true;
}

static ndft_status take(ndft_pool *pool, ndft_exec *exec, size_t bytes, void **raw)
{
    const ndft_account *owner = owner_of(exec->account);
    ndft_status status = NDFT_ENOMEM;
    if (!ndft_account_hold(exec->account, bytes)) return status;
    if (!owner)
        status = pool->raw_alloc(exec, bytes, raw);
    else if ((*raw = owner->alloc(bytes, owner->user)))
        status = NDFT_OK;
    if (status != NDFT_OK) ndft_account_give_back(exec->account, bytes);
    return status;
}

static void put_back(ndft_pool *pool, ndft_exec *exec, size_t bytes, void *raw)
{
    const ndft_account *owner = owner_of(exec->account);
    if (owner)
        owner->release(raw, owner->user);
    else
        pool->raw_free(exec, raw);
    ndft_account_give_back(exec->account, bytes);
}

/* With what is left of limits, or of the device. */
static ndft_status not_enough(ndft_exec *exec, const char *what, size_t bytes)
{
    const ndft_account *owner = owner_of(exec->account);
    size_t room = owner ? SIZE_MAX : exec->free_bytes(exec);
    for (const ndft_account *at = exec->account; at; at = at->parent)
        room = room_in(at) < room ? room_in(at) : room;
    if (room == SIZE_MAX)
        return ndft_fail(exec->error, NDFT_ENOMEM, "%s needs %zu bytes, and the caller has none",
                         what, bytes);
    return ndft_fail(exec->error, NDFT_ENOMEM, "%s needs %zu bytes of %s memory, %zu are free",
                     what, bytes, exec->device.backend, room);
}

/* Memory of its own, with no bands yet. */
static ndft_status make(ndft_pool *pool, ndft_exec *exec, const char *what, size_t bytes,
                        ndft_block **out)
{
    ndft_block *block = calloc(1, sizeof *block);
    void *raw = NULL;
    ndft_status status = NDFT_ENOMEM;
    if (block && bytes <= SIZE_MAX - 2 * BAND) status = take(pool, exec, bytes + 2 * BAND, &raw);
    if (status != NDFT_OK) { /* a device that is lost has memory enough */
        free(block);
        return status == NDFT_ENOMEM ? not_enough(exec, what, bytes) : status;
    }
    block->memory = (char *)raw + BAND;
    block->room = bytes;
    block->number = pool->taken++;
    strncpy(block->what, what, sizeof block->what - 1);
    exec->live_bytes += bytes;
    if (exec->live_bytes > exec->peak_bytes) exec->peak_bytes = exec->live_bytes;
    *out = block;
    return NDFT_OK;
}

/* The last of what is lent can be lent again, while it is. */
static void unmake_lent(ndft_pool *pool, ndft_block *block)
{
    if (pool->lent && block->memory + block->room == pool->lent + pool->lent_used)
        pool->lent_used -= block->room;
    free(block);
}

static void unmake(ndft_pool *pool, ndft_exec *exec, ndft_block *block)
{
    if (block->lent) {
        unmake_lent(pool, block);
        return;
    }
    exec->live_bytes -= block->room;
    put_back(pool, exec, block->room + 2 * BAND, block->memory - BAND);
    free(block);
}

static void unmake_spare(ndft_pool *pool, ndft_exec *exec, int64_t before)
{
    for (ndft_block **at = &pool->spare; *at;) {
        ndft_block *block = *at;
        if (block->turn >= before) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        unmake(pool, exec, block);
    }
}

/* The oldest that is kept of a name and is large enough, no longer kept; NULL: there is none. */
static ndft_block *find_spare(ndft_pool *pool, const char *what, size_t bytes)
{
    ndft_block **best = NULL;
    for (ndft_block **at = &pool->spare; *at; at = &(*at)->next)
        if ((*at)->room >= bytes && !strncmp((*at)->what, what, sizeof(*at)->what - 1) &&
            (!best || (*at)->number < (*best)->number))
            best = at;
    ndft_block *found = best ? *best : NULL;
    if (found) *best = found->next;
    return found;
}

static size_t aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

static ndft_status make_lent(ndft_pool *pool, ndft_exec *exec, const char *what, size_t bytes,
                             ndft_block **out)
{
    const size_t left = pool->lent_bytes - pool->lent_used;
    if (bytes > left || aligned(bytes) > left)
        return ndft_fail(exec->error, NDFT_ENOMEM,
                         "%s needs %zu bytes, and %zu of the workspace's %zu are left", what, bytes,
                         left, pool->lent_bytes);
    ndft_block *block = calloc(1, sizeof *block);
    if (!block) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for %s", what);
    block->memory = pool->lent + pool->lent_used;
    block->room = aligned(bytes);
    block->lent = true;
    strncpy(block->what, what, sizeof block->what - 1);
    pool->lent_used += block->room;
    *out = block;
    return NDFT_OK;
}

static ndft_status find(ndft_pool *pool, ndft_exec *exec, const char *what, size_t bytes,
                        ndft_block **block)
{
    if (pool->lent && ndft_is_workspace(what)) return make_lent(pool, exec, what, bytes, block);
    if ((*block = find_spare(pool, what, bytes))) return NDFT_OK;
    if (pool->keeping != NDFT_KEEP_ROOM) return make(pool, exec, what, bytes, block);
    return ndft_fail(exec->error, NDFT_ENOMEM,
                     "%s needs %zu bytes, more than the plan keeps for it", what, bytes);
}

ndft_status ndft_pool_alloc(ndft_pool *pool, ndft_exec *exec, const char *what, size_t bytes,
                            void **memory)
{
    ndft_block *block;
    *memory = NULL;
    NDFT_TRY(find(pool, exec, what, bytes, &block));
    const bool laid = block->banded && block->bytes == bytes;
    block->bytes = bytes;
    const ndft_status status = laid ? NDFT_OK : lay_bands(pool, exec, block);
    if (status != NDFT_OK) {
        unmake(pool, exec, block);
        return status;
    }
    block->banded = true;
    block->turn = pool->turn;
    block->next = pool->blocks;
    pool->blocks = block;
    exec->used_bytes += bytes;
    *memory = block->memory;
    return NDFT_OK;
}

void ndft_pool_release(ndft_pool *pool, ndft_exec *exec, void *memory)
{
    for (ndft_block **at = &pool->blocks; *at; at = &(*at)->next) {
        ndft_block *block = *at;
        if (block->memory != memory) continue;
        *at = block->next;
        exec->used_bytes -= block->bytes;
        if (pool->keeping == NDFT_KEEP_NONE || block->lent) {
            unmake(pool, exec, block);
            return;
        }
        block->next = pool->spare;
        pool->spare = block;
        return;
    }
}

void ndft_pool_keep(ndft_pool *pool, ndft_exec *exec, ndft_keeping keeping)
{
    pool->keeping = keeping;
    pool->turn++;
    exec->keeps = keeping != NDFT_KEEP_NONE;
    if (exec->keeps) return;
    ndft_forget(exec, NULL);
    unmake_spare(pool, exec, INT64_MAX);
}

void ndft_pool_trim(ndft_pool *pool, ndft_exec *exec) { unmake_spare(pool, exec, pool->turn); }

void ndft_pool_lend(ndft_pool *pool, void *memory, size_t bytes)
{
    pool->lent = memory;
    pool->lent_bytes = bytes;
    pool->lent_used = 0;
}

size_t ndft_pool_workspace(const ndft_pool *pool)
{
    size_t bytes = 0;
    for (const ndft_block *block = pool->blocks; block; block = block->next)
        if (ndft_is_workspace(block->what)) bytes += aligned(block->room);
    for (const ndft_block *block = pool->spare; block; block = block->next)
        if (ndft_is_workspace(block->what)) bytes += aligned(block->room);
    return bytes;
}

void ndft_pool_drop_workspace(ndft_pool *pool, ndft_exec *exec)
{
    for (ndft_block **at = &pool->spare; *at;) {
        ndft_block *block = *at;
        if (!ndft_is_workspace(block->what)) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        unmake(pool, exec, block);
    }
}

static ndft_status check_band(ndft_pool *pool, ndft_exec *exec, const ndft_block *block,
                              const char *side, const char *at)
{
    unsigned char band[BAND];
    NDFT_TRY(pool->get(exec, band, at, BAND));
    for (int i = 0; i < BAND; i++) {
        if (band[i] == PATTERN) continue;
        NDFT_TRY(lay_bands(pool, exec, block));
        return ndft_fail(exec->error, NDFT_EDEVICE, "wrote %s the buffer '%s' of %zu bytes", side,
                         block->what, block->bytes);
    }
    return NDFT_OK;
}

ndft_status ndft_pool_check(ndft_pool *pool, ndft_exec *exec)
{
    for (const ndft_block *block = pool->blocks; block; block = block->next) {
        if (block->lent) continue;
        NDFT_TRY(check_band(pool, exec, block, "before", block->memory - BAND));
        NDFT_TRY(check_band(pool, exec, block, "past", block->memory + block->bytes));
    }
    return NDFT_OK;
}

void ndft_pool_clear(ndft_pool *pool, ndft_exec *exec)
{
    ndft_pool_keep(pool, exec, NDFT_KEEP_NONE);
    while (pool->blocks) ndft_pool_release(pool, exec, pool->blocks->memory);
}
