/* SPDX-License-Identifier: Apache-2.0 */
#include "axes.h"

#include <string.h>

/* The same tensor of complex numbers, packed. */
static ndft_tensor packed(const int64_t shape[NDFT_MODES])
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

static ndft_pass pass_of(const ndft_transform *t, int axis, const ndft_tensor *in,
                         const ndft_tensor *out)
{
    ndft_pass p = {.domain = axis == NDFT_MODE_N ? t->domain : NDFT_C2C,
                   .sign = t->sign,
                   .length = t->shape[axis],
                   .lines = 1,
                   .in = side_of(in, axis),
                   .out = side_of(out, axis)};
    for (int mode = 0; mode < NDFT_MODES; mode++)
        if (mode != axis) add_mode(&p, in->shape[mode], in->stride[mode], out->stride[mode]);
    return p;
}

/* In place lines meet no others, but where reals have a batch between their elements. */
static bool apart(const ndft_transform *t)
{
    const ndft_tensor *spectrum = t->domain == NDFT_C2R ? &t->in : &t->out;
    const int64_t span = (spectrum->shape[NDFT_MODE_N] - 1) * spectrum->stride[NDFT_MODE_N];
    if (t->domain == NDFT_C2C) return true;
    return t->shape[NDFT_MODE_M] == 1 &&
           (t->shape[NDFT_MODE_K] == 1 || spectrum->stride[NDFT_MODE_K] > span);
}

ndft_axes ndft_axes_of(const ndft_transform *t, bool whole_lines)
{
    ndft_axes a = {.passes = t->dim};
    const bool to_reals = t->domain == NDFT_C2R;
    const ndft_tensor between = packed(to_reals ? t->in.shape : t->out.shape);
    for (int i = 0; i < t->dim; i++) {
        const bool first = i == 0, last = i == t->dim - 1;
        ndft_pass *p = &a.pass[i];
        *p = pass_of(t, to_reals ? t->dim - i : i + 1, first ? &t->in : &between,
                     last ? &t->out : &between);
        p->from = first ? NDFT_AXES_IN : NDFT_AXES_WORK + i - 1;
        p->to = last ? NDFT_AXES_OUT : NDFT_AXES_WORK + i;
        if (!last) a.room[i] = ndft_tensor_size(&between);
    }
    if (t->dim > 1 || !t->in_place || (whole_lines && apart(t))) return a;
    a.copies = true;
    a.room[0] = ndft_tensor_room(&t->in);
    a.pass[0].from = NDFT_AXES_WORK;
    return a;
}
