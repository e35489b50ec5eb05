/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

/*
 * What ranks exchange behind their parts, on a stream beside that of these, which they wait for and
 * the host does not. How long peers take to come is told apart from how long the own parts do.
 * Before any copy all messages have come: one to the host waits for the stream, and would wait for
 * ever for a peer that is gone.
 */

/* Where terms are added. */
typedef struct place_of_sums {
    const ndft_run *r;
    ndft_exec *exec;
} place_of_sums;

static ndft_status add_term(void *context, const void *term, void *sum)
{
    const place_of_sums *there = context;
    return ndft_run_add(there->r, there->exec, term, sum, sum);
}

/* Of ranks: every one has the sum of all, or the blocks of all. */
static ndft_status exchange(const ndft_run *r, int device, ndft_exec *exec)
{
    ndft_communicator *c = r->plan->group->communicator;
    place_of_sums there = {r, exec};
    if (!r->sums) return ndft_gather_over_ranks(c, exec, r->whole, r->block);
    return ndft_sum_over_ranks(c, exec, ndft_image_bytes(r), add_term, &there,
                               ndft_run_sum(r, device), r->plan->seat[device].image[1]);
}

/* Blocks of all ranks become the output, unless they lie there. */
static ndft_status unpack(const ndft_run *r, int device)
{
    for (int rank = 0; r->whole != r->out && rank < r->plan->group->n; rank++) {
        const ndft_piece piece = ndft_rank_piece(r->plan, r->division, rank, r->op == NDFT_FORWARD);
        NDFT_TRY(ndft_run_unpack(r, r->plan->seat[device].exec, &piece, r->whole + r->block[rank],
                                 r->out));
    }
    return NDFT_OK;
}

/* Where each rank's block of the output goes. */
void ndft_lay_blocks(ndft_run *r)
{
    ndft_piece piece = {0};
    for (int rank = 0; rank < r->plan->group->n; rank++) {
        piece = ndft_rank_piece(r->plan, r->division, rank, r->op == NDFT_FORWARD);
        r->block[rank + 1] = r->block[rank] + ndft_piece_bytes(&piece);
    }
    const bool lie_there = piece.rows == 1 && ndft_run_near(r, 0, r->to);
    r->whole = lie_there ? r->out : r->plan->seat[0].whole;
    r->to = IN_PARTS;
}

static ndft_status meet(const ndft_run *r, int device, ndft_exec *beside)
{
    NDFT_TRY(ndft_call_check(r->plan->group->communicator));
    NDFT_TRY(ndft_run_wait(r, beside, r->plan->seat[device].exec));
    return exchange(r, device, beside);
}

ndft_status ndft_run_as_rank(const ndft_run *r, int device)
{
    ndft_communicator *c = r->plan->group->communicator;
    const ndft_seat *seat = &r->plan->seat[device];
    ndft_exec *beside = ndft_seat_beside(seat);
    NDFT_TRY(ndft_run_parts(r, device));
    NDFT_TRY(ndft_call_say(c));
    const ndft_status met = meet(r, device, beside);
    NDFT_TRY(ndft_seat_device(r->plan, device)->backend->sync(seat->exec)); /* whoever came */
    NDFT_TRY(met);
    NDFT_TRY(ndft_settle(c, beside));
    NDFT_TRY(ndft_run_wait(r, seat->exec, beside));
    return r->sums ? ndft_run_leave_sum(r, device) : unpack(r, device);
}
