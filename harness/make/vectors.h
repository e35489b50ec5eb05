/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VECTORS_H
#define NDFT_VECTORS_H

#include "case/case.h"
#include "files/arena.h"

/* The two sides of the operator. */
typedef enum ndft_side { NDFT_SIDE_IMAGE, NDFT_SIDE_KSPACE } ndft_side;

/* The side that an operation reads, and the one that it writes. */
static inline ndft_side ndft_side_in(ndft_op op)
{
    return op == NDFT_ADJOINT ? NDFT_SIDE_KSPACE : NDFT_SIDE_IMAGE;
}

static inline ndft_side ndft_side_out(ndft_op op)
{
    return op == NDFT_FORWARD ? NDFT_SIDE_KSPACE : NDFT_SIDE_IMAGE;
}

static inline int64_t ndft_side_length(const ndft_problem *p, ndft_side side)
{
    return side == NDFT_SIDE_IMAGE ? p->n_voxels : p->n_samples;
}

static inline int ndft_side_coils(const ndft_problem *p, ndft_side side)
{
    return side == NDFT_SIDE_IMAGE ? ndft_image_coils(p) : p->coils;
}

/* Makes the vector of one side from the case's data= (ndft_made), in the problem's precision and
 * layout. It comes from own, all else from scratch; NULL with err set on failure. */
void *ndft_vector_make(const ndft_case *, const ndft_problem *, ndft_side, ndft_arena *own,
                       ndft_arena *scratch, ndft_error *err);

#endif
