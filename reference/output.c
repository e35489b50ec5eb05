/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "base/memory/memory.h"
#include "coils.h"
#include "turns.h"

#include <stdlib.h>
#include <string.h>

int64_t ndft_padded(int64_t length) { return (length + NDFT_BLOCK - 1) / NDFT_BLOCK * NDFT_BLOCK; }

static double *take(double **memory, int64_t padded)
{
    double *array = *memory;
    *memory += padded;
    return array;
}

static void fill_samples(const ndft_problem *p, ndft_operands *s)
{
    for (int64_t j = 0; j < p->n_samples; j++) {
        for (int d = 0; d < p->dim; d++) {
            ndft_pair_sum k = ndft_quotient(ndft_real_at(p->k[d], p->prec, j), (double)p->n[d]);
            s->k_hi[d][j] = k.hi;
            s->k_lo[d][j] = k.lo;
        }
        for (int a = p->dim; a < s->axes; a++) {
            ndft_pair_sum c = ndft_cycles(ndft_real_at(p->higher.c[a - p->dim], p->prec, j));
            s->k_hi[a][j] = c.hi;
            s->k_lo[a][j] = c.lo;
        }
        s->t[j] = ndft_real_at(p->t, p->prec, j);
    }
}

static void fill_voxels(const ndft_problem *p, ndft_operands *s)
{
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double x[3];
        ndft_voxel_at(p, v, x);
        for (int d = 0; d < p->dim; d++) {
            s->x[d][v] = x[d];
            if (s->gradients) s->g[d][v] = ndft_real_at(p->g[d], p->prec, v);
        }
        for (int a = p->dim; a < s->axes; a++)
            s->x[a][v] = ndft_real_at(p->higher.b[a - p->dim], p->prec, v);
        if (s->decay) s->rate[v] = ndft_real_at(p->decay, p->prec, v);
        if (!s->field) continue;
        ndft_pair_sum f = ndft_cycles(ndft_real_at(p->dw, p->prec, v));
        s->f_hi[v] = f.hi;
        s->f_lo[v] = f.lo;
    }
}

ndft_status ndft_operands_make(const ndft_problem *p, ndft_operands *s, ndft_error *error)
{
    *s = (ndft_operands){.dim = p->dim,
                         .axes = p->dim + p->higher.terms,
                         .field = p->dw != NULL,
                         .gradients = ndft_has_gradients(p),
                         .decay = p->decay != NULL,
                         .samples = ndft_padded(p->n_samples),
                         .voxels = ndft_padded(p->n_voxels)};
    int64_t per_sample = 2 * s->axes + 1, per_voxel = s->axes + p->dim + 3;
    int64_t reals = per_sample * s->samples + per_voxel * s->voxels;
    size_t bytes = (size_t)reals * sizeof(double), available = ndft_memory_available();
    double *memory = s->memory = bytes <= available ? calloc(1, bytes) : NULL;
    if (!memory)
        return ndft_fail(error, NDFT_ENOMEM,
                         "the reference needs %zu bytes for coordinates, %zu are free", bytes,
                         available);
    s->t = take(&memory, s->samples);
    s->f_hi = take(&memory, s->voxels);
    s->f_lo = take(&memory, s->voxels);
    s->rate = take(&memory, s->voxels);
    for (int a = 0; a < s->axes; a++) {
        s->k_hi[a] = take(&memory, s->samples);
        s->k_lo[a] = take(&memory, s->samples);
        s->x[a] = take(&memory, s->voxels);
        if (a < p->dim) s->g[a] = take(&memory, s->voxels);
    }
    fill_samples(p, s);
    fill_voxels(p, s);
    return NDFT_OK;
}

void ndft_operands_free(ndft_operands *s) { free(s->memory); }

double *ndft_split(ndft_prec prec, const ndft_placement *columns, const void *vector)
{
    const int64_t padded = ndft_padded(columns->length);
    double *split = calloc((size_t)(2 * columns->coils * padded), sizeof *split);
    if (!split) return NULL;
    for (int c = 0; c < columns->coils; c++) {
        double *re = split + 2 * c * padded, *im = re + padded;
        for (int64_t e = 0; e < columns->length; e++) {
            const int64_t at = 2 * (c * columns->coil + e * columns->element);
            re[e] = ndft_real_at(vector, prec, at);
            im[e] = ndft_real_at(vector, prec, at + 1);
        }
    }
    return split;
}

double *ndft_split_by_maps(const ndft_problem *p, const void *image)
{
    const int64_t padded = ndft_padded(p->n_voxels);
    double *split = calloc((size_t)(2 * p->coils * padded), sizeof *split);
    if (!split) return NULL;
    for (int c = 0; c < p->coils; c++) {
        double *re = split + 2 * c * padded, *im = re + padded, z[2];
        for (int64_t v = 0; v < p->n_voxels; v++) {
            ndft_coil_image(p, c, v, image, z);
            re[v] = z[0];
            im[v] = z[1];
        }
    }
    return split;
}

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
    for (int d = 0; d < s->axes; d++)
        add_coordinates(turns, s->k_hi[d][j], s->k_lo[d][j], s->x[d] + v);
    if (s->field) add_coefficients(turns, s->f_hi + v, s->f_lo + v, s->t[j]);
}

NDFT_INLINE void turns_adjoint(const ndft_operands *s, int64_t j, int64_t v, double *turns)
{
    for (int d = 0; d < s->axes; d++)
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

/* exp(-rate t): the product's rounding error multiplies what it is the exponent of. */
NDFT_INLINE double decayed(double rate, double t)
{
    const double product = rate * t;
    return exp(-product) * (1 - fma(rate, t, -product));
}

NDFT_INLINE void decay_forward(const ndft_operands *s, int64_t j, int64_t v, phasors *e)
{
    for (int i = 0; i < NDFT_BLOCK; i++) scale(e, i, decayed(s->rate[v + i], s->t[j]));
}

NDFT_INLINE void decay_adjoint(const ndft_operands *s, int64_t j, int64_t v, phasors *e)
{
    for (int i = 0; i < NDFT_BLOCK; i++) scale(e, i, decayed(s->rate[v], s->t[j + i]));
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
        if (s->decay && forward) decay_forward(s, output, at, &e);
        if (s->decay && !forward) decay_adjoint(s, at, output, &e);
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
