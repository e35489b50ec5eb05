/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

/* What ranks exchange when they have executed their parts. Before any copy all messages have come:
 * one to the host waits for the stream, and would wait for ever for a peer that is gone. */

static ndft_status add_term(void *context, const void *term, void *sum)
{
    return ndft_run_add(context, 0, term, sum);
}

/* Of ranks: every one has the sum of all. */
static ndft_status sum_over_ranks(const ndft_run *r, int device)
{
    ndft_communicator *c = r->plan->group->communicator;
    const ndft_seat *seat = &r->plan->seat[device];
    NDFT_TRY(ndft_sum_over_ranks(c, seat->exec, ndft_image_bytes(r), add_term, (void *)(uintptr_t)r,
                                 ndft_run_sum(r, device), seat->image[1]));
    NDFT_TRY(ndft_settle(c, seat->exec));
    return ndft_run_leave_sum(r, device);
}

/* Blocks of all ranks become the output, unless they lie there. */
static ndft_status unpack(const ndft_run *r, int device)
{
    for (int rank = 0; r->whole != r->out && rank < r->plan->group->n; rank++) {
        const ndft_piece piece = ndft_rank_piece(r->plan, r->division, rank, r->op == NDFT_FORWARD);
        const char *from = r->whole + r->block[rank];
        char *to = r->out + piece.at;
        for (int64_t row = 0; row < piece.rows; row++, from += piece.row_bytes, to += piece.stride)
            NDFT_TRY(ndft_run_copy(r, device, to, from, piece.row_bytes));
    }
    return NDFT_OK;
}

static ndft_status gather_over_ranks(const ndft_run *r, int device)
{
    ndft_communicator *c = r->plan->group->communicator;
    const ndft_exec *exec = r->plan->seat[device].exec;
    NDFT_TRY(ndft_gather_over_ranks(c, exec, r->whole, r->block));
    NDFT_TRY(ndft_settle(c, exec));
    return unpack(r, device);
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

ndft_status ndft_run_over_ranks(const ndft_run *r, int device)
{
    NDFT_TRY(ndft_call_check(r->plan->group->communicator));
    return r->sums ? sum_over_ranks(r, device) : gather_over_ranks(r, device);
}
