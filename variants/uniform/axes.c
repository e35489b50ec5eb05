/* SPDX-License-Identifier: Apache-2.0 */
#include "axes.h"

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
    const ndft_tensor between = ndft_packed_tensor(to_reals ? t->in.shape : t->out.shape);
    for (int i = 0; i < t->dim; i++) {
        const bool first = i == 0, last = i == t->dim - 1;
        ndft_pass *p = &a.pass[i];
        *p = ndft_pass_of(to_reals ? t->dim - i : i + 1, t->sign, first ? &t->in : &between,
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
