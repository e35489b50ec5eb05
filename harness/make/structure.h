/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STRUCTURE_H
#define NDFT_STRUCTURE_H

#include "case/case.h"
#include "files/arena.h"

#include <ndft/problem.h>

/*
 * Finds and verifies the regularity of a problem's own k and t arrays, exactly:
 * line_length: samples come in lines of this many (at least 3; the last may be shorter), in each of
 *   which sample i is at the first one's k and t plus i times a step of its own line; else 0.
 * distinct_times: the number of different values of t.
 */
ndft_status ndft_structure_find(ndft_problem *, ndft_arena *scratch, ndft_error *);

/* The same of the problem that a case would make, without making it; 0 where a file would have to
 * be read. */
ndft_structure ndft_structure_of_case(const ndft_case *);

#endif
