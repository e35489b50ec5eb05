/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEVERAL_H
#define NDFT_SEVERAL_H

#include "isolate.h"

/*
 * A group in several processes, one after the other: each with a device, a problem and plans of its
 * own, and with the candidates in another order, which their rounds follow.
 */

enum { NDFT_MOST_PROCESSES = 100 };

/* Runs candidates of a group in one process that nothing ran in before, as ndft_isolate_run does.
 */
typedef struct ndft_once {
    ndft_status (*run)(void *context, const ndft_candidate *, int n, const ndft_record_sink *,
                       ndft_error *);
    void *context;
} ndft_once;

/*
 * Gives the sink one record for each candidate, joined by ndft_record_join. A candidate that has
 * no timing is not started again: it failed, or does not fit. Errors are those of the first process
 * that has one; what was measured until then has its record, which says "interrupted".
 */
ndft_status ndft_several_run(const ndft_once *, int processes, const ndft_candidate *, int n,
                             uint64_t seed, const ndft_record_sink *, ndft_error *);

#endif
