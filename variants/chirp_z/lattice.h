/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_LATTICE_H
#define NDFT_CHIRP_Z_LATTICE_H

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Samples on a lattice: along every axis their coordinates are first + q step with q = 0..count-1,
 * as those of Cartesian and echo-planar trajectories are, whatever the spacing. Places may be empty
 * or taken more than once. Along an axis of one voxel, where the coordinate does not matter, all
 * samples have q = 0.
 */
typedef struct ndft_lattice {
    int64_t count[3], places; /* places: of the whole lattice */
    double first[3], step[3]; /* cycles/FOV; step 0 where count is 1 */
    double apart[3];          /* how far a sample is from its place at most */
} ndft_lattice;

/* NULL, or a sentence saying why there is none; the lattice is then undefined. */
const char *ndft_lattice_of(const ndft_problem *, ndft_lattice *);

/* The place of a sample, x fastest. */
int64_t ndft_lattice_place(const ndft_problem *, const ndft_lattice *, int64_t sample);

/* A bound on the relative error that taking samples for their places makes: the largest phase. */
double ndft_lattice_error(const ndft_problem *, const ndft_lattice *);

/* The most samples that have one place; all of them where there is no memory. */
int64_t ndft_lattice_crowd(const ndft_problem *, const ndft_lattice *);

/* exp(pi i (a i + b j) / n), the products reduced before they are rounded; integers below 2^52. */
void ndft_lattice_phasor(double a, int64_t i, double b, int64_t j, int64_t n, double phasor[2]);

#ifdef __cplusplus
}
#endif

#endif
