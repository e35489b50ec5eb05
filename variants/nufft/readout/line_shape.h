/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_SHAPE_H
#define NDFT_NUFFT_LINE_SHAPE_H

#include "nufft/shape.h"
#include "phase/lines.h"

/*
 * The transforms along uniform lines. With b_k the phase of a voxel per sample, in turns, and a_k
 * that at a line's middle, sample number x of the line and a voxel meet at the phase 2 pi (a_k +
 * b_k x), field map and all: a one-dimensional nonuniform transform with a frequency b_k per voxel,
 *
 *     forward   s_x = sum_k (m_k exp(-2 pi i a_k)) exp(-2 pi i b_k x)     voxels are spread, then
 * FFT adjoint   m_k = exp(2 pi i a_k) sum_x d_x exp(2 pi i b_k x)         FFT, then interpolation
 *
 * on a grid of n cells, on which a voxel lies at b_k n mod n. Long lines are cut into pieces.
 */

/* The knobs in line_knobs.def. */
enum { NDFT_LINE_SIGMA, NDFT_LINE_WINDOW, NDFT_LINE_WIDTH };

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

#endif
