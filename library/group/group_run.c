/* SPDX-License-Identifier: Apache-2.0 */
#include "group_run.h"

/* Where outputs and sums of an execution are, and what moves them. */

char *ndft_run_out(const ndft_run *r, int device)
{
    if (r->whole) return r->whole + r->block[r->plan->group->first];
    return r->to == IN_PARTS ? r->out_of[device] : r->out;
}

/* Devices of a group are alike. */
static const ndft_backend *backend_of(const ndft_run *r)
{
    return ndft_seat_device(r->plan, 0)->backend;
}

ndft_status ndft_run_copy(const ndft_run *r, ndft_exec *exec, void *to, const void *from,
                          size_t bytes)
{
    return backend_of(r)->copy(exec, to, from, bytes);
}

ndft_status ndft_run_pack(const ndft_run *r, ndft_exec *exec, const ndft_piece *piece,
                          const char *whole, char *rows)
{
    return backend_of(r)->copy_rows(exec, piece->rows, piece->row_bytes, rows, piece->row_bytes,
                                    whole + piece->at, piece->stride);
}

ndft_status ndft_run_unpack(const ndft_run *r, ndft_exec *exec, const ndft_piece *piece,
                            const char *rows, char *whole)
{
    return backend_of(r)->copy_rows(exec, piece->rows, piece->row_bytes, whole + piece->at,
                                    piece->stride, rows, piece->row_bytes);
}

ndft_status ndft_run_add(const ndft_run *r, ndft_exec *exec, const void *x, const void *y,
                         void *sum)
{
    const ndft_problem *p = &r->plan->problem->problem;
    const int64_t reals = (int64_t)(ndft_image_bytes(r) / ndft_real_size(p->prec));
    return backend_of(r)->add(exec, p->prec, reals, x, y, sum);
}

ndft_status ndft_run_wait(const ndft_run *r, ndft_exec *waits, const ndft_exec *other)
{
    if (waits == other || !backend_of(r)->wait_for) return NDFT_OK;
    return backend_of(r)->wait_for(waits, other);
}

/* It becomes the output where that is. */
char *ndft_run_sum(const ndft_run *r, int device)
{
    if (r->is_for_all) return r->plan->seat[device].image[0];
    const bool becomes_out = (device == 0 || r->to == IN_PARTS) && ndft_run_near(r, device, r->to);
    return becomes_out ? ndft_run_out(r, device) : r->plan->seat[device].image[0];
}

/* The sum of all goes where it is wanted. */
ndft_status ndft_run_leave_sum(const ndft_run *r, int device)
{
    const char *sum = ndft_run_sum(r, 0);
    if (sum == ndft_run_out(r, device) || (device && r->to != IN_PARTS)) return NDFT_OK;
    return ndft_run_copy(r, r->plan->seat[device].exec, ndft_run_out(r, device), sum,
                         ndft_image_bytes(r));
}
