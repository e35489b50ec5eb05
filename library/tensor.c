/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include <string.h>

/* Where the tensors of a transform lie. */

/* Packed, with room for `first` elements along N1. */
static void pack(const ndft_transform *t, ndft_tensor *tensor, int64_t first)
{
    int64_t step = 1;
    for (int i = 0; i < NDFT_MODES; i++) {
        const bool used = i <= t->dim || i == NDFT_MODE_K;
        tensor->stride[i] = used ? step : 0;
        step *= i == NDFT_MODE_N ? first : tensor->shape[i];
    }
}

void ndft_transform_place(ndft_transform *t)
{
    const int64_t n = t->shape[NDFT_MODE_N], half = n / 2 + 1;
    const bool c2c = t->domain == NDFT_C2C;
    ndft_tensor signal = {.real = !c2c}, spectrum = {.real = false};
    memcpy(signal.shape, t->shape, sizeof signal.shape);
    memcpy(spectrum.shape, t->shape, sizeof spectrum.shape);
    if (!c2c) spectrum.shape[NDFT_MODE_N] = half;
    pack(t, &signal, !c2c && t->in_place ? 2 * half : n);
    pack(t, &spectrum, spectrum.shape[NDFT_MODE_N]);
    t->in = t->domain == NDFT_C2R ? spectrum : signal;
    t->out = t->domain == NDFT_C2R ? signal : spectrum;
}

const int64_t ndft_elements_max = (int64_t)1 << 40;

bool ndft_tensor_too_long(const ndft_tensor *t)
{
    for (int i = 0; i < NDFT_MODES; i++)
        if (t->stride[i] > ndft_elements_max / t->shape[i]) return true;
    return false;
}

/* The mode of the next larger stride among those not done, or -1; modes of one element do not
 * count. */
static int next_mode(const ndft_tensor *t, unsigned done)
{
    int next = -1;
    for (int i = 0; i < NDFT_MODES; i++) {
        if (t->shape[i] == 1 || done & 1u << i) continue;
        if (next < 0 || t->stride[i] < t->stride[next]) next = i;
    }
    return next;
}

int ndft_tensor_overlap(const ndft_tensor *t, int64_t *span)
{
    unsigned done = 0;
    *span = 1;
    for (int i; (i = next_mode(t, done)) >= 0; done |= 1u << i) {
        if (t->stride[i] < *span) return i;
        *span += (t->shape[i] - 1) * t->stride[i];
    }
    return -1;
}

static bool twice(const ndft_transform *t, int mode)
{
    return t->domain != NDFT_C2C && mode > NDFT_MODE_N;
}

bool ndft_transform_aligned(const ndft_transform *t)
{
    for (int i = 0; i < NDFT_MODES; i++) {
        const int64_t in = t->in.stride[i], out = t->out.stride[i];
        if (t->shape[i] == 1) continue;
        if (in * (twice(t, i) && t->out.real ? 2 : 1) != out * (twice(t, i) && t->in.real ? 2 : 1))
            return false;
    }
    return true;
}

/* Gives `to` the strides of `from`, whose own are made even where those of a real tensor have to
 * be. Whether that is a transform in place. */
static bool follow(ndft_transform *t, ndft_tensor *from, ndft_tensor *to)
{
    int64_t span;
    for (int i = 0; i < NDFT_MODES; i++) {
        int64_t *stride = &from->stride[i];
        if (twice(t, i) && from->real) *stride += *stride % 2;
        to->stride[i] = !twice(t, i) ? *stride : from->real ? *stride / 2 : *stride * 2;
    }
    return ndft_transform_aligned(t) && !ndft_tensor_too_long(&t->in) &&
           !ndft_tensor_too_long(&t->out) && ndft_tensor_overlap(&t->in, &span) < 0 &&
           ndft_tensor_overlap(&t->out, &span) < 0;
}

void ndft_transform_align(ndft_transform *t)
{
    ndft_transform by_in = *t, by_out = *t;
    if (follow(&by_in, &by_in.in, &by_in.out))
        *t = by_in;
    else if (follow(&by_out, &by_out.out, &by_out.in))
        *t = by_out;
    else
        ndft_transform_place(t);
}

ndft_problem ndft_problem_of_transform(const ndft_transform *t, double tol, ndft_tol_kind kind)
{
    ndft_problem p = {.dim = t->dim,
                      .prec = t->prec,
                      .layout = NDFT_PLANAR,
                      .coils = 1,
                      .tol = tol,
                      .tol_kind = kind,
                      .n_voxels = ndft_tensor_room(&t->in),
                      .n_samples = ndft_tensor_room(&t->out)};
    for (int d = 0; d < 3; d++) p.n[d] = t->shape[NDFT_MODE_N + d];
    if (t->in_place && p.n_voxels < p.n_samples) p.n_voxels = p.n_samples;
    if (t->in_place) p.n_samples = p.n_voxels;
    return p;
}

ndft_tensor_runs ndft_tensor_runs_of(const ndft_tensor *t)
{
    int first = 0;
    while (first < NDFT_MODES - 1 && t->shape[first] == 1) first++;
    return (ndft_tensor_runs){ndft_tensor_size(t) / t->shape[first], t->shape[first],
                              t->stride[first]};
}

void ndft_tensor_copy(const ndft_tensor *t, ndft_prec prec, const void *from, void *to)
{
    const ndft_tensor_runs runs = ndft_tensor_runs_of(t);
    const size_t size = (t->real ? 1 : 2) * ndft_real_size(prec);
    for (int64_t run = 0; run < runs.n; run++) {
        const size_t at = (size_t)ndft_tensor_place(t, run * runs.length) * size;
        const char *source = (const char *)from + at;
        char *target = (char *)to + at;
        if (runs.stride == 1)
            memcpy(target, source, (size_t)runs.length * size);
        else
            for (size_t i = 0; i < (size_t)runs.length; i++)
                memcpy(target + i * (size_t)runs.stride * size,
                       source + i * (size_t)runs.stride * size, size);
    }
}
