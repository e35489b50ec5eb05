/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

#include "promise.h"

/*
 * The parts of a device, one after the other. What the next one reads comes, and what the last one
 * wrote goes, on a stream beside that of the one which is computed, by buffers that take turns; of
 * one part nothing can be beside it. What may be read or written where it lies is.
 */

/* Vectors of engines are aligned so, or not at all. */
enum { ALIGNED = 64 };

typedef struct shift {
    const ndft_run *r;
    int device, first, end; /* its parts */
    const ndft_seat *seat;
    ndft_exec *beside; /* that copies; where nothing can be beside it the seat's own */
} shift;

static const char *input_of(const shift *s)
{
    return s->r->from == IN_PARTS ? s->r->in_of[s->device] : s->r->in;
}

/* Of a part, in the input or output that the device sees. */
static ndft_piece piece_of(const shift *s, int part, bool output)
{
    const ndft_run *r = s->r;
    const ndft_range there = (output ? r->to : r->from) == IN_PARTS
                                 ? ndft_range_of(r->division, s->first, s->end - s->first)
                                 : ndft_range_of(r->division, 0, r->plan->group->parts);
    return ndft_piece_of(&r->plan->problem->problem, r->division->cut, there,
                         ndft_range_of(r->division, part, 1),
                         r->op == (output ? NDFT_FORWARD : NDFT_ADJOINT));
}

/* Whether plans can use a piece where it lies. */
static bool is_at_hand(const shift *s, const ndft_piece *piece, bool output)
{
    const ndft_run *r = s->r;
    const size_t block = output && r->whole ? r->block[r->plan->group->first] : 0;
    return ndft_run_near(r, s->device, output ? r->to : r->from) && piece->rows == 1 &&
           (block + piece->at) % ALIGNED == 0;
}

/* One that is whole for every part comes once. */
static bool is_whole(const shift *s)
{
    return !ndft_is_cut(&s->r->plan->problem->problem, s->r->division->cut,
                        s->r->op == NDFT_ADJOINT);
}

static char *in_buffer(const shift *s, int part)
{
    return s->seat->in[is_whole(s) ? 0 : (part - s->first) % 2];
}

static char *out_buffer(const shift *s, int part) { return s->seat->out[(part - s->first) % 2]; }

static ndft_status bring(const shift *s, int part)
{
    if (part == s->end || (part > s->first && is_whole(s))) return NDFT_OK;
    const ndft_piece piece = piece_of(s, part, false);
    if (is_at_hand(s, &piece, false)) return NDFT_OK;
    return ndft_run_pack(s->r, s->beside, &piece, input_of(s), in_buffer(s, part));
}

static ndft_status send(const shift *s, int part)
{
    if (part < s->first || s->r->sums) return NDFT_OK;
    const ndft_piece piece = piece_of(s, part, true);
    if (is_at_hand(s, &piece, true)) return NDFT_OK;
    return ndft_run_unpack(s->r, s->beside, &piece, out_buffer(s, part),
                           ndft_run_out(s->r, s->device));
}

/* The computation has what was brought, and what is copied from now on is of those before it. That
 * is queued last: a copy of the host's memory may take until it is done. */
static ndft_status execute_part(const shift *s, int part, void *out)
{
    const ndft_piece piece = piece_of(s, part, false);
    const bool at_hand = is_at_hand(s, &piece, false);
    const void *in = at_hand ? input_of(s) + piece.at : in_buffer(s, part);
    NDFT_TRY(ndft_run_wait(s->r, s->seat->exec, s->beside));
    NDFT_TRY(ndft_run_wait(s->r, s->beside, s->seat->exec));
    NDFT_TRY(ndft_execute(s->r->division->plan[part], s->r->op, in, out));
    NDFT_TRY(send(s, part - 1));
    return bring(s, part + 1);
}

/* Half of them, the other half at the next level, and both together. */
static ndft_status sum_parts(const shift *s, int first, int parts, int level, char *sum)
{
    if (parts == 1) return execute_part(s, first, sum);
    char *other = s->seat->image[level];
    const int half = parts / 2;
    NDFT_TRY(sum_parts(s, first, half, level + 1, sum));
    NDFT_TRY(sum_parts(s, first + half, half, level + 1, other));
    return ndft_run_add(s->r, s->seat->exec, other, sum, sum);
}

static ndft_status gather_part(const shift *s, int part)
{
    const ndft_piece piece = piece_of(s, part, true);
    const bool at_hand = is_at_hand(s, &piece, true);
    return execute_part(s, part,
                        at_hand ? ndft_run_out(s->r, s->device) + piece.at : out_buffer(s, part));
}

static bool has_copies(const shift *s)
{
    for (int part = s->first; part < s->end; part++) {
        const ndft_piece in = piece_of(s, part, false), out = piece_of(s, part, true);
        if (!is_at_hand(s, &in, false) || (!s->r->sums && !is_at_hand(s, &out, true))) return true;
    }
    return false;
}

ndft_status ndft_run_parts(const ndft_run *r, int device)
{
    const ndft_seat *seat = &r->plan->seat[device];
    const int first = ndft_first_part(r->plan->group, device);
    shift s = {r, device, first, first + ndft_parts_each(r->plan->group), seat, seat->exec};
    if (s.end - first > 1 && has_copies(&s)) s.beside = ndft_seat_beside(seat);
    NDFT_TRY(bring(&s, first));
    if (r->sums) NDFT_TRY(sum_parts(&s, first, s.end - first, 1, ndft_run_sum(r, device)));
    for (int part = first; part < s.end && !r->sums; part++) NDFT_TRY(gather_part(&s, part));
    NDFT_TRY(ndft_run_wait(r, s.beside, seat->exec));
    NDFT_TRY(send(&s, s.end - 1));
    return ndft_run_wait(r, seat->exec, s.beside);
}
