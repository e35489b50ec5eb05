/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PART_H
#define NDFT_PART_H

#include "base/problem.h"

#include <ndft/problem.h>

/* Parts of a problem: some of its coils, samples or voxels, and the others whole. */

typedef enum ndft_cut { NDFT_CUT_COILS, NDFT_CUT_SAMPLES, NDFT_CUT_VOXELS } ndft_cut;

/* "coils" */
const char *ndft_cut_name(ndft_cut);

/* Where each part begins, and where the last one ends: whole lines of samples and rows of voxels
 * where those suffice. NDFT_EINVAL where there are fewer than parts. */
ndft_status ndft_part_bounds(const ndft_problem *, ndft_cut, int parts, int64_t first[]);

/* What lies from first up to end, as a problem on a device. */
ndft_status ndft_part_create(ndft_device *, const ndft_problem *, ndft_cut, int64_t first,
                             int64_t end, ndft_problem **part);

/* From first up to end, of what is cut. */
typedef struct ndft_range {
    int64_t first, end;
} ndft_range;

/* What there is of a vector, and what is wanted of that: rows that are stride apart, of row_bytes
 * each, from at. */
typedef struct ndft_piece {
    size_t at, row_bytes, stride;
    int64_t rows;
} ndft_piece;

/* Of the samples or the image, of which `there` is in memory: all of it where it is not cut. Coils
 * are cut of planar data alone. */
ndft_piece ndft_piece_of(const ndft_problem *, ndft_cut, ndft_range there, ndft_range wanted,
                         bool samples);

/* Whether the image, or the samples, are cut by coils, or by elements. */
static inline bool ndft_cuts_coils(const ndft_problem *p, ndft_cut cut, bool samples)
{
    return cut == NDFT_CUT_COILS && (samples || !p->maps);
}

static inline bool ndft_cuts_elements(ndft_cut cut, bool samples)
{
    return cut == (samples ? NDFT_CUT_SAMPLES : NDFT_CUT_VOXELS);
}

static inline size_t ndft_piece_bytes(const ndft_piece *piece)
{
    return (size_t)piece->rows * piece->row_bytes;
}

static inline bool ndft_is_cut(const ndft_problem *p, ndft_cut cut, bool samples)
{
    return ndft_cuts_coils(p, cut, samples) || ndft_cuts_elements(cut, samples);
}

/* Whether an operation's output is the sum of what parts make of it. */
static inline bool ndft_parts_are_summed(const ndft_problem *p, ndft_cut cut, ndft_op op)
{
    return op != NDFT_FORWARD && (cut == NDFT_CUT_SAMPLES || (cut == NDFT_CUT_COILS && p->maps));
}

#endif
