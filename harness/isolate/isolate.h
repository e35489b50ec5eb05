/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ISOLATE_H
#define NDFT_ISOLATE_H

#include "record.h"
#include "work.h"

/* Groups run at a distance; what comes back is case records. */

typedef struct ndft_isolate ndft_isolate;

typedef struct ndft_isolate_options {
    bool in_process; /* groups run right here, for debuggers and profilers */
} ndft_isolate_options;

/* Takes one case record; the reference is borrowed. */
typedef struct ndft_record_sink {
    void (*take)(void *context, json_t *record);
    void *context;
} ndft_record_sink;

ndft_status ndft_isolate_open(const ndft_isolate_options *, ndft_isolate **, ndft_error *);
void ndft_isolate_close(ndft_isolate *); /* NULL is allowed */

/* What the first device of a backend is. NDFT_EDEVICE when there is none. */
ndft_status ndft_isolate_describe(ndft_isolate *, const ndft_backend *, ndft_device *,
                                  ndft_error *);

/*
 * Runs n candidates of a group, all of its own or some, as ndft_run_group does in the group's mode,
 * and gives the sink one record each. The errors are those of ndft_run_group.
 */
ndft_status ndft_isolate_run(ndft_isolate *, const ndft_work *, const ndft_candidate *, int n,
                             const ndft_group_options *, const ndft_run *, const ndft_record_sink *,
                             ndft_error *);

#endif
