/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_COST_H
#define NDFT_SEPARABLE_COST_H

#include "separable_slabs.h"

#include "base/variant.h"

#include <math.h>

/* What separable_gemm executes: operations counted in its machine code, instructions and wavefronts
 * of shared memory by ncu. */

/* A mode and the tiles of 16 samples in a unit. */
typedef struct ndft_separable_shape {
    int warps;       /* of a block */
    double element;  /* bytes of a number in an operand, all its parts together */
    double products; /* of two split numbers */
    double steps;    /* instructions of a 16 x 8 x 16 product */
    bool f64, wgmma;
    int tiles; /* 0: chosen by the problem */
} ndft_separable_shape;

/* Relative time of a unit: a part for each voxel, a part for each tile's products. */
static inline double ndft_unit_time(int tiles) { return 7 + 0.9 * tiles; }

static inline double ndft_separable_times(const ndft_problem *p)
{
    const double distinct = (double)p->structure.distinct_times;
    return !p->dw ? 1 : distinct > 0 ? distinct : (double)p->n_samples;
}

static inline double ndft_separable_units(const ndft_problem *p, int tiles)
{
    const double times = ndft_separable_times(p);
    return times * ceil((double)p->n_samples / times / (16 * tiles));
}

/* As plan chooses them, had every time as many samples. */
static inline int ndft_separable_tiles(const ndft_problem *p)
{
    int best = 1;
    for (int tiles = 2; tiles <= NDFT_MOST_TILES; tiles++)
        if (ndft_separable_units(p, tiles) * ndft_unit_time(tiles) <
            ndft_separable_units(p, best) * ndft_unit_time(best))
            best = tiles;
    return best;
}

/* Bytes of the phasors along x. */
static inline double ndft_separable_table(const ndft_problem *p, const ndft_separable_shape *shape)
{
    const ndft_slabs s = ndft_slabs_of(p, shape->warps), own = ndft_slabs_wgmma(p, false);
    const double chunks = (double)s.along_x * (s.runs * NDFT_RUN);
    const double columns =
        NDFT_CHUNK_COLUMNS * (shape->wgmma ? (double)(own.along_x * own.chunks) : chunks);
    return ndft_separable_units(p, shape->tiles) * shape->tiles * 16 * columns * 2 * shape->element;
}

/* Instructions of a lane: of a chunk's voxels (evaluated and folded, or turned and added), beside
 * its products and their loads; of a sample's phasor along y and z; of a unit. */
static inline double ndft_separable_slots(const ndft_separable_shape *shape, bool forward)
{
    const double loads = shape->element / 2 * (forward ? 2 : 3); /* 16 bytes a lane */
    const double products = shape->tiles * (4 * shape->products * shape->steps + loads);
    const double voxels = shape->f64 ? (forward ? 448 : 398) : (forward ? 191 : 150);
    const double rows = shape->f64 ? 45 : forward ? 19 : 40;
    return (double)NDFT_RUN * (products + voxels) + shape->tiles * (rows + (forward ? 40 : 0)) + 60;
}

enum { NDFT_SEPARABLE_WAVE = 132 }; /* blocks of the device that was counted on */

static inline ndft_cost ndft_separable_cost(const ndft_problem *p, ndft_op op,
                                            const ndft_separable_shape *shape)
{
    const bool forward = op == NDFT_FORWARD;
    const ndft_slabs s = ndft_slabs_of(p, shape->warps);
    const double sums = (double)s.count * p->coils;
    const double units = ndft_separable_units(p, shape->tiles) * sums;
    const double lanes = units * 32 * shape->warps, chunks = lanes * (double)NDFT_RUN;
    const double tiles = chunks * shape->tiles, rows = lanes * shape->tiles;
    /* Of starting and ending a block's share of a sum. */
    const double ends = (fmin(units, NDFT_SEPARABLE_WAVE) + sums - 1) * 32 * shape->warps;
    ndft_cost cost = {};
    cost.tensor = tiles * 4 * shape->products * 16 * 8 * 16 / 32;
    cost.special = shape->f64 ? 0 : 16 * chunks + 2 * rows + 77 * ends;
    cost.fma = chunks * (shape->f64 ? 168 : 72) + rows * (shape->f64 ? 18 : 8) +
               (forward ? 12 * rows : 0) + 210 * ends;
    cost.add = chunks * (shape->f64 ? 32 : forward ? 45 : 24) + rows * 4 + 80 * ends;
    cost.integer = chunks * (shape->f64 ? 44
                             : forward  ? 32
                                        : 4) +
                   lanes * (forward ? 50 : 85) + 500 * ends;
    cost.issue_slots = lanes * ndft_separable_slots(shape, forward) + 1550 * ends;
    cost.shared_bytes = tiles * 8 * shape->element * (forward ? 2 : 3) +
                        chunks * (shape->f64 ? (forward ? 980 : 550) : (forward ? 271 : 122));
    cost.l2_bytes = ndft_separable_table(p, shape) * (double)s.along_rows * p->coils + 5 * lanes +
                    (forward ? 72 : 160) * ends;
    cost.dram_bytes = ndft_separable_table(p, shape) + ndft_both_bytes(p);
    cost.launches = forward ? 2 : 3;
    return cost;
}

/* By wgmma: a lane has a row pair's share of a chunk, 16 voxels, and of each tile's samples. */
static inline ndft_cost ndft_separable_wgmma_cost(const ndft_problem *p, ndft_op op,
                                                  const ndft_separable_shape *shape)
{
    const bool forward = op == NDFT_FORWARD;
    const ndft_slabs s = ndft_slabs_wgmma(p, !forward);
    const double sums = (double)s.count * p->coils;
    const double units = ndft_separable_units(p, shape->tiles) * sums, lanes = 128 * units;
    const double chunks = lanes * s.chunks, tiles = lanes * shape->tiles;
    const double ends = (fmin(units, 3 * NDFT_SEPARABLE_WAVE) + sums - 1) * 128;
    const double table = ndft_separable_table(p, shape);
    ndft_cost cost = {};
    cost.tensor = chunks * shape->tiles * 1536;
    cost.special = 32 * chunks + 2 * tiles;
    cost.fma = 96 * chunks + (forward ? 42 : 58) * tiles + 64 * ends;
    cost.add = (forward ? 64 : 32) * chunks + (forward ? 8 : 18) * tiles;
    cost.integer = (forward ? 64 : 0) * chunks + (forward ? 4 : 36) * tiles + 60 * lanes;
    cost.issue_slots =
        (forward ? 286 : 148) * chunks + (forward ? 90 : 176) * tiles + 170 * lanes + 1500 * ends;
    cost.shared_bytes = (forward ? 380 : 480) * chunks + (forward ? 140 : 155) * tiles;
    cost.l2_bytes = table * (double)s.along_rows * p->coils + (forward ? 128 : 192) * ends;
    cost.dram_bytes = table + ndft_both_bytes(p);
    cost.launches = forward ? 2 : 3;
    return cost;
}

#endif
