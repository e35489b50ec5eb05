/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_naive_loop.h"

#include <tgmath.h>

uniform_naive_loop NDFT_LOOP(uniform_naive_sum);

/* The sums of a uniform transform as they are written, an output at a time. */

typedef ndft_real real;

/* acc += exp(2 pi i turns) z */
static void accumulate(real acc[2], real turns, real re, real im)
{
    const real angle = (real)6.28318530717958647692 * (turns - rint(turns));
    const real c = cos(angle), s = sin(angle);
    acc[0] += c * re - s * im;
    acc[1] += s * re + c * im;
}

/* The terms along N1 from the element at `at` on; turns: of the other axes. Products are reduced in
 * integers, so that a phase is as exact as its last division. */
static void add_line(const ndft_transform *t, const real *in, int64_t at, int64_t k, real turns,
                     real acc[2])
{
    const int64_t n = t->shape[NDFT_MODE_N], terms = t->in.shape[NDFT_MODE_N];
    const int64_t stride = t->in.stride[NDFT_MODE_N];
    for (int64_t i = 0, phase = 0; i < terms; i++, at += stride) {
        const real twice = t->domain == NDFT_C2R && i > 0 && 2 * i != n ? 2 : 1;
        const real re = in[t->in.real ? at : 2 * at], im = t->in.real ? 0 : in[2 * at + 1];
        accumulate(acc, t->sign * (turns + (real)phase / (real)n), twice * re, twice * im);
        phase += k;
        if (phase >= n) phase -= n;
    }
}

static void add_all(const ndft_transform *t, const real *in, const int64_t to[NDFT_MODES],
                    real acc[2])
{
    const int64_t *n = t->shape + NDFT_MODE_N, *k = to + NDFT_MODE_N;
    for (int64_t z = 0; z < n[2]; z++) {
        for (int64_t y = 0; y < n[1]; y++) {
            const int64_t from[] = {to[NDFT_MODE_M], 0, y, z, to[NDFT_MODE_K]};
            const real turns =
                (real)(y * k[1] % n[1]) / (real)n[1] + (real)(z * k[2] % n[2]) / (real)n[2];
            add_line(t, in, ndft_tensor_offset(&t->in, from), k[0], turns, acc);
        }
    }
}

void NDFT_LOOP(uniform_naive_sum)(const uniform_naive *p, const void *in, void *out)
{
    const ndft_transform *t = &p->transform;
    const int64_t outputs = ndft_tensor_size(&t->out);
#pragma omp parallel for num_threads(p->threads) schedule(static)
    for (int64_t e = 0; e < outputs; e++) {
        int64_t to[NDFT_MODES];
        real acc[2] = {0, 0};
        ndft_tensor_index(&t->out, e, to);
        add_all(t, in, to, acc);
        const int64_t at = ndft_tensor_offset(&t->out, to);
        ((real *)out)[t->out.real ? at : 2 * at] = acc[0];
        if (!t->out.real) ((real *)out)[2 * at + 1] = acc[1];
    }
}
