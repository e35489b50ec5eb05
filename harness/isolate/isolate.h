/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ISOLATE_H
#define NDFT_ISOLATE_H

#include "records/record.h"
#include "work.h"

/*
 * Groups run in another process, so that a variant that crashes or hangs takes nothing with it.
 *
 * A worker is this program started again. There is one for each backend; it is started when it is
 * first needed and serves group after group, since starting CUDA takes as long as a small group. It
 * keeps nothing from one group to the next: every group opens the device and makes its problem
 * anew. The parent never opens a device.
 *
 * When a worker dies or is killed for its silence, the candidate in hand is recorded as crashed or
 * timeout with the phase that was under way, and a fresh worker goes on with those that have no
 * record yet; what had passed its check and waited to be timed is checked again. A variant that was
 * lost twice is not started again: its other candidates get the same verdict. An error that leaves
 * the device unusable ends its worker too. A worker that dies with nothing in hand is replaced once
 * in a group.
 */
typedef struct ndft_isolate ndft_isolate;

typedef struct ndft_isolate_options {
    bool in_process;   /* groups run right here, to their end, for debuggers and profilers */
    double deadline_s; /* least silence that a worker is killed for; see supervise.h */
    int processes;     /* that each group runs in, one after the other */
} ndft_isolate_options;

extern const ndft_isolate_options ndft_isolate_defaults;

/* Takes one case record; the reference is borrowed. False: it cannot be kept, and the group ends at
 * once, since what it would still find out could not be kept either. */
typedef struct ndft_record_sink {
    bool (*take)(void *context, json_t *record);
    void *context;
} ndft_record_sink;

/* NDFT_EINVAL for a number of processes that cannot be had: below 1, above 100, several in one. */
ndft_status ndft_isolate_open(const ndft_isolate_options *, ndft_isolate **, ndft_error *);
void ndft_isolate_close(ndft_isolate *); /* NULL is allowed */

/* What the first device of a backend is. NDFT_EDEVICE when there is none. */
ndft_status ndft_isolate_describe(ndft_isolate *, const ndft_backend *, ndft_device *,
                                  ndft_error *);

/*
 * Runs n candidates of a group, all of its own or some, as ndft_run_group does in the group's mode,
 * and gives the sink one record each, of several processes a joint one (several.h). The errors are
 * those of ndft_run_group; NDFT_EINVAL also when workers die before a candidate is in hand, as with
 * a problem that cannot be made; NDFT_EIO when the sink cannot keep a record.
 */
ndft_status ndft_isolate_run(ndft_isolate *, const ndft_work *, const ndft_candidate *, int n,
                             const ndft_group_options *, const ndft_run *, const ndft_record_sink *,
                             ndft_error *);

#endif
