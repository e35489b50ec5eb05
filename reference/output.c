/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "turns.h"

#include <string.h>

/*
 * The sum behind one output, a block of inputs at a time: phases of the block in turns, then its
 * phasors, then per coil the products and compensated sums. Each step is a plain loop over the
 * block, which the compiler vectorises for the instruction sets at the bottom; without FMA hardware
 * fma() is libm's, slow and the same to the last bit.
 */

typedef struct phasors {
    double re[NDFT_BLOCK], im[NDFT_BLOCK];
} phasors;

/* turns += (hi + lo) y of one output coefficient and a block of input coordinates y. */
NDFT_INLINE void add_coordinates(double *turns, double hi, double lo, const double *y)
{
    for (int i = 0; i < NDFT_BLOCK; i++) turns[i] += ndft_fraction(hi, lo, y[i]);
}

/* The same with the coefficients on the side of the inputs. */
NDFT_INLINE void add_coefficients(double *turns, const double *hi, const double *lo, double y)
{
    for (int i = 0; i < NDFT_BLOCK; i++) turns[i] += ndft_fraction(hi[i], lo[i], y);
}

NDFT_INLINE void turns_forward(const ndft_operands *s, int64_t j, int64_t v, double *turns)
{
    for (int d = 0; d < s->dim; d++)
        add_coordinates(turns, s->k_hi[d][j], s->k_lo[d][j], s->x[d] + v);
    if (s->field) add_coefficients(turns, s->f_hi + v, s->f_lo + v, s->t[j]);
}

NDFT_INLINE void turns_adjoint(const ndft_operands *s, int64_t j, int64_t v, double *turns)
{
    for (int d = 0; d < s->dim; d++)
        add_coefficients(turns, s->k_hi[d] + j, s->k_lo[d] + j, s->x[d][v]);
    if (s->field) add_coordinates(turns, s->f_hi[v], s->f_lo[v], s->t + j);
}

NDFT_INLINE void scale(phasors *e, int i, double b)
{
    e->re[i] *= b;
    e->im[i] *= b;
}

NDFT_INLINE void dephase_forward(const ndft_operands *s, int64_t j, int64_t v, phasors *e)
{
    for (int d = 0; d < s->dim; d++)
        for (int i = 0; i < NDFT_BLOCK; i++)
            scale(e, i, ndft_sinc(fma(s->g[d][v + i], s->t[j], s->k_hi[d][j])));
}

NDFT_INLINE void dephase_adjoint(const ndft_operands *s, int64_t j, int64_t v, phasors *e)
{
    for (int d = 0; d < s->dim; d++)
        for (int i = 0; i < NDFT_BLOCK; i++)
            scale(e, i, ndft_sinc(fma(s->g[d][v], s->t[j + i], s->k_hi[d][j + i])));
}

/* sum += e * (re + i im) over a block. */
NDFT_INLINE void accumulate(ndft_sum *sum, const phasors *e, const double *re, const double *im)
{
    ndft_sum s = *sum;
    for (int i = 0; i < NDFT_BLOCK; i += NDFT_LANES) {
        for (int l = 0; l < NDFT_LANES; l++) {
            double a = e->re[i + l], b = e->im[i + l];
            ndft_add(&s.re[l], &s.re_error[l], fma(a, re[i + l], -(b * im[i + l])));
            ndft_add(&s.im[l], &s.im_error[l], fma(a, im[i + l], b * re[i + l]));
        }
    }
    *sum = s;
}

static double total(const double *lanes, const double *errors)
{
    double sum = 0, error = 0;
    for (int l = 0; l < NDFT_LANES; l++) {
        ndft_add(&sum, &error, lanes[l]);
        error += errors[l];
    }
    return sum + error;
}

NDFT_INLINE void sum_blocks(const ndft_operands *s, const double *in, int coils, int64_t output,
                            ndft_sum *sums, double *result, bool forward)
{
    int64_t length = forward ? s->voxels : s->samples;
    memset(sums, 0, (size_t)coils * sizeof *sums);
    for (int64_t at = 0; at < length; at += NDFT_BLOCK) {
        double turns[NDFT_BLOCK] = {0};
        phasors e;
        if (forward)
            turns_forward(s, output, at, turns);
        else
            turns_adjoint(s, at, output, turns);
        for (int i = 0; i < NDFT_BLOCK; i++)
            ndft_cos_sin(forward ? -turns[i] : turns[i], &e.re[i], &e.im[i]);
        if (s->gradients && forward) dephase_forward(s, output, at, &e);
        if (s->gradients && !forward) dephase_adjoint(s, at, output, &e);
        for (int c = 0; c < coils; c++)
            accumulate(&sums[c], &e, in + 2 * c * length + at, in + (2 * c + 1) * length + at);
    }
    for (int c = 0; c < coils; c++) {
        result[2 * c] = total(sums[c].re, sums[c].re_error);
        result[2 * c + 1] = total(sums[c].im, sums[c].im_error);
    }
}

static void forward_base(const ndft_operands *s, const double *in, int coils, int64_t j,
                         ndft_sum *sums, double *result)
{
    sum_blocks(s, in, coils, j, sums, result, true);
}

static void adjoint_base(const ndft_operands *s, const double *in, int coils, int64_t v,
                         ndft_sum *sums, double *result)
{
    sum_blocks(s, in, coils, v, sums, result, false);
}

__attribute__((target("avx2,fma"))) static void forward_avx2(const ndft_operands *s,
                                                             const double *in, int coils, int64_t j,
                                                             ndft_sum *sums, double *result)
{
    sum_blocks(s, in, coils, j, sums, result, true);
}

__attribute__((target("avx2,fma"))) static void adjoint_avx2(const ndft_operands *s,
                                                             const double *in, int coils, int64_t v,
                                                             ndft_sum *sums, double *result)
{
    sum_blocks(s, in, coils, v, sums, result, false);
}

ndft_output *ndft_output_for(ndft_op op)
{
    bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (op == NDFT_ADJOINT) return fast ? adjoint_avx2 : adjoint_base;
    return fast ? forward_avx2 : forward_base;
}
