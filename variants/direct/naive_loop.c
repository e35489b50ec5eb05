/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_loop.h"

#include <tgmath.h>

naive_loop NDFT_LOOP(naive_forward), NDFT_LOOP(naive_adjoint);

/* The sums of PowerGrid's Gdft, an output at a time: phase in radians, libm's sine and cosine. */

typedef ndft_real real;

static real sinc(real x)
{
    const real pi = (real)3.14159265358979323846;
    return x == 0 ? (real)1 : sin(pi * x) / (pi * x);
}

/* The product's rounding error multiplies what it is the exponent of. */
static real decay(real rate, real t)
{
    const real product = rate * t;
    return exp(-product) * (1 - fma(rate, t, -product));
}

static __attribute__((noinline)) real higher(const naive_sum *s, int64_t j, int64_t v)
{
    real sum = 0;
    for (int l = 0; l < s->higher->terms; l++)
        sum += ((const real *)s->higher->c[l])[j] * ((const real *)s->higher->b[l])[v];
    return sum;
}

/* with_higher is known to the compiler, and the loops without it are as if there were none. */
static inline __attribute__((always_inline)) real phase(const naive_sum *s, int64_t j, int64_t v,
                                                        bool with_higher)
{
    const real sum = ((const real *)s->k2pi[0])[j] * ((const real *)s->r[0])[v] +
                     ((const real *)s->k2pi[1])[j] * ((const real *)s->r[1])[v] +
                     ((const real *)s->k2pi[2])[j] * ((const real *)s->r[2])[v] +
                     ((const real *)s->dw)[v] * ((const real *)s->t)[j];
    return with_higher ? sum + higher(s, j, v) : sum;
}

static inline __attribute__((always_inline)) real dephasing(const naive_sum *s, int64_t j,
                                                            int64_t v)
{
    real t = ((const real *)s->t)[j], product = 1;
    if (s->decay) product = decay(((const real *)s->decay)[v], t);
    if (!s->g[0]) return product;
    for (int d = 0; d < 3; d++)
        product *= sinc(((const real *)s->kn[d])[j] + ((const real *)s->g[d])[v] * t);
    return product;
}

/* acc += B exp(i angle) value */
static inline __attribute__((always_inline)) void accumulate(real acc[2], real b, real angle,
                                                             const real *value)
{
    real s = b * sin(angle), c = b * cos(angle);
    acc[0] += c * value[0] - s * value[1];
    acc[1] += s * value[0] + c * value[1];
}

static inline __attribute__((always_inline)) void add_voxels(const naive_sum *s, int c, int64_t j,
                                                             real acc[2], bool with_higher)
{
    for (int64_t v = 0; v < s->n_voxels; v++)
        accumulate(acc, dephasing(s, j, v), -phase(s, j, v, with_higher),
                   (const real *)s->in + 2 * (c * s->coil_in + v * s->element));
}

static inline __attribute__((always_inline)) void add_samples(const naive_sum *s, int c, int64_t v,
                                                              real acc[2], bool with_higher)
{
    for (int64_t j = 0; j < s->n_samples; j++)
        accumulate(acc, dephasing(s, j, v), phase(s, j, v, with_higher),
                   (const real *)s->in + 2 * (c * s->coil_in + j * s->element));
}

void NDFT_LOOP(naive_forward)(const naive_sum *s)
{
    real *out = s->out;
#pragma omp parallel for num_threads(s->threads) schedule(static) collapse(2)
    for (int c = 0; c < s->coils; c++) {
        for (int64_t j = 0; j < s->n_samples; j++) {
            real acc[2] = {0, 0};
            if (s->higher->terms)
                add_voxels(s, c, j, acc, true);
            else
                add_voxels(s, c, j, acc, false);
            real *o = out + 2 * (c * s->coil_out + j * s->element);
            o[0] = acc[0];
            o[1] = acc[1];
        }
    }
}

void NDFT_LOOP(naive_adjoint)(const naive_sum *s)
{
    real *out = s->out;
#pragma omp parallel for num_threads(s->threads) schedule(static) collapse(2)
    for (int c = 0; c < s->coils; c++) {
        for (int64_t v = 0; v < s->n_voxels; v++) {
            real acc[2] = {0, 0};
            if (s->higher->terms)
                add_samples(s, c, v, acc, true);
            else
                add_samples(s, c, v, acc, false);
            real *o = out + 2 * (c * s->coil_out + v * s->element);
            o[0] = acc[0];
            o[1] = acc[1];
        }
    }
}
