/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SLOT_H
#define NDFT_SLOT_H

/* What ndft/slot.h is for load and store functions on a device: the same names, in the precision of
 * the transform, NDFT_SCALAR. Compiled in plans alone. */

#include <ndft/types.h>

#define NDFT_CALLBACK __device__

typedef NDFT_SCALAR ndft_scalar;

struct ndft_value {
    ndft_scalar re, im;
};

struct ndft_slot {
    ndft_scalar *at;
    bool real;
};

__device__ inline ndft_value ndft_read(ndft_slot s)
{
    return {s.at[0], s.real ? (ndft_scalar)0 : s.at[1]};
}

__device__ inline void ndft_write(ndft_slot s, ndft_value v)
{
    s.at[0] = v.re;
    if (!s.real) s.at[1] = v.im;
}

#endif
