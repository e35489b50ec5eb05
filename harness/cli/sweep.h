/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SWEEP_H
#define NDFT_SWEEP_H

#include "progress.h"
#include "resume.h"
#include "session.h"
#include "winners.h"

/* A workload run into a record file. */
typedef struct ndft_sweep ndft_sweep;

struct ndft_sweep {
    const ndft_workload *load;
    ndft_session session;
    ndft_progress progress;
    ndft_winners winners;
    ndft_resume known;         /* zeros: a new file */
    int kept[NDFT_N_VERDICTS]; /* of the workload's records that were there before */

    /* What is run after all groups into the same file; NULL: nothing. */
    ndft_status (*more)(ndft_sweep *, void *context, ndft_error *);
    void *context;
};

/* What to do with a file that is there. */
typedef struct ndft_continue {
    bool resume; /* keep its records */
    bool retry;  /* run what crashed or hung again */
    bool anyway; /* whatever they were measured with */
    bool force;  /* replace its records */
} ndft_continue;

/* Describes the devices that the workload uses and begins the run. */
ndft_status ndft_sweep_begin(ndft_sweep *, const ndft_workload *, const ndft_isolate_options *,
                             ndft_error *);

/*
 * Runs everything that the file does not hold yet and appends it, from the run line to the end
 * line. path NULL: into a new file whose name ends so (ndft_session_log). A case that cannot be
 * made is reported on stderr and passed over; the status at the end is then NDFT_EINVAL, or
 * NDFT_EIO where a file that it names cannot be read. NDFT_EINTR when the user asked to stop;
 * NDFT_EIO as soon as a record is lost; NDFT_EDEVICE; and what ndft_resume_fits says of a file that
 * is continued.
 */
ndft_status ndft_sweep_run(ndft_sweep *, const char *path, const char *end, const ndft_continue *,
                           ndft_error *);

void ndft_sweep_end(ndft_sweep *);

#endif
