/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SESSION_H
#define NDFT_SESSION_H

#include "isolate/isolate.h"
#include "records/log.h"

/* What verbs that run groups have in common: the devices and their ceilings, who runs the groups,
 * and the file that holds the records. */
typedef struct ndft_session {
    ndft_run run; /* suite, argc, argv set by the caller, who begins it */
    ndft_group_options options;
    ndft_device devices[2]; /* of the backends in use */
    json_t *roofs;          /* their ceilings: arrays by backend, null where none are known */
    ndft_isolate *isolate;
    ndft_log log;    /* where there is one */
    ndft_error lost; /* the first record that could not be kept */
} ndft_session;

ndft_status ndft_session_open(ndft_session *, const ndft_isolate_options *, ndft_error *);
void ndft_session_close(ndft_session *);

/* Adds the backend's device and looks up its ceilings, once; nothing where the backend is missing.
 */
ndft_status ndft_session_describe(ndft_session *, const ndft_backend *, ndft_error *);
void ndft_session_add(ndft_session *, const ndft_device *, json_t *ceilings); /* NULL: none known */

/* The device of a backend; NULL: none was described. */
const ndft_device *ndft_session_device(const ndft_session *, const char *backend);

/* Opens the record file. path NULL: a new one, results/SLUG/SUITE-UTC and an end, in the folder of
 * the CUDA device when CUDA variants will run, else of the processor. */
ndft_status ndft_session_log(ndft_session *, const char *path, ndft_log_mode, const char *end,
                             ndft_error *);

/* Runs some of a group, as ndft_isolate_run; the record that was lost goes before its error. */
ndft_status ndft_session_run(ndft_session *, ndft_isolate *, const ndft_work *,
                             const ndft_candidate *, int n, const ndft_record_sink *, ndft_error *);

/* Sets what a case record says of its bounds. */
void ndft_session_bound(const ndft_session *, json_t *record);

/* The same, then writes and counts it. False: it could not be kept. */
bool ndft_session_keep(ndft_session *, json_t *record);

/* Begins the record file: the run, and the ceilings that its bounds are measured by. */
ndft_status ndft_session_head(ndft_session *, ndft_error *);

/* Ends it. status: of what was run, which goes before an error of this. */
ndft_status ndft_session_end(ndft_session *, ndft_status, bool interrupted, ndft_error *);

/* Says on stderr of which devices no ceilings are known, and how to know them. */
void ndft_session_note(const ndft_session *);

#endif
