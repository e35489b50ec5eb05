/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CUDA_COST_H
#define NDFT_NUFFT_CUDA_COST_H

#include "shape.h"

#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What an execution on CUDA does: deapodisation and transforms, which are the family's, and the
 * convolution by one scheme or another. Accesses are as Sorensen counts, how often a sample is read
 * and a cell written; while cells are in registers or shared memory, L2 sees nothing of them. What
 * is executed for each is by the machine code and by counters of an H200 in two dimensions.
 */
typedef struct ndft_nufft_work {
    ndft_nufft_shape shape;
    ndft_op op;
    double samples, voxels, coils, terms, columns;
    double width, window; /* cells of a window along an axis, and in all */
    double bytes;         /* of a complex number */
    bool inside;          /* transforms are inside blocks (planar_fft.cuh) */
    bool timed;           /* samples have times of their own, and weights in all terms by them */
    bool turned;          /* and those of gradients, by nodes */
    float room;           /* cells of the grid for each sample, of tiles that have samples */
    float apart;          /* share of samples whose next one is elsewhere in the grid */
    double loops;         /* issue slots for one of a kernel that is compiled for the width */
    bool weighed;         /* for a line of the model: parts by what they take (ndft_variant) */
} ndft_nufft_work;

ndft_nufft_work ndft_nufft_work_of(const ndft_problem *, ndft_op, const int *knobs);

/* A thread has a sample and adds to the grid, or reads it (footprint.cuh, interpolate_cells.cu). */
ndft_cost ndft_nufft_thread_cost(const ndft_nufft_work *);

/* Adjoint, a lane owns edge x edge cells of its warp's tile (cells.cuh); forward as above. */
ndft_cost ndft_nufft_cells_cost(const ndft_nufft_work *, const int tile[3], int edge);

/* A warp has so many samples and reads the rows of cells of them all (rows.cuh). */
ndft_cost ndft_nufft_rows_cost(const ndft_nufft_work *, int batch);

/* Tiles in shared memory, of samples up to `most` (tile_spread.cuh, window_tile.cuh). */
ndft_cost ndft_nufft_tile_cost(const ndft_nufft_work *, const int tile[3], int most);

/* Boxes in shared memory that are added to by atomics (spread_subproblem.cu). */
ndft_cost ndft_nufft_box_cost(const ndft_nufft_work *, const int tile[3], int most);

/* Products on tensor cores (spread_gemm.cu): in two dimensions boxes of the adjoint, or squares of
 * few columns, forward as a thread's; in three cubes of 8 cells. */
ndft_cost ndft_nufft_product_cost(const ndft_nufft_work *, int box, int few, int most);

/* A kernel's traffic: all of it to L2; what it reads to DRAM, since caches are cold when it starts,
 * and what it writes beyond what L2 holds. */
void ndft_nufft_add_traffic(double reads, double writes, ndft_cost *);

/* Samples' weights in the terms of a field map, which are read one by one where most samples have a
 * time of their own. */
void ndft_nufft_add_turns(const ndft_nufft_work *, ndft_cost *);

/* What is executed each of so many times. */
void ndft_nufft_add_executed(double times, double fma, double add, double integer, double slots,
                             double shared, ndft_cost *);

/* Bytes of the cells that samples reach, which are taken to fill a disc or a ball. */
double ndft_nufft_reached(const ndft_nufft_work *);

/* FMAs that a sample's weights take. */
double ndft_nufft_weight_fmas(const ndft_nufft_work *);

#ifdef __cplusplus
}
#endif
#endif
