/* SPDX-License-Identifier: Apache-2.0 */
#include "pass.h"

ndft_tensor ndft_packed_tensor(const int64_t shape[NDFT_MODES])
{
    ndft_tensor t = {.real = false};
    int64_t step = 1;
    for (int i = 0; i < NDFT_MODES; i++) {
        t.shape[i] = shape[i];
        t.stride[i] = step;
        step *= shape[i];
    }
    return t;
}

static ndft_line_side side_of(const ndft_tensor *t, int axis)
{
    return (ndft_line_side){.real = t->real, .count = t->shape[axis], .stride = t->stride[axis]};
}

/* Whether the next mode only goes on where the pass's last one ends, on both sides. */
static bool continues(const ndft_pass *p, int64_t in_step, int64_t out_step)
{
    if (p->modes == 0) return false;
    const int last = p->modes - 1;
    return in_step == p->in.step[last] * p->shape[last] &&
           out_step == p->out.step[last] * p->shape[last];
}

static void add_mode(ndft_pass *p, int64_t shape, int64_t in_step, int64_t out_step)
{
    if (shape == 1) return;
    p->lines *= shape;
    if (continues(p, in_step, out_step)) {
        p->shape[p->modes - 1] *= shape;
        return;
    }
    p->shape[p->modes] = shape;
    p->in.step[p->modes] = in_step;
    p->out.step[p->modes++] = out_step;
}

ndft_pass ndft_pass_of(int axis, int sign, const ndft_tensor *in, const ndft_tensor *out)
{
    ndft_pass p = {.domain = in->real    ? NDFT_R2C
                             : out->real ? NDFT_C2R
                                         : NDFT_C2C,
                   .sign = sign,
                   .length = out->real ? out->shape[axis] : in->shape[axis],
                   .lines = 1,
                   .in = side_of(in, axis),
                   .out = side_of(out, axis)};
    for (int mode = 0; mode < NDFT_MODES; mode++)
        if (mode != axis) add_mode(&p, in->shape[mode], in->stride[mode], out->stride[mode]);
    return p;
}
