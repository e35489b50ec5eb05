/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RESUME_H
#define NDFT_RESUME_H

#include "records/record.h"
#include "work.h"

/* What a record file that shall be continued holds already. */
typedef struct ndft_resume {
    bool retry;       /* crashed and timeout are not finished */
    json_t *finished; /* case records by key */
    json_t *builds;   /* newest build id by NAME.BACKEND */
    json_t *devices;  /* newest description by backend */
    json_t *run;      /* newest header, of the clock, the compilers and the libraries */
    const char *path;
} ndft_resume;

ndft_status ndft_resume_read(const char *path, bool retry, ndft_resume *, ndft_error *);
void ndft_resume_free(ndft_resume *);

/* The file's record of this key, borrowed; what was interrupted does not count. NULL: none. */
const json_t *ndft_resume_find(const ndft_resume *, const char *key);

/* NDFT_EINVAL, saying what differs, when the records are of another build of a variant of the
 * workload, or of another device, driver, compiler, library or clock (timing_version.h) than those
 * of the run: beside them, new ones would not be comparable. */
ndft_status ndft_resume_fits(const ndft_resume *, const ndft_workload *, const ndft_run *,
                             ndft_error *);

#endif
