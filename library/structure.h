/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_STRUCTURE_H
#define NDFT_LIBRARY_STRUCTURE_H

#include "base/problem.h"
#include "base/status.h"

enum { NDFT_SHORTEST_LINE = 3 }; /* two points always lie on a line */

/*
 * Finds and verifies the regularity of a problem's own k and t arrays, exactly:
 * line_length: samples come in lines of this many (at least 3; the last may be shorter), in each of
 *   which sample i is at the first one's k and t plus i times a step of its own line; else 0.
 * distinct_times: the number of different values of t.
 * repeats: how many samples have one's k within an eighth of a cycle/FOV, and its time within an
 *   eighth of a turn of what the field differs by (with decay and gradients, whose magnitudes
 *   ndft_measure_bounds has found), in the mean over them: A x hardly tells them apart. 512 of them
 *   tell where there are more, so that one in ten thousand places is missed.
 * before: a problem whose structure is known, and which may have its times with it together; or
 * NULL.
 */
ndft_status ndft_structure_find(ndft_problem *, const ndft_problem *before, ndft_error *);

/* repeats once more, of other maps. */
void ndft_structure_count(ndft_problem *);

/* Whether positions, arrays of prec over the whole grid along each axis, are the grid's own at
 * every voxel of the problem: then it has none. */
bool ndft_positions_are_grid(const ndft_problem *, ndft_prec, const void *const position[3]);

#endif
