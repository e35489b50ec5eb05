/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RECORD_H
#define NDFT_RECORD_H

#include "group.h"

#include <jansson.h>

/* Lines of schema ndft-results/2. Every number is finite or null; docs/results.md has the fields.
 * All functions return a new reference. */

enum { NDFT_KEY_TEXT = 17, NDFT_UTC_TEXT = 17, NDFT_RUN_ID_TEXT = 32 };

/* One run of a sweep, from its header to its end line. */
typedef struct ndft_run {
    char id[NDFT_RUN_ID_TEXT];
    char utc[NDFT_UTC_TEXT]; /* 20261121T014500Z */
    double start;            /* ndft_now_s() */
    const char *suite;
    int argc;
    char **argv;
    int plan_cases;
    long long seed;                /* of every case; -1 when they differ */
    const ndft_device *devices[3]; /* of the backends used, NULL-terminated */
    int verdicts[NDFT_N_VERDICTS]; /* results so far */
} ndft_run;

/* Names the run after the moment and the process. */
void ndft_run_begin(ndft_run *);

json_t *ndft_record_run(const ndft_run *);
json_t *ndft_record_case(const ndft_run *, const ndft_result *);
json_t *ndft_record_cost(const ndft_cost *);
json_t *ndft_record_knob(const ndft_knob *, int value); /* its word, or the number */

/* What a case says, as values: whoever reads records need not know how cases are written. */
json_t *ndft_record_problem(const ndft_case *);

/* The fields of a timing; with NULL, empty or null. */
json_t *ndft_record_timing(const ndft_timing *, double coil_pairs);

/* What an ablation explains and lacks; null for any other variant. */
json_t *ndft_record_ablates(const ndft_registered *);

/* Whose library a peer or a vendor's variant calls, its version and how it was built (null where it
 * is not there), and whether it may be chosen; null for what is ours. */
json_t *ndft_record_peer(const ndft_registered *);

/* The commands that have a peer's time on a case again without ndft, in mode batch or graph;
 * arguments as its alone() says (base/peer.h). False, and none, of other modes (NULL: not timed),
 * of the normal operator, which is two of theirs, and of what is ours. */
enum { NDFT_ALONE_MAX = NDFT_CASE_MAX + 1024 };
bool ndft_record_alone(const ndft_candidate *, const ndft_case *, const char *arguments,
                       const char *mode, char command[NDFT_ALONE_MAX]);

json_t *ndft_record_end(const ndft_run *, bool interrupted);

/* The content hash of what a result is a result of: case, variant id, build, toolchain and
 * libraries, timing version, device (NULL: none), sampling. */
void ndft_record_key(const char *text, const ndft_candidate *, const ndft_device *,
                     const ndft_sampling *, char key[NDFT_KEY_TEXT]);

/* A hash of the case alone. */
uint64_t ndft_case_hash(const char *text);

/* Every path in one argument made relative to the working directory, or its last part where it
 * lies elsewhere. */
void ndft_relative_argument(const char *argument, char *text, size_t size);

#endif
