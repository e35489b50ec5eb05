/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SLOT_H
#define NDFT_SLOT_H

#include <ndft/types.h>

/*
 * What load and store functions are written in (callback.h). On the CPU they compute in double
 * whatever the precision of the memory, so that the reference calls the very same function. For a
 * GPU this header is replaced by one with the same names and the transform's own precision.
 */

#define NDFT_CALLBACK /* before a load or store function */

/* What they compute in; of a GPU the precision of the transform. */
typedef double ndft_scalar;

/* A complex number, or a real one beside 0. */
typedef struct ndft_value {
    /* Real part, and behind it */
    ndft_scalar re, im; /* imaginary part */
} ndft_value;

/* One element of a tensor in memory. */
typedef struct ndft_slot {
    void *at;       /* where it begins */
    ndft_prec prec; /* of the memory */
    bool real;      /* else complex: two reals side by side */
} ndft_slot;

/* Element `place` of a tensor that begins at memory. */
static inline ndft_slot ndft_slot_at(const void *memory, ndft_prec prec, bool real, int64_t place)
{
    const size_t size = (real ? 1 : 2) * ndft_real_size(prec);
    const ndft_slot s = {(char *)(uintptr_t)memory + (size_t)place * size, prec, real};
    return s;
}

static inline ndft_value ndft_read(ndft_slot s)
{
    const ndft_value v = {ndft_real_at(s.at, s.prec, 0),
                          s.real ? 0 : ndft_real_at(s.at, s.prec, 1)};
    return v;
}

/* Rounds to the precision of the memory; a real element takes the real part. */
static inline void ndft_write(ndft_slot s, ndft_value v)
{
    ndft_put_real(s.at, s.prec, 0, v.re);
    if (!s.real) ndft_put_real(s.at, s.prec, 1, v.im);
}

#endif
