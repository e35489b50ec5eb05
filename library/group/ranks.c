/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What ranks do together, by messages. */

/* Each with its partner of every level at once. The sum of two is the same whichever way round, so
 * all have that of the tree; ranks beyond a power of two give theirs first and get all at the end.
 */
ndft_status ndft_sum_over_ranks(ndft_communicator *c, const ndft_exec *exec, size_t bytes,
                                ndft_adder *add, void *context, void *sum, void *received)
{
    int power = 1;
    while (2 * power <= c->size) power *= 2;
    const ndft_parcel up = {c->rank - power, sum, bytes, NULL, 0};
    const ndft_parcel all = {c->rank - power, NULL, 0, sum, bytes};
    if (c->rank >= power) {
        NDFT_TRY(ndft_exchange(c, exec, &up, 1));
        return ndft_exchange(c, exec, &all, 1);
    }
    const bool has_more = c->rank + power < c->size;
    const ndft_parcel more = {c->rank + power, NULL, 0, received, bytes};
    if (has_more) {
        NDFT_TRY(ndft_exchange(c, exec, &more, 1));
        NDFT_TRY(add(context, received, sum));
    }
    for (int apart = 1; apart < power; apart *= 2) {
        const ndft_parcel both = {c->rank ^ apart, sum, bytes, received, bytes};
        NDFT_TRY(ndft_exchange(c, exec, &both, 1));
        NDFT_TRY(add(context, received, sum));
    }
    const ndft_parcel down = {c->rank + power, sum, bytes, NULL, 0};
    return has_more ? ndft_exchange(c, exec, &down, 1) : NDFT_OK;
}

static ndft_status gather_by(ndft_communicator *c, const ndft_transport *transport,
                             const ndft_exec *exec, void *all, const size_t first[])
{
    ndft_parcel parcels[NDFT_MOST_PARTS];
    char *blocks = all;
    int n = 0;
    const size_t own = first[c->rank + 1] - first[c->rank];
    for (int peer = 0; peer < c->size; peer++)
        if (peer != c->rank)
            parcels[n++] = (ndft_parcel){peer, blocks + first[c->rank], own, blocks + first[peer],
                                         first[peer + 1] - first[peer]};
    return c->is_broken ? ndft_tell(&c->why) : transport->exchange(c, exec, parcels, n);
}

ndft_status ndft_gather_over_ranks(ndft_communicator *c, const ndft_exec *exec, char *all,
                                   const size_t first[])
{
    return gather_by(c, c->transport, exec, all, first);
}

void ndft_call_begin(ndft_communicator *c, uint32_t plan, uint32_t op)
{
    c->call = (ndft_call){plan, op, c->call.number + 1};
}

/* A byte to all peers, or from them: what tells is what goes before it. */
static ndft_status pass_byte(ndft_communicator *c, bool out)
{
    ndft_parcel parcels[NDFT_MOST_PARTS];
    char byte = 0, bytes[NDFT_MOST_PARTS];
    int n = 0;
    if (c->transport == &ndft_tcp || !c->meshed) return NDFT_OK;
    for (int peer = 0; peer < c->size; peer++)
        if (peer != c->rank)
            parcels[n++] = out ? (ndft_parcel){peer, &byte, 1, NULL, 0}
                               : (ndft_parcel){peer, NULL, 0, &bytes[peer], 1};
    return c->is_broken ? ndft_tell(&c->why) : ndft_tcp.exchange(c, NULL, parcels, n);
}

ndft_status ndft_call_say(ndft_communicator *c) { return pass_byte(c, true); }

ndft_status ndft_call_check(ndft_communicator *c) { return pass_byte(c, false); }

/* What one rank says. */
typedef struct said {
    ndft_error error;
    int value;
    char words[400];
} said;

/* By way of the device's memory. */
static ndft_status share_by_device(ndft_communicator *c, const ndft_opened *opened, said *all,
                                   const size_t first[])
{
    ndft_exec *exec = opened->exec;
    void *memory = NULL;
    const ndft_before before = ndft_enter(opened, true);
    ndft_status status = exec->alloc(exec, "words of ranks", first[c->size], &memory);
    if (status != NDFT_OK) status = ndft_tell(exec->error);
    if (status == NDFT_OK) status = exec->upload(exec, memory, all, first[c->size]);
    if (status == NDFT_OK) status = ndft_gather_over_ranks(c, exec, memory, first);
    if (status == NDFT_OK) status = ndft_settle(c, exec);
    if (status == NDFT_OK) status = opened->backend->download(exec, all, memory, first[c->size]);
    exec->release(exec, memory);
    ndft_leave(opened, before);
    return status;
}

static ndft_status share(ndft_communicator *c, const ndft_opened *opened, said *all)
{
    size_t first[NDFT_MOST_PARTS + 1];
    for (int rank = 0; rank <= c->size; rank++) first[rank] = (size_t)rank * sizeof *all;
    const ndft_status status = c->meshed ? gather_by(c, &ndft_tcp, NULL, all, first)
                                         : share_by_device(c, opened, all, first);
    for (int rank = 0; rank < c->size; rank++) { /* a peer's texts may have no end */
        all[rank].error.message[sizeof all->error.message - 1] = 0;
        all[rank].words[sizeof all->words - 1] = 0;
    }
    return status;
}

/* The first that failed is everybody's failure, and so is the first that differs. */
static ndft_status judge(const ndft_communicator *c, const said *all)
{
    ndft_error *err = ndft_thread_error();
    for (int rank = 0; rank < c->size; rank++) {
        const ndft_error *error = &all[rank].error;
        if (error->status == NDFT_OK) continue;
        if (rank == c->rank) return ndft_tell(error);
        return ndft_fail(err, error->status, "rank %d: %.900s", rank, error->message);
    }
    for (int rank = 1; rank < c->size; rank++)
        if (strcmp(all[rank].words, all[0].words) != 0)
            return ndft_fail(err, NDFT_EINVAL,
                             "ranks of a group are alike: rank 0 has %s and rank %d has %s; "
                             "nearest: those of rank 0 on all",
                             all[0].words, rank, all[rank].words);
    return NDFT_OK;
}

ndft_status ndft_agree(ndft_communicator *c, const ndft_opened *opened, ndft_status status,
                       const char *words, int *value)
{
    if (!c || c->size == 1 || (!c->meshed && !opened)) return status;
    ndft_call_begin(c, 0, 0);
    said *all = calloc((size_t)c->size, sizeof *all);
    if (!all) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for words of ranks");
    if (status != NDFT_OK) all[c->rank].error = *ndft_thread_error();
    if (value) all[c->rank].value = *value;
    snprintf(all[c->rank].words, sizeof all->words, "%s", words);
    const ndft_status shared = share(c, opened, all);
    if (shared != NDFT_OK && status == NDFT_OK) status = shared;
    if (shared == NDFT_OK) status = judge(c, all);
    if (shared == NDFT_OK && value) *value = all[0].value;
    free(all);
    return status;
}
