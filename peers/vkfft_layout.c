/* SPDX-License-Identifier: Apache-2.0 */
#include "vkfft_layout.h"

/* Whether numbers along N1 lie apart, in input or output. */
static bool apart(const ndft_transform *t)
{
    return t->shape[NDFT_MODE_M] > 1 || t->in.stride[NDFT_MODE_N] > 1 ||
           t->out.stride[NDFT_MODE_N] > 1;
}

static const ndft_tensor *real_side(const ndft_transform *t)
{
    return t->in.real ? &t->in : &t->out;
}

static const ndft_tensor *complex_side(const ndft_transform *t)
{
    return t->in.real ? &t->out : &t->in;
}

/* Whether each mode from N2 on has this many real or complex numbers of the one side to one of the
 * other from one index to the next. */
static bool over_each_other(const ndft_transform *t, const ndft_tensor *a, int64_t times,
                            const ndft_tensor *b)
{
    for (int i = NDFT_MODE_N + 1; i < NDFT_MODES; i++)
        if (t->shape[i] > 1 && a->stride[i] != times * b->stride[i]) return false;
    return true;
}

/* Long rows of an even number of reals are taken as complex numbers. */
static bool splits_numbers(const ndft_transform *t)
{
    if (t->shape[NDFT_MODE_N] % 2) return false;
    for (int i = NDFT_MODE_N + 1; i < NDFT_MODES; i++)
        if (t->shape[i] > 1 && real_side(t)->stride[i] % 2) return true;
    return false;
}

static const char *unsupported_real(const ndft_transform *t)
{
    if (apart(t)) return "its real transforms have their numbers side by side along N1: no M";
    if (t->shape[NDFT_MODE_N] == 1) return "it has no real transform of one number";
    if (splits_numbers(t)) return "its real rows of even length begin at even places";
    if (t->in_place && !over_each_other(t, real_side(t), 2, complex_side(t)))
        return "in place its reals lie in the same rows as their spectrum";
    return NULL;
}

const char *peer_vkfft_unsupported(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    const char *why = t->domain == NDFT_C2C ? NULL : unsupported_real(t);
    if (why) return why;
    if (ndft_transform_length(t) == 1) return "it has no transform of one number";
    if (t->in.stride[NDFT_MODE_M] > 1 || t->out.stride[NDFT_MODE_M] > 1)
        return "its first axis lies in one piece";
    if (t->domain == NDFT_C2C && t->in_place && !over_each_other(t, &t->in, 1, &t->out))
        return "in place it has one layout for input and output";
    return ndft_unsupported_callbacks(p);
}

static void put_strides(const ndft_transform *t, const ndft_tensor *side,
                        int64_t stride[VKFFT_AXES])
{
    int used = 0;
    for (int d = apart(t) ? 1 : 2; d <= t->dim; d++) stride[used++] = side->stride[d];
    stride[used] = side->stride[NDFT_MODE_K];
}

static int64_t bytes_of(const ndft_transform *t, const ndft_tensor *side)
{
    return ndft_tensor_extent(side) * (side->real ? 1 : 2) * (int64_t)ndft_real_size(t->prec);
}

vkfft_request peer_vkfft_request(const ndft_transform *t)
{
    const bool complex = t->domain == NDFT_C2C;
    const ndft_tensor *buffer = complex ? &t->out : complex_side(t);
    const ndft_tensor *input = complex ? &t->in : real_side(t);
    vkfft_request r = {.batches = t->shape[NDFT_MODE_K],
                       .omit = apart(t),
                       .f64 = t->prec == NDFT_F64,
                       .real = !complex,
                       .inverse = t->sign > 0,
                       .in_place = t->in_place,
                       .bytes = bytes_of(t, buffer),
                       .input_bytes = bytes_of(t, input)};
    if (apart(t)) r.size[r.dim++] = t->shape[NDFT_MODE_M];
    for (int d = 1; d <= t->dim; d++) r.size[r.dim++] = t->shape[d];
    put_strides(t, buffer, r.stride);
    put_strides(t, input, r.input_stride);
    return r;
}
