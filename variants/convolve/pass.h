/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PASS_H
#define NDFT_CONVOLVE_PASS_H

#include "base/uniform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pass over all lines along one axis of a grid, from one array into another. */

enum { NDFT_LINE_MODES = 4 }; /* that count lines: M, two other axes, K */

/* Where the lines of a pass lie on one side, in elements of that side. */
typedef struct ndft_line_side {
    bool real;
    int64_t count, stride;         /* of a line's elements */
    int64_t step[NDFT_LINE_MODES]; /* from line to line along each mode */
} ndft_line_side;

/* y[k] = sum over n of x[n] exp(sign 2 pi i n k / length) for every line; for the domains R2C and
 * C2R the spectrum's side has length/2 + 1 elements (ndft_line_weight). */
typedef struct ndft_pass {
    ndft_domain domain;
    int sign;
    int64_t length, lines;
    int modes; /* of the lines, the fastest first; modes that lie like one are one */
    int64_t shape[NDFT_LINE_MODES];
    ndft_line_side in, out;
    int from, to; /* arrays, counted by who has them: uniform/axes.h */
} ndft_pass;

/* The pass along an axis, a mode of both tensors, which have the others alike. Its arrays are not
 * set. */
ndft_pass ndft_pass_of(int axis, int sign, const ndft_tensor *in, const ndft_tensor *out);

/* Of complex numbers, one after the other in the order of their modes. */
ndft_tensor ndft_packed_tensor(const int64_t shape[NDFT_MODES]);

#ifdef __cplusplus
}
#endif

/* Element n of a line's input counts so often: in a half spectrum all but k = 0 and length/2 stand
 * for their mirrored conjugates, too. */
NDFT_INDEX int ndft_line_weight(const ndft_pass *p, int64_t n)
{
    return p->domain == NDFT_C2R && n > 0 && 2 * n != p->length ? 2 : 1;
}

/* Whether there are two real lines to make a complex one of (real_pair.h). */
NDFT_INDEX bool ndft_pass_has_pairs(const ndft_pass *p)
{
    return p->domain != NDFT_C2C && p->lines > 1;
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
