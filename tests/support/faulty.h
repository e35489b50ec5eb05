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
    CLIPPED,          /* not linear */
    ADJOINT_SIGN,     /* the adjoint forgets to conjugate */
    FIELD_SIGN,       /* exp(+i dw t) in both directions */
    K_SIGN,           /* exp(+2 pi i k.r) in both directions */
    HALF_VOXEL,       /* r = (n - N/2)/N with N/2 in reals, wrong for odd N */
    SWAPPED_AXES,     /* G_x and G_y exchanged */
    NO_SINC,          /* gradients ignored */
    SINC_WITHOUT_K,   /* sinc(G t) */
    SINC_FOLDED,      /* the argument folded into [-1/2, 1/2] */
    RADIANS,          /* sinc takes G in rad/s */
    LAST_MISSING,     /* the last output is not written */
    FORGOTTEN_COIL,   /* every coil gets the input of the first */
    NO_HIGHER,        /* a phase of higher order ignored */
    LAST_HIGHER,      /* its last term is */
    HIGHER_SIGN,      /* exp(+i sum c b) in both directions */
    HIGHER_ONE_WAY,   /* the same way in both directions */
    ON_GRID,          /* positions of voxels ignored */
    ROUNDED,          /* to the nearest voxel */
    IN_FOV,           /* positions taken for parts of the field of view */
    NO_DECAY,         /* decay ignored */
    GROWING,          /* the adjoint has exp(+R t) */
    ONE_DECAY,        /* all voxels decay as the first does */
    MAPS_AS_THEY_ARE, /* the adjoint takes maps without conjugates */
    FIRST_MAP,        /* every coil has the first one's map */
    LAST_COIL_LEFT,   /* out of the adjoint's sum */
    NORMAL_SCALED,    /* the normal operator divides by the number of samples */
    NORMAL_ONE_WAY,   /* the normal operator turns its result by the voxel's field */
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

static double higher(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    const ndft_higher_phase *h = &p->higher;
    const int terms = f == NO_HIGHER ? 0 : h->terms - (f == LAST_HIGHER);
    double sum = 0;
    for (int l = 0; l < terms; l++)
        sum += ndft_real_at(h->c[l], p->prec, j) * ndft_real_at(h->b[l], p->prec, v);
    return f == HIGHER_SIGN ? -sum : sum;
}

/* x_d of a voxel */
static double position(const ndft_problem *p, fault f, int64_t v, int d)
{
    int64_t grid[3];
    double x[3];
    ndft_voxel_coord(p, v, grid);
    ndft_voxel_at(p, v, x);
    if (f == ON_GRID) return (double)grid[d];
    if (f == ROUNDED) return rint(x[d]);
    return f == IN_FOV && ndft_is_off_grid(p) ? x[d] * (double)p->n[d] : x[d];
}

static double phase(const ndft_problem *p, fault f, int64_t j, int64_t v)
{
    double turns = 0;
    for (int d = 0; d < p->dim; d++) {
        double at = position(p, f, v, d) - (f == HALF_VOXEL && p->n[d] % 2 ? 0.5 : 0);
        turns += ndft_real_at(p->k[d], p->prec, j) * at / (double)p->n[d];
    }
    if (f == K_SIGN) turns = -turns;
    double angle = 2 * M_PI * turns + higher(p, f, j, v);
    if (!p->dw) return angle;
    double field = ndft_real_at(p->dw, p->prec, v) * ndft_real_at(p->t, p->prec, j);
    return angle + (f == FIELD_SIGN ? -field : field);
}

/* Re,im of coil c's map at voxel v; 1 without. */
static void map_of(const ndft_problem *p, fault f, int64_t c, int64_t v, double s[2])
{
    const int64_t at = 2 * ((f == FIRST_MAP ? 0 : c) * p->n_voxels + v);
    s[0] = p->maps ? ndft_real_at(p->maps, p->prec, at) : 1;
    s[1] = p->maps ? ndft_real_at(p->maps, p->prec, at + 1) : 0;
}

static void multiply(double z[2], double re, double im)
{
    const double real = re * z[0] - im * z[1];
    z[1] = re * z[1] + im * z[0];
    z[0] = real;
}

/* Of one coil's samples. */
static void one_output(const ndft_problem *p, ndft_op op, fault f, const void *in, int64_t c,
                       int64_t o, double sum[2])
{
    const ndft_placement from = ndft_input_placement(p, op);
    const bool one = from.coils == 1 || f == FORGOTTEN_COIL;
    double s[2];
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < from.length; i++) {
        int64_t j = op == NDFT_FORWARD ? o : i, v = op == NDFT_FORWARD ? i : o;
        double angle = phase(p, f, j, v), b = dephasing(p, f, j, v);
        if (op == NDFT_ADJOINT && f == GROWING) b = 1 / b;
        if (op == NDFT_FORWARD || f == ADJOINT_SIGN) angle = -angle;
        if (op == NDFT_ADJOINT && f == HIGHER_ONE_WAY) angle -= 2 * higher(p, f, j, v);
        int64_t at = 2 * ((one ? 0 : c) * from.coil + i * from.element);
        double z[2] = {ndft_real_at(in, p->prec, at), ndft_real_at(in, p->prec, at + 1)};
        map_of(p, f, c, v, s);
        if (op == NDFT_FORWARD) multiply(z, s[0], s[1]);
        multiply(z, b * cos(angle), b * sin(angle));
        for (int part = 0; part < 2; part++) sum[part] += z[part];
    }
    map_of(p, f, c, o, s);
    if (op == NDFT_ADJOINT) multiply(sum, s[0], f == MAPS_AS_THEY_ARE ? s[1] : -s[1]);
    if (f == CLIPPED) sum[0] = fmin(sum[0], 10);
}

/* Of all coils where there are maps. */
static void joined_output(const ndft_problem *p, ndft_op op, fault f, const void *in, int64_t c,
                          int64_t o, double sum[2])
{
    const int64_t past = p->coils - (f == LAST_COIL_LEFT);
    if (!p->maps || op == NDFT_FORWARD) {
        one_output(p, op, f, in, c, o, sum);
        return;
    }
    sum[0] = sum[1] = 0;
    for (c = 0; c < past; c++) {
        double one[2];
        one_output(p, op, f, in, c, o, one);
        for (int part = 0; part < 2; part++) sum[part] += one[part];
    }
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
    for (int64_t i = 0; i < 2 * p->n_voxels * ndft_image_coils(p); i += 2) {
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
    const ndft_placement to = ndft_output_placement(p, op);
    for (int64_t c = 0; c < to.coils; c++) {
        for (int64_t o = 0; o < to.length; o++) {
            double sum[2];
            if (f == LAST_MISSING && o == to.length - 1) continue;
            joined_output(p, op, f, in, c, o, sum);
            int64_t at = 2 * (c * to.coil + o * to.element);
            ndft_put_real(out, p->prec, at, sum[0]);
            ndft_put_real(out, p->prec, at + 1, sum[1]);
        }
    }
    return NDFT_OK;
}

#endif
