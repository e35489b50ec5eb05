/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_FAULTY_H
#define NDFT_TEST_FAULTY_H

#include "base/problem.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* The operator as a plain double loop, which can be told to be wrong as such code is wrong. */

typedef enum fault {
    NONE,
    CLIPPED,        /* not linear */
    ADJOINT_SIGN,   /* the adjoint forgets to conjugate */
    FIELD_SIGN,     /* exp(+i dw t) in both directions */
    K_SIGN,         /* exp(+2 pi i k.r) in both directions */
    HALF_VOXEL,     /* r = (n - N/2)/N with N/2 in reals, wrong for odd N */
    SWAPPED_AXES,   /* G_x and G_y exchanged */
    NO_SINC,        /* gradients ignored */
    SINC_WITHOUT_K, /* sinc(G t) */
    SINC_FOLDED,    /* the argument folded into [-1/2, 1/2] */
    RADIANS,        /* sinc takes G in rad/s */
    LAST_MISSING,   /* the last output is not written */
    FORGOTTEN_COIL, /* every coil gets the input of the first */
    NO_DECAY,       /* decay ignored */
    GROWING,        /* the adjoint has exp(+R t) */
    ONE_DECAY,      /* all voxels decay as the first does */
    NORMAL_SCALED,  /* the normal operator divides by the number of samples */
    NORMAL_ONE_WAY, /* the normal operator turns its result by the voxel's field */
} fault;

static double sinc(double x) { return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x); }

static double dephasing(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    double b = 1;
    if (p->decay && f != NO_DECAY)
        b = exp(-ndft_real_at(p->decay, p->prec, f == ONE_DECAY ? 0 : v) *
                ndft_real_at(p->t, p->prec, j));
    if (!ndft_has_gradients(p) || f == NO_SINC) return b;
    for (int d = 0; d < p->dim; d++) {
        int axis = f == SWAPPED_AXES && d < 2 && p->dim > 1 ? 1 - d : d;
        double gt = ndft_real_at(p->g[axis], p->prec, v) * ndft_real_at(p->t, p->prec, j);
        double k = ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d];
        if (f == RADIANS) gt /= 2 * M_PI;
        if (f == SINC_WITHOUT_K) k = 0;
        b *= sinc(f == SINC_FOLDED ? k + gt - rint(k + gt) : k + gt);
    }
    return b;
}

static double phase(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    double turns = 0;
    int64_t x[3];
    ndft_voxel_coord(p, v, x);
    for (int d = 0; d < p->dim; d++) {
        double at = (double)x[d] - (f == HALF_VOXEL && p->n[d] % 2 ? 0.5 : 0);
        turns += ndft_real_at(p->k[d], p->prec, j) * at / (double)p->n[d];
    }
    if (f == K_SIGN) turns = -turns;
    double angle = 2 * M_PI * turns;
    if (!p->dw) return angle;
    double field = ndft_real_at(p->dw, p->prec, v) * ndft_real_at(p->t, p->prec, j);
    return angle + (f == FIELD_SIGN ? -field : field);
}

static void one_output(const ndft_problem *p, ndft_op op, fault f, const void *in, int64_t c,
                       int64_t o, double sum[2])
{
    int64_t from = ndft_input_length(p, op), coil = f == FORGOTTEN_COIL ? 0 : c;
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < from; i++) {
        int64_t j = op == NDFT_FORWARD ? o : i, v = op == NDFT_FORWARD ? i : o;
        double angle = phase(p, f, j, v), b = dephasing(p, f, j, v);
        if (op == NDFT_ADJOINT && f == GROWING) b = 1 / b;
        if (op == NDFT_FORWARD || f == ADJOINT_SIGN) angle = -angle;
        int64_t at = 2 * (coil * ndft_coil_stride(p, from) + i * ndft_element_stride(p));
        double re = ndft_real_at(in, p->prec, at), im = ndft_real_at(in, p->prec, at + 1);
        sum[0] += b * (cos(angle) * re - sin(angle) * im);
        sum[1] += b * (cos(angle) * im + sin(angle) * re);
    }
    if (f == CLIPPED) sum[0] = fmin(sum[0], 10);
}

static ndft_status naive(void *context, const ndft_problem *p, ndft_op op, const void *in,
                         void *out, ndft_error *error);

/* One after the other, and what a fused operator may do wrong in between. */
static ndft_status naive_normal(const ndft_problem *p, fault f, const void *in, void *out,
                                ndft_error *error)
{
    void *samples = calloc(1, ndft_vector_bytes(p, p->n_samples));
    fault inner = f;
    ndft_status status = naive(&inner, p, NDFT_FORWARD, in, samples, error);
    if (status == NDFT_OK) status = naive(&inner, p, NDFT_ADJOINT, samples, out, error);
    free(samples);
    for (int64_t i = 0; i < 2 * p->n_voxels * p->coils; i += 2) {
        double re = ndft_real_at(out, p->prec, i), im = ndft_real_at(out, p->prec, i + 1);
        double scale = f == NORMAL_SCALED ? 1.0 / (double)p->n_samples : 1;
        double angle = f == NORMAL_ONE_WAY ? 0.1 * (double)(i % 7) : 0;
        ndft_put_real(out, p->prec, i, scale * (cos(angle) * re - sin(angle) * im));
        ndft_put_real(out, p->prec, i + 1, scale * (cos(angle) * im + sin(angle) * re));
    }
    return status;
}

static ndft_status naive(void *context, const ndft_problem *p, ndft_op op, const void *in,
                         void *out, ndft_error *error)
{
    fault f = *(const fault *)context;
    if (op == NDFT_NORMAL) return naive_normal(p, f, in, out, error);
    int64_t to = ndft_output_length(p, op);
    for (int64_t c = 0; c < p->coils; c++) {
        for (int64_t o = 0; o < to; o++) {
            double sum[2];
            if (f == LAST_MISSING && o == to - 1) continue;
            one_output(p, op, f, in, c, o, sum);
            int64_t at = 2 * (c * ndft_coil_stride(p, to) + o * ndft_element_stride(p));
            ndft_put_real(out, p->prec, at, sum[0]);
            ndft_put_real(out, p->prec, at + 1, sum[1]);
        }
    }
    return NDFT_OK;
}

#endif
