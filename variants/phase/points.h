/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_POINTS_H
#define NDFT_POINTS_H

#include "centre.h"
#include "coords.h"
#include "core/arena.h"
#include "core/tiles.h"

/*
 * The points of one side as the arrays of an ndft_sum. The phase is made of exact numbers of one
 * side (k, t, x or dw, which are floats when the problem is) and scaled ones of the other (2 x/N,
 * dw/pi, 2 k/N or t/pi), each rounded once; what that takes away is its rest. A compact side is
 * sorted into tiles and its coordinates are offsets from the tile's centre, so that phases are
 * small.
 */

/* Half turns that a phase between compact and exact points may reach; its rounding is 2^-24 of it
 * at most, and the claims of those variants count on it. */
#define NDFT_SMALL_PHASE 48.0

/* Parts that hold count elements. */
static inline int64_t ndft_whole(int64_t count, int64_t part) { return (count + part - 1) / part; }

/* The points of one side of one direction. */
typedef struct ndft_points {
    const ndft_problem *problem;
    ndft_side side;
    int64_t count, padded;
    ndft_tiles tiles; /* order NULL: as they stand */
    bool scaled;
    double sign;
} ndft_points;

/* Numbers of the phase's coordinates, space then field; returns how many. */
static inline int ndft_phase_axes(const ndft_problem *p, int axis[4])
{
    int axes = 0;
    for (int d = 0; d < p->dim; d++) axis[axes++] = d;
    if (p->dw) axis[axes++] = 3;
    return axes;
}

/* A point, or a step, of one side as turns per unit of the phase's coordinates. */
static inline ndft_centre ndft_phase_turns(const ndft_problem *p, const double at[4], double sign)
{
    const ndft_centre full = ndft_centre_of(p, at, sign);
    ndft_centre turns = {{0}, {0}};
    int axis[4];
    const int axes = ndft_phase_axes(p, axis);
    for (int a = 0; a < axes; a++) {
        turns.hi[a] = full.hi[axis[a]];
        turns.lo[a] = full.lo[axis[a]];
    }
    return turns;
}

/* Coordinate d of point number i in the side's order, ready for the phase, and its rest. */
static inline double ndft_points_at(const ndft_points *points, int d, int64_t i, double *rest)
{
    const ndft_problem *p = points->problem;
    const bool compact = points->tiles.order != NULL;
    double at[4];
    ndft_point(p, points->side, compact ? points->tiles.order[i] : i, at);
    for (int e = 0; compact && e < 4; e++) at[e] -= points->tiles.centre[i / points->tiles.tile][e];
    *rest = 0;
    if (!points->scaled) return at[d];
    const ndft_centre turns = ndft_centre_of(p, at, points->sign);
    *rest = 2 * turns.lo[d];
    return 2 * turns.hi[d];
}

/* Whether phases with the other side's points stay small. */
static inline bool ndft_is_compact(const ndft_points *points)
{
    const ndft_problem *p = points->problem;
    const bool voxels = points->side == NDFT_VOXELS;
    for (int64_t i = 0; i < points->count; i++) {
        double most = 0;
        for (int d = 0; d < 4; d++) {
            if (d < 3 ? d >= p->dim : !p->dw) continue;
            double other = d == 3 ? (voxels ? p->t_max : p->dw_max)
                                  : (voxels ? p->k_max[d] : ndft_reach(p, d));
            double rest;
            most += other * fabs(ndft_points_at(points, d, i, &rest));
        }
        if (most > NDFT_SMALL_PHASE) return false;
    }
    return true;
}

static inline ndft_status ndft_place_phase(ndft_arena *arena, const ndft_points *points,
                                           const void *row[4], const void *rest[4])
{
    const ndft_problem *p = points->problem;
    const size_t real = ndft_real_size(p->prec), bytes = (size_t)points->padded * real;
    int axis[4];
    const int axes = ndft_phase_axes(p, axis);
    for (int a = 0; a < axes; a++) {
        void *to, *lost = NULL;
        NDFT_TRY(ndft_reserve(arena, "coordinates", bytes, &to));
        if (rest) NDFT_TRY(ndft_reserve(arena, "rests of coordinates", bytes, &lost));
        for (int64_t i = 0; i < points->padded; i++) {
            double low = 0;
            const double high = i < points->count ? ndft_points_at(points, axis[a], i, &low) : 0;
            ndft_put_real(to, p->prec, i, high);
            if (rest) ndft_put_real(lost, p->prec, i, high - ndft_real_at(to, p->prec, i) + low);
        }
        row[a] = to;
        if (rest) rest[a] = lost;
    }
    return NDFT_OK;
}

/* scale array[point], or zeros where array is NULL. */
static inline ndft_status ndft_place_map(ndft_arena *arena, const ndft_points *points,
                                         const void *array, double scale, const void **row)
{
    const ndft_prec prec = points->problem->prec;
    const int32_t *order = points->tiles.order;
    void *to;
    NDFT_TRY(
        ndft_reserve(arena, "maps of points", (size_t)points->padded * ndft_real_size(prec), &to));
    for (int64_t i = 0; i < points->padded; i++) {
        const bool real = array && i < points->count;
        ndft_put_real(to, prec, i,
                      real ? scale * ndft_real_at(array, prec, order ? order[i] : i) : 0);
    }
    *row = to;
    return NDFT_OK;
}

/* A side's share of the sinc's arguments k/N + G t: t and k/N of samples, G and 0 of voxels. */
static inline ndft_status ndft_place_sincs(ndft_arena *arena, const ndft_points *points,
                                           const void *slope[3], const void *offset[3])
{
    const ndft_problem *p = points->problem;
    if (!ndft_has_gradients(p)) return NDFT_OK;
    for (int d = 0; d < p->dim; d++) {
        if (points->side == NDFT_VOXELS) {
            NDFT_TRY(ndft_place_map(arena, points, p->g[d], 1, &slope[d]));
            NDFT_TRY(ndft_place_map(arena, points, NULL, 0, &offset[d]));
        } else {
            NDFT_TRY(ndft_place_map(arena, points, p->t, 1, &slope[d]));
            NDFT_TRY(ndft_place_map(arena, points, p->k[d], 1 / (double)p->n[d], &offset[d]));
        }
    }
    return NDFT_OK;
}

/* A side's share of decay's exponents: t of samples, R2* of voxels. */
static inline ndft_status ndft_place_decay(ndft_arena *arena, const ndft_points *points,
                                           const void **row)
{
    const ndft_problem *p = points->problem;
    if (!p->decay) return NDFT_OK;
    return ndft_place_map(arena, points, points->side == NDFT_VOXELS ? p->decay : p->t, 1, row);
}

/* One term of a side's share of a phase of higher order, as it is, or in half turns and its rest.
 */
static inline void ndft_put_higher(const ndft_points *points, int l, void *row, void *rest)
{
    const ndft_problem *p = points->problem;
    const void *from = points->side == NDFT_VOXELS ? p->higher.b[l] : p->higher.c[l];
    const int32_t *order = points->tiles.order;
    for (int64_t i = 0; i < points->padded; i++) {
        const bool real = i < points->count;
        double low = 0, value = real ? ndft_real_at(from, p->prec, order ? order[i] : i) : 0;
        if (rest) value = 2 * ndft_turns_of(points->sign * value, &low);
        ndft_put_real(row, p->prec, i, value);
        if (rest) ndft_put_real(rest, p->prec, i, value - ndft_real_at(row, p->prec, i) + 2 * low);
    }
}

/* All terms; rest NULL: as they are. */
static inline ndft_status ndft_place_higher(ndft_arena *arena, const ndft_points *points,
                                            const void *row[], const void *rest[])
{
    const int terms = points->problem->higher.terms;
    const size_t bytes = (size_t)points->padded * ndft_real_size(points->problem->prec);
    void *rows, *rests = NULL;
    if (!terms) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arena, "a phase's terms", (size_t)terms * bytes, &rows));
    if (rest) NDFT_TRY(ndft_reserve(arena, "rests of them", (size_t)terms * bytes, &rests));
    for (int l = 0; l < terms; l++) {
        void *to = (char *)rows + (size_t)l * bytes;
        void *lost = rests ? (char *)rests + (size_t)l * bytes : NULL;
        ndft_put_higher(points, l, to, lost);
        row[l] = to;
        if (rest) rest[l] = lost;
    }
    return NDFT_OK;
}

static inline ndft_status ndft_place_tiles(ndft_arena *arena, const ndft_points *points,
                                           const int32_t **order, const ndft_centre **centre)
{
    const ndft_tiles *tiles = &points->tiles;
    void *copy, *centres;
    NDFT_TRY(ndft_reserve(arena, "tile order", (size_t)tiles->n_points * sizeof **order, &copy));
    NDFT_TRY(arena->exec->upload(arena->exec, copy, tiles->order,
                                 (size_t)tiles->n_points * sizeof **order));
    NDFT_TRY(
        ndft_reserve(arena, "tile centres", (size_t)tiles->n_tiles * sizeof **centre, &centres));
    for (int64_t t = 0; t < tiles->n_tiles; t++)
        ((ndft_centre *)centres)[t] =
            ndft_phase_turns(points->problem, tiles->centre[t], points->sign);
    *order = copy;
    *centre = centres;
    return NDFT_OK;
}

/* Sorts a side into tiles if they come out compact. */
static inline ndft_status ndft_place_compact(ndft_arena *arena, ndft_points *points, int tile,
                                             const int32_t **order, const ndft_centre **centre)
{
    if (!ndft_tiles_make(points->problem, points->side, tile, &points->tiles))
        return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory to sort %lld points",
                         (long long)points->count);
    if (ndft_is_compact(points)) return ndft_place_tiles(arena, points, order, centre);
    ndft_tiles_free(&points->tiles);
    return NDFT_OK;
}

#endif
