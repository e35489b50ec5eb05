/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_WISDOM_H
#define NDFT_LIBRARY_WISDOM_H

#include "id.h"

enum { NDFT_SHAPE_MAX = 512 };

/* What tells problems apart for whom another engine may be the fastest: a device and a problem as
 * one line without tabs. Strengths of maps, extents of trajectories and how dense their middle is
 * count by powers of two. */
void ndft_wisdom_shape(ndft_kind_of_problem, const ndft_problem *, unsigned ops,
                       const ndft_device *, bool deterministic, char text[NDFT_SHAPE_MAX]);

/* An entry of the table that ndft/wisdom.h speaks of. */
typedef struct ndft_wise {
    char shape[NDFT_SHAPE_MAX], id[NDFT_ID_MAX], build_id[32];
    double seconds; /* of one execution of each operation */
    uint64_t when;  /* it was measured: seconds since 1970 */
} ndft_wise;

/* Whether there is an entry for a shape, and it. */
bool ndft_wisdom_find(const char *shape, ndft_wise *);

/* The engine that was measured. NDFT_EINVAL where there is none, NDFT_EUNSUPPORTED where it was
 * built of other sources. */
ndft_status ndft_wisdom_candidate(const ndft_wise *, ndft_candidate *, ndft_error *);

/* Of two for one shape that stays whose engine there is; of two such, or none, the newer: the
 * shortest of all times would be the luckiest. NDFT_ENOMEM. */
ndft_status ndft_wisdom_add(const ndft_wise *, ndft_error *);

/* All entries as lines of shape, id, build id, nanoseconds and when with tabs between, behind a
 * text; to be freed. NDFT_ENOMEM. */
ndft_status ndft_wisdom_give(const char *before, char **text, ndft_error *);

/* Adds the entries of such lines; those that are damaged, or have no end, are left out. */
ndft_status ndft_wisdom_take(const char *lines, ndft_error *);

#endif
