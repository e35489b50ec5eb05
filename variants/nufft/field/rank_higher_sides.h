/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_HIGHER_SIDES_H
#define NDFT_NUFFT_RANK_HIGHER_SIDES_H

#include "phase/sincos_poly.h"
#include "rank_higher.h"

#include <math.h>

/* The two sides of the phase in double, field map among its terms: half turns are sum_a c_a b_a. */

enum { NDFT_SIDE_AXES = NDFT_HIGHER_TERMS + 1 };

typedef struct ndft_higher_sides {
    int axes;
    int64_t samples, voxels;
    double *c;        /* [axes][samples] */
    double *b;        /* [axes][voxels] */
    double *t, *rate; /* [samples], [voxels]; NULL: no decay */
} ndft_higher_sides;

/* false: no memory. */
bool ndft_higher_sides_make(const ndft_problem *, ndft_higher_sides *);
void ndft_higher_sides_release(ndft_higher_sides *);

/* The entry of one pair. */
static inline void ndft_higher_entry(const ndft_higher_sides *s, int64_t j, int64_t v, double *re,
                                     double *im)
{
    double half_turns = 0, sine, cosine;
    for (int a = 0; a < s->axes; a++)
        half_turns += s->c[a * s->samples + j] * s->b[a * s->voxels + v];
    const double left = s->t ? exp(-s->rate[v] * s->t[j]) : 1;
    ndft_sincospi_poly_f64(half_turns, &sine, &cosine);
    *re = left * cosine;
    *im = -left * sine;
}

/* Samples, and voxels, that are taken side by side. */
enum { NDFT_HIGHER_SAMPLES = 16, NDFT_HIGHER_VOXELS = 128 };

/* h of at most NDFT_HIGHER_SAMPLES of them, [terms][re, im][NDFT_HIGHER_SAMPLES]. */
void ndft_higher_h(const ndft_higher_sides *, const ndft_higher_sum *, const int64_t *sample,
                   int count, double *h);

/* Entries of a sample with at most NDFT_HIGHER_VOXELS voxels, [re, im][NDFT_HIGHER_VOXELS]. */
void ndft_higher_row(const ndft_higher_sides *, int64_t sample, const int64_t *voxel, int count,
                     double *row);

/* row less the terms: h of sample number `lane` of those above, and a row of each term. */
void ndft_higher_subtract(int terms, const double *h, int lane, const double *rows, double *row);

/* What is left over of the pairs of some samples with some voxels. */
typedef struct ndft_higher_look {
    double *by_sample, *by_voxel; /* [n_samples], [n_voxels] largest square */
    double error, worst; /* largest root mean square over a sample's or a voxel's, largest */
    double gain, root;   /* of h of these samples */
} ndft_higher_look;

/* voxel, sample: lists. false: no memory. */
bool ndft_higher_look_at(const ndft_higher_sides *, const ndft_higher_sum *, const int64_t *sample,
                         int64_t n_samples, const int64_t *voxel, int64_t n_voxels,
                         ndft_higher_look *);
void ndft_higher_look_release(ndft_higher_look *);

#endif
