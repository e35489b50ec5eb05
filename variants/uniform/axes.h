/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_AXES_H
#define NDFT_AXES_H

#include "convolve/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A transform axis by axis: each pass transforms all lines along one axis, from one array into
 * another. Real signals are so in the pass along N1 alone, which is the first of a transform from
 * reals and the last of one to reals; in all others lines are complex. Between two passes the data
 * are complex numbers, packed in the order of their modes.
 */

typedef enum ndft_axes_array {
    NDFT_AXES_IN,
    NDFT_AXES_OUT,
    NDFT_AXES_WORK, /* work[0], work[1] */
} ndft_axes_array;

/* A pass' arrays differ but for a line that is read before it is written. */
typedef struct ndft_axes {
    int passes;
    ndft_pass pass[3];
    bool copies;     /* execute begins with copying the input's first room[0] numbers to work[0] */
    int64_t room[2]; /* complex numbers of each work array; 0: it is not needed */
    void *work[2];   /* set by who has allocated them */
} ndft_axes;

/* whole_lines: the variant has read all of a line before it writes the first of it, so that one
 * axis can be transformed in place where lines keep to themselves. */
ndft_axes ndft_axes_of(const ndft_transform *, bool whole_lines);

#ifdef __cplusplus
}
#endif

/* The arrays of a pass. */
static inline const void *ndft_pass_from(const ndft_axes *a, int pass, const void *in)
{
    const int from = a->pass[pass].from;
    return from == NDFT_AXES_IN ? in : a->work[from - NDFT_AXES_WORK];
}

static inline void *ndft_pass_to(const ndft_axes *a, int pass, void *out)
{
    const int to = a->pass[pass].to;
    return to == NDFT_AXES_OUT ? out : a->work[to - NDFT_AXES_WORK];
}

#endif
