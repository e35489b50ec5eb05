/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_LANES_H
#define NDFT_NUFFT_INTERLEAVED_LANES_H

#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The lanes of interleaved grids: columns whose cells lie side by side. A group has some coils of
 * some terms, powers of two; lanes beyond the last coil or term hold zeros.
 *
 *     lane  = coil % coils + coils * (term % terms)
 *     group = coil / coils + coil_groups * (term / terms)
 */
typedef struct ndft_nufft_lanes {
    int coils, terms; /* of a group */
    int coil_groups, term_groups;
    int count, groups; /* lanes of a group; groups */
} ndft_nufft_lanes;

/* Columns that share 16 bytes, and those that share 64: at least and at most so many lanes. */
static inline int ndft_nufft_least_lanes(ndft_prec prec) { return prec == NDFT_F32 ? 2 : 1; }
static inline int ndft_nufft_most_lanes(ndft_prec prec) { return prec == NDFT_F32 ? 8 : 4; }

/* For so many coils and terms the lanes, from `least` to `most`, with which a pass takes least. */
ndft_nufft_lanes ndft_nufft_lanes_of(int coils, int terms, int least, int most);

#ifdef __cplusplus
}
#endif
#endif
