/* SPDX-License-Identifier: Apache-2.0 */
#include "communicator.h"

#include "public/points.h"

#include <stdlib.h>
#include <string.h>

/* Communicators: how they are made, and by what messages go. */

static const double usual_timeout_s = 25;

/* Ranks start one after the other. */
static const double meeting_timeouts = 10;

static ndft_status check_ranks(const ndft_communicator_options *o)
{
    ndft_error *err = ndft_thread_error();
    if (o->size < 1 || o->size > NDFT_MOST_PARTS)
        return ndft_fail(err, NDFT_EINVAL, "size=%d; 1 to %d ranks, nearest: %d", o->size,
                         NDFT_MOST_PARTS, o->size < 1 ? 1 : NDFT_MOST_PARTS);
    if (o->rank < 0 || o->rank >= o->size)
        return ndft_fail(err, NDFT_EINVAL, "rank=%d of %d; 0 to %d, nearest: %d", o->rank, o->size,
                         o->size - 1, o->rank < 0 ? 0 : o->size - 1);
    if (!(o->timeout_s >= 0))
        return ndft_fail(err, NDFT_EINVAL, "timeout_s=%g; above 0, or 0 for %g", o->timeout_s,
                         usual_timeout_s);
    if (!(o->meeting_s >= 0))
        return ndft_fail(err, NDFT_EINVAL, "meeting_s=%g; above 0, or 0 for %g timeouts",
                         o->meeting_s, meeting_timeouts);
    return NDFT_OK;
}

static ndft_status check_ways(const ndft_communicator_options *o)
{
    const int ways = !!o->address + !!o->id + !!o->nccl;
    if (ways == 1 || (o->size == 1 && !ways)) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "%s of address, id and nccl; ranks reach each other by one of them",
                     ways ? "several" : "none");
}

static ndft_status reach_ranks(ndft_communicator *c, const ndft_communicator_options *o)
{
    if (c->size == 1) return NDFT_OK;
    if (o->address) return ndft_mesh(c, o->address);
    c->has_id = o->id;
    if (o->id) c->id = *o->id;
    c->nccl = o->nccl;
    c->lent = o->nccl;
    return ndft_nccl_found();
}

ndft_status ndft_communicator_create(const ndft_communicator_options *options,
                                     ndft_communicator **out)
{
    NDFT_POINTS;
    ndft_communicator_options o;
    if (!options || !out)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a communicator needs a rank, a size and a place");
    *out = NULL;
    NDFT_TRY(ndft_take_options("communicator options", options, &o, sizeof o));
    NDFT_TRY(check_ranks(&o));
    NDFT_TRY(check_ways(&o));
    ndft_communicator *c = calloc(1, sizeof *c);
    if (!c) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a communicator");
    c->users = 1;
    c->rank = o.rank;
    c->size = o.size;
    c->timeout_s = o.timeout_s > 0 ? o.timeout_s : usual_timeout_s;
    c->meeting_s = o.meeting_s > 0 ? o.meeting_s : meeting_timeouts * c->timeout_s;
    for (int i = 0; i < NDFT_MOST_PARTS; i++) c->socket[i] = -1;
    const ndft_status status = reach_ranks(c, &o);
    if (status == NDFT_OK)
        *out = c;
    else
        ndft_communicator_destroy(c);
    return status;
}

void ndft_communicator_keep(ndft_communicator *c)
{
    __atomic_add_fetch(&c->users, 1, __ATOMIC_RELAXED);
}

void ndft_communicator_destroy(ndft_communicator *c)
{
    if (!c || __atomic_sub_fetch(&c->users, 1, __ATOMIC_ACQ_REL)) return;
    if (c->transport && !c->is_broken) c->transport->leave(c, true);
    ndft_close_mesh(c);
    free(c);
}

/* By the sockets, from the first rank. */
static ndft_status hand_round_id(ndft_communicator *c)
{
    ndft_status status = NDFT_OK;
    if (c->rank == 0) status = ndft_nccl_id_create(&c->id);
    if (c->rank != 0) status = ndft_nccl_found();
    NDFT_TRY(ndft_agree(c, NULL, status, "NCCL", NULL));
    ndft_parcel parcels[NDFT_MOST_PARTS];
    int n = 0;
    if (c->rank != 0) parcels[n++] = (ndft_parcel){0, NULL, 0, &c->id, sizeof c->id};
    for (int peer = 1; c->rank == 0 && peer < c->size; peer++)
        parcels[n++] = (ndft_parcel){peer, &c->id, sizeof c->id, NULL, 0};
    NDFT_TRY(ndft_tcp.exchange(c, NULL, parcels, n));
    c->has_id = true;
    return NDFT_OK;
}

ndft_status ndft_communicator_use(ndft_communicator *c, const ndft_opened *opened)
{
    const bool has_memory = opened->backend->pin != NULL;
    if (c->transport || c->size == 1) return NDFT_OK;
    if (!has_memory && !c->meshed)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "NCCL joins GPUs, not the processor; ranks of processors have an address");
    if (!has_memory) {
        c->transport = &ndft_tcp;
        return NDFT_OK;
    }
    if (c->meshed) NDFT_TRY(hand_round_id(c));
    c->transport = &ndft_nccl;
    return ndft_nccl_open(c);
}
