/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILES_H
#define NDFT_TILES_H

#include "base/problem.h"

#include <math.h>
#include <stdlib.h>

/*
 * Compact tiles of one side of the operator, samples or voxels: the points sorted along a Hilbert
 * curve and cut into runs of `tile`. Within a run coordinates differ little from the run's centre,
 * so a phase a.b is split into a.centre, reduced exactly and once per tile, and the small
 * remainder a.(b - centre). The curve is Skilling's, AIP Conf. Proc. 707 (2004) 381.
 */

typedef enum ndft_side { NDFT_SAMPLES, NDFT_VOXELS } ndft_side;

typedef struct ndft_tiles {
    int tile; /* points in a tile; the last one may have fewer */
    int64_t n_points, n_tiles;
    int32_t *order;      /* [n_points] element at each place of the curve */
    double (*centre)[4]; /* [n_tiles] middle of x or k per axis, then of dw or t */
} ndft_tiles;

/* Coordinates of one point: x (voxels) and dw (rad/s), or k (cycles/FOV) and t (s). */
static inline void ndft_point(const ndft_problem *p, ndft_side side, int64_t i, double at[4])
{
    double x[3] = {0, 0, 0};
    if (side == NDFT_VOXELS) ndft_voxel_at(p, i, x);
    for (int d = 0; d < 3; d++)
        at[d] = side == NDFT_VOXELS ? x[d] : p->k[d] ? ndft_real_at(p->k[d], p->prec, i) : 0;
    const void *last = side == NDFT_VOXELS ? p->dw : p->t;
    at[3] = last ? ndft_real_at(last, p->prec, i) : 0;
}

/* Place of a point of 16-bit coordinates on the curve. */
static inline uint64_t ndft_hilbert(uint32_t x[3], int dim)
{
    const uint32_t top = 1u << 15;
    for (uint32_t q = top; q > 1; q >>= 1) {
        for (int d = 0; d < dim; d++) {
            uint32_t swap = (x[0] ^ x[d]) & (q - 1);
            if (x[d] & q) {
                x[0] ^= q - 1;
            } else {
                x[0] ^= swap;
                x[d] ^= swap;
            }
        }
    }
    for (int d = 1; d < dim; d++) x[d] ^= x[d - 1];
    uint32_t flip = 0;
    for (uint32_t q = top; q > 1; q >>= 1)
        if (x[dim - 1] & q) flip ^= q - 1;
    uint64_t key = 0;
    for (int bit = 15; bit >= 0; bit--)
        for (int d = 0; d < dim; d++) key = key << 1 | (((x[d] ^ flip) >> bit) & 1);
    return key;
}

typedef struct ndft_curve_point {
    uint64_t key;
    int32_t index;
} ndft_curve_point;

static inline int ndft_curve_compare(const void *a, const void *b)
{
    const ndft_curve_point *p = (const ndft_curve_point *)a, *q = (const ndft_curve_point *)b;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key) : p->index - q->index;
}

static inline ndft_curve_point ndft_curve_place(const ndft_problem *p, ndft_side side, int64_t i)
{
    double at[4], extent = 1;
    for (int d = 0; d < p->dim; d++) {
        double half = side == NDFT_VOXELS ? ndft_reach(p, d) : p->k_max[d];
        if (half > extent) extent = half;
    }
    uint32_t x[3];
    ndft_point(p, side, i, at);
    for (int d = 0; d < 3; d++) {
        /* Integers keep their spacing, so that power-of-two grids fall into aligned blocks. */
        double scaled = side == NDFT_VOXELS && !ndft_is_off_grid(p) && extent <= 0x1p14
                            ? at[d] + (double)(p->n[d] / 2)
                            : (at[d] / extent + 1) * 0x1.fffep14;
        x[d] = (uint32_t)scaled;
    }
    return (ndft_curve_point){ndft_hilbert(x, p->dim), (int32_t)i};
}

static inline void ndft_tile_centre(const ndft_problem *p, ndft_side side, const ndft_tiles *tiles,
                                    int64_t tile)
{
    double low[4] = {0}, high[4] = {0};
    int64_t end = (tile + 1) * tiles->tile;
    if (end > tiles->n_points) end = tiles->n_points;
    for (int64_t i = tile * tiles->tile; i < end; i++) {
        double at[4];
        ndft_point(p, side, tiles->order[i], at);
        for (int d = 0; d < 4; d++) {
            if (i == tile * tiles->tile || at[d] < low[d]) low[d] = at[d];
            if (i == tile * tiles->tile || at[d] > high[d]) high[d] = at[d];
        }
    }
    for (int d = 0; d < 4; d++) tiles->centre[tile][d] = (low[d] + high[d]) / 2;
}

static inline void ndft_tiles_free(ndft_tiles *tiles)
{
    free(tiles->order);
    free(tiles->centre);
    tiles->order = NULL;
    tiles->centre = NULL;
}

/* False when host memory does not suffice. */
static inline bool ndft_tiles_make(const ndft_problem *p, ndft_side side, int tile,
                                   ndft_tiles *tiles)
{
    int64_t n = side == NDFT_VOXELS ? p->n_voxels : p->n_samples;
    tiles->tile = tile;
    tiles->n_points = n;
    tiles->n_tiles = (n + tile - 1) / tile;
    tiles->order = (int32_t *)malloc((size_t)n * sizeof *tiles->order);
    tiles->centre = (double(*)[4])malloc((size_t)tiles->n_tiles * sizeof *tiles->centre);
    ndft_curve_point *points = (ndft_curve_point *)malloc((size_t)n * sizeof *points);
    bool enough = tiles->order && tiles->centre && points;
    if (enough) {
        for (int64_t i = 0; i < n; i++) points[i] = ndft_curve_place(p, side, i);
        qsort(points, (size_t)n, sizeof *points, ndft_curve_compare);
        for (int64_t i = 0; i < n; i++) tiles->order[i] = points[i].index;
        for (int64_t t = 0; t < tiles->n_tiles; t++) ndft_tile_centre(p, side, tiles, t);
    } else {
        ndft_tiles_free(tiles);
    }
    free(points);
    return enough;
}

static inline double ndft_least(double a, double b) { return a < b ? a : b; }

/*
 * About the largest phase (rad) that is left when one side lies in tiles: half a tile's extent,
 * made twice as wide for runs that bend, times the other side's largest coordinate. Rounding, and
 * with it the claims of the tiling variants, grows with it. Samples, and voxels off the grid, are
 * taken to be spread evenly.
 */
static inline double ndft_tile_remainder(const ndft_problem *p, int tile)
{
    const double two_pi = 6.283185307179586, side = pow(tile, 1.0 / p->dim);
    const double share = pow((double)tile / (double)p->n_samples, 1.0 / p->dim);
    const double off_grid = pow((double)tile / (double)p->n_voxels, 1.0 / p->dim);
    double voxels = 0, samples = 0;
    for (int d = 0; d < p->dim; d++) {
        const double n = (double)p->n[d], far = ndft_is_off_grid(p) ? p->x_max[d] / n : 0.5;
        const double extent =
            ndft_is_off_grid(p) ? far * ndft_least(2 * off_grid, 1) : ndft_least(side, n / 2) / n;
        voxels += two_pi * p->k_max[d] * extent;
        samples += two_pi * p->k_max[d] * far * ndft_least(2 * share, 1);
    }
    return (voxels > samples ? voxels : samples) + p->dw_max * p->t_max;
}

#endif
