/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_AXES_H
#define NDFT_AXES_H

#include <ndft/uniform.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A transform axis by axis: each pass transforms all lines along one axis, from one array into
 * another. Real signals are so in the pass along N1 alone, which is the first of a transform from
 * reals and the last of one to reals; in all others lines are complex. Between two passes the data
 * are complex numbers, packed in the order of their modes.
 */

enum { NDFT_LINE_MODES = 4 }; /* that count lines: M, two other axes, K */

/* Where the lines of a pass lie on one side, in elements of that side. */
typedef struct ndft_line_side {
    bool real;
    int64_t count, stride;         /* of a line's elements */
    int64_t step[NDFT_LINE_MODES]; /* from line to line along each mode */
} ndft_line_side;

typedef enum ndft_axes_array {
    NDFT_AXES_IN,
    NDFT_AXES_OUT,
    NDFT_AXES_WORK, /* work[0], work[1] */
} ndft_axes_array;

/* y[k] = sum over n of x[n] exp(sign 2 pi i n k / length) for every line; for the domains R2C and
 * C2R the spectrum's side has length/2 + 1 elements (ndft_line_weight). */
typedef struct ndft_pass {
    ndft_domain domain;
    int sign;
    int64_t length, lines;
    int modes; /* of the lines, the fastest first; modes that lie like one are one */
    int64_t shape[NDFT_LINE_MODES];
    ndft_line_side in, out;
    int from, to; /* an ndft_axes_array; differ but for a line that is read before it is written */
} ndft_pass;

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

/* Element n of a line's input counts so often: in a half spectrum all but k = 0 and length/2 stand
 * for their mirrored conjugates, too. */
NDFT_INDEX int ndft_line_weight(const ndft_pass *p, int64_t n)
{
    return p->domain == NDFT_C2R && n > 0 && 2 * n != p->length ? 2 : 1;
}

/* Where a line begins on one side. */
NDFT_INDEX int64_t ndft_line_at(const ndft_pass *p, const ndft_line_side *side, int64_t line)
{
    int64_t at = 0;
    for (int i = 0; i < p->modes - 1; i++) {
        at += line % p->shape[i] * side->step[i];
        line /= p->shape[i];
    }
    return p->modes > 0 ? at + line * side->step[p->modes - 1] : 0;
}

#endif
