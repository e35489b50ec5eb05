/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_JOBS_H
#define NDFT_JOBS_H

#include "cli/sweep.h"

/* Cases of a sweep that groups of devices divide: `ndft bench --gpus` of each, one after the other,
 * in a process of its own, whose records go into the sweep's file. */
typedef struct ndft_jobs {
    const ndft_timing_options *timing;
    int wrong; /* so many whose results or bits differ, or that could not be measured */
} ndft_jobs;

/* For the sweep's `more`; context: its ndft_jobs. Those whose records a file that is continued
 * holds are passed over. NDFT_EIO, NDFT_EDEVICE, NDFT_EINTR. */
ndft_status ndft_jobs_run(ndft_sweep *, void *context, ndft_error *);

#endif
