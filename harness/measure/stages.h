/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STAGES_H
#define NDFT_STAGES_H

#include "region.h"

/*
 * The times of a variant's stages, which its execute marks as they end (ndft_mark), each as often
 * as it comes: a nonuniform FFT in passes has a mark for every stage of every pass.
 *
 * Where a device queues its work, a stage is the difference between two times from the start: to
 * its mark and to the one before, each of an execution of its own, so that nothing has to be timed
 * inside of one. Where work is done when a call returns, one execution has a lap for each mark: a
 * look at the clock takes nothing beside a stage, and hundreds of executions would.
 */

enum { NDFT_MAX_STEPS = 8 };

typedef struct ndft_stages {
    int n, room;          /* marks of an execution */
    unsigned char *stage; /* [n] which stage each of them ends */
} ndft_stages;

/* Counts the marks of an execution of the region, which is not timed. names: the variant's stages.
 * NDFT_EDEVICE where it marks none, or one that is not among them; NDFT_ENOMEM. */
ndft_status ndft_stages_count(const ndft_region *, const char *const *names, ndft_stages *);

/* steps: the seconds of each stage, added up over its marks. NDFT_EDEVICE when an execution fails,
 * or has other marks than were counted. What is consumed is put back. */
ndft_status ndft_stages_time(const ndft_stages *, const ndft_region *,
                             double steps[NDFT_MAX_STEPS]);

void ndft_stages_free(ndft_stages *);

#endif
