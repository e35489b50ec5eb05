/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_SHAPE_H
#define NDFT_NUFFT_LINE_SHAPE_H

#include "nufft/shape.h"
#include "phase/centre.h"
#include "phase/lines.h"

#include <math.h>
#include <stdlib.h>

/*
 * The transforms along uniform lines. With b_k the phase of a voxel per sample, in turns, and a_k
 * that at a line's middle, sample number x of the line and a voxel meet at the phase 2 pi (a_k +
 * b_k x), field map and all: a one-dimensional nonuniform transform with a frequency b_k per voxel,
 *
 *     forward   s_x = sum_k (m_k exp(-2 pi i a_k)) exp(-2 pi i b_k x)    voxels are spread, FFT
 *     adjoint   m_k = exp(2 pi i a_k) sum_x d_x exp(2 pi i b_k x)        FFT, then interpolation
 *
 * on a grid of n cells, on which a voxel lies at b_k n mod n. Long lines are cut into pieces.
 */

/* The knobs, which are the family's as far as a line has them. */
enum { NDFT_LINE_SIGMA, NDFT_LINE_WINDOW, NDFT_LINE_WIDTH };

#define NDFT_LINE_KNOB_ROWS                                                                        \
    NDFT_KNOB("sigma", "%", "cells of a line's grid per sample", 200, (125, 150, 200)),            \
        NDFT_WINDOW_KNOB,                                                                          \
        NDFT_KNOB("width", "cells", "of the window; 0 chooses by tol", 0, (0, 4, 5, 6, 7, 8))

typedef struct ndft_line_shape {
    ndft_nufft_shape along; /* of a piece, as a one-dimensional problem */
    ndft_line_cut cut;      /* sample q of a line's piece is x = q + before - middle */
    int64_t lines;          /* pieces in all */
    int middle;
} ndft_line_shape;

/* What a backend is built for: samples of a piece, widths of windows. */
typedef struct ndft_line_limits {
    int longest, narrowest, widest;
} ndft_line_limits;

/* How far an error may lie above that of a window, a mean over samples: windows lose most at the
 * ends of lines, and these may be most of those looked at. */
static const double ndft_line_ends_lose = 1.5;

/* A piece as a problem of one dimension, without field, of as many voxels and samples as there are
 * in all. */
static inline ndft_problem ndft_line_problem(const ndft_problem *p, int64_t samples)
{
    ndft_problem line = {0};
    line.dim = 1;
    line.prec = p->prec;
    line.coils = 1;
    line.tol = p->tol / ndft_line_ends_lose;
    line.tol_kind = p->tol_kind;
    line.n[0] = samples;
    line.n_voxels = p->n_voxels;
    line.n_samples = p->n_samples;
    line.n[1] = line.n[2] = 1;
    line.memo = p->memo;
    return line;
}

/* The knobs as the family counts them. */
typedef struct ndft_line_choice {
    int k[NDFT_NUFFT_KNOBS];
} ndft_line_choice;

static inline ndft_line_choice ndft_line_asked(const int *k)
{
    ndft_line_choice c = {{0}};
    c.k[NDFT_KNOB_SIGMA] = k[NDFT_LINE_SIGMA];
    c.k[NDFT_KNOB_WINDOW] = k[NDFT_LINE_WINDOW];
    c.k[NDFT_KNOB_WEIGHTS] = NDFT_WEIGHTS_POLYNOMIAL;
    c.k[NDFT_KNOB_WIDTH] = k[NDFT_LINE_WIDTH];
    return c;
}

/* The same with the width chosen within limits. */
static inline ndft_line_choice ndft_line_chosen(const ndft_problem *line, const int *k,
                                                const ndft_line_limits *limits)
{
    ndft_line_choice c = ndft_line_asked(k);
    int width = ndft_nufft_width(line, c.k);
    if (width < limits->narrowest) width = limits->narrowest;
    c.k[NDFT_KNOB_WIDTH] = width < limits->widest ? width : limits->widest;
    return c;
}

static inline ndft_line_cut ndft_line_cut_of(const ndft_problem *p, int longest)
{
    ndft_line_cut cut = ndft_cut_lines(p->structure.line_length, longest);
    cut.tile = cut.length | 1; /* a sample is in the middle */
    return cut;
}

/* Of other samples, infinity. */
static inline double ndft_line_error(const ndft_problem *p, const int *k,
                                     const ndft_line_limits *limits)
{
    if (!p->structure.line_length) return INFINITY;
    const ndft_problem line = ndft_line_problem(p, ndft_line_cut_of(p, limits->longest).length);
    const ndft_line_choice chosen = ndft_line_chosen(&line, k, limits);
    return ndft_line_ends_lose * ndft_nufft_error(&line, chosen.k);
}

/*
 * The same whatever the data, but for the phasors at the middles. Forward voxels are spread, of
 * which any may touch one cell; in the adjoint lines are added up, cosines and sines apart. The
 * phase per sample is off by 9 roundings in double, of its four products, their sums and the place,
 * and counts as often as there are samples to the middle.
 */
static inline double ndft_line_any(const ndft_problem *p, ndft_op op, const int *k,
                                   const ndft_line_limits *limits)
{
    if (!p->structure.line_length) return INFINITY;
    const ndft_line_cut cut = ndft_line_cut_of(p, limits->longest);
    const ndft_problem line = ndft_line_problem(p, cut.length);
    const ndft_line_choice chosen = ndft_line_chosen(&line, k, limits);
    const ndft_nufft_worst worst = ndft_nufft_worst_at(&line, NDFT_FORWARD, chosen.k);
    const double terms =
        op == NDFT_ADJOINT ? M_SQRT2 * (double)ndft_n_lines(p, &cut) : (double)p->n_voxels;
    return ndft_nufft_worst_sum(&worst, p->prec, terms) + 9 * 0x1p-53 * M_PI * cut.length;
}

static inline const char *ndft_line_unsupported(const ndft_problem *p, const ndft_device *device,
                                                const int *k, const ndft_line_limits *limits)
{
    if (!p->structure.line_length) return "its samples lie in no uniform lines";
    if (ndft_has_gradients(p)) return "the sinc of gradient maps is not linear along a line";
    if (k[NDFT_LINE_SIGMA] > 200) return "sigma must be at most 200";
    if (k[NDFT_LINE_WIDTH] > limits->widest) return "its windows are not so wide";
    const ndft_problem line = ndft_line_problem(p, ndft_line_cut_of(p, limits->longest).length);
    const ndft_line_choice asked = ndft_line_asked(k);
    return ndft_nufft_unsupported(&line, device, asked.k);
}

static inline ndft_status ndft_line_shape_make(const ndft_problem *p, const int *k,
                                               const ndft_line_limits *limits, ndft_error *error,
                                               ndft_line_shape *s)
{
    s->cut = ndft_line_cut_of(p, limits->longest);
    s->lines = ndft_n_lines(p, &s->cut);
    s->middle = s->cut.length / 2;
    const ndft_problem line = ndft_line_problem(p, s->cut.length);
    const ndft_line_choice chosen = ndft_line_chosen(&line, k, limits);
    return ndft_nufft_shape_make(&line, chosen.k, 1, error, &s->along);
}

/* Orders of lines and of voxels for nufft_line's spreading. */

/* The axis along which a line's phase changes fastest from voxel to voxel. */
static inline int ndft_line_axis(const ndft_problem *p, const ndft_line *line)
{
    int axis = 0;
    for (int d = 1; d < p->dim; d++)
        if (fabs(line->half_step[d]) / (double)p->n[d] >
            fabs(line->half_step[axis]) / (double)p->n[axis])
            axis = d;
    return axis;
}

/* Lines of one axis after those of another, so that lines taken together have the same. order,
 * axis: [lines] */
static inline void ndft_order_lines(const ndft_problem *p, const ndft_line_cut *cut, int64_t lines,
                                    int32_t *order, unsigned char *axis)
{
    int64_t place = 0;
    for (int d = 0; d < p->dim; d++)
        for (int64_t i = 0; i < lines; i++) {
            const ndft_line line = ndft_line_at(p, cut, i, 1);
            if (ndft_line_axis(p, &line) != d) continue;
            axis[place] = (unsigned char)d;
            order[place++] = (int32_t)i;
        }
}

/*
 * Voxels with `axis` fastest, and among them lanes `stride` apart: place (i lanes + l) of each run
 * of stride*lanes voxels has voxel (l stride + i), the last run as it comes. order: [padded], -1
 * beyond the voxels. False: no memory.
 */
static inline bool ndft_order_voxels(const ndft_problem *p, int axis, int lanes, int stride,
                                     int64_t padded, int32_t *order)
{
    const int64_t grid = p->n[0] * p->n[1] * p->n[2], run = (int64_t)stride * lanes;
    int32_t *voxel = (int32_t *)malloc((size_t)grid * sizeof *voxel); /* -1: not in use */
    if (!voxel) return false;
    for (int64_t place = 0; place < grid; place++) voxel[place] = -1;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        int64_t x[3], place = 0;
        ndft_voxel_coord(p, v, x);
        for (int d = 2; d >= 0; d--)
            if (d != axis) place = place * p->n[d] + x[d] + p->n[d] / 2;
        voxel[place * p->n[axis] + x[axis] + p->n[axis] / 2] = (int32_t)v;
    }
    for (int64_t i = 0; i < padded; i++) order[i] = -1;
    for (int64_t place = 0, i = 0; place < grid; place++) {
        if (voxel[place] < 0) continue;
        const int64_t first = i / run * run, in_run = i - first;
        const bool whole = first + run <= p->n_voxels;
        order[whole ? first + in_run % stride * lanes + in_run / stride : i] = voxel[place];
        i++;
    }
    free(voxel);
    return true;
}

/*
 * One direction of the operator along uniform lines. Voxels come in tiles, padded with zeros to
 * whole ones. A window is a row of NDFT_LINE_WIDEST cells, real and imaginary parts side by side,
 * with weights of zero beyond its width.
 */

enum { NDFT_LINE_TILE = 64, NDFT_LINE_WIDEST_F32 = 8, NDFT_LINE_WIDEST_F64 = 16 };
enum { NDFT_LINE_TOGETHER = 4 }; /* grids a thread spreads onto: of coils, or in turns */

typedef struct ndft_line_piece {
    int64_t first; /* sample */
    int length;
    int before;       /* places of the piece that come before it */
    ndft_centre step; /* from sample to sample, in turns per unit of each voxel coordinate */
} ndft_line_piece;

typedef struct ndft_line_sums {
    int axes; /* coordinates of the phase, 1..4 */
    int coils, threads;
    int cells, width, degree;
    int samples, middle;                /* of a piece; the sample at x = 0 */
    int64_t lines, voxels, padded;      /* pieces; padded: whole tiles */
    int64_t element, in_coil, out_coil; /* strides in complex elements */

    const void *voxel_at[4]; /* [padded] x or dw, exact */
    const ndft_line_piece *line;
    const void *middles; /* ndft_scaled[lines]: at x = 0 */
    const void *poly;    /* [degree + 1][widest][2], each coefficient twice */
    const void *scale;   /* [samples] 1/hat */

    void (*transform)(const void *fft, void *grid); /* in place */
    const void *fft;
    void *grids; /* adjoint: [coils][lines][room] */
    void *work;  /* per thread */
    size_t work_reals;
} ndft_line_sums;

/* Complex cells that a grid takes with the windows that reach over its ends. */
static inline int64_t ndft_line_room(const ndft_line_sums *s)
{
    return (s->cells + 2 * NDFT_LINE_WIDEST_F64 + 7) / 8 * 8;
}

#endif
