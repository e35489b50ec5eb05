/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MODES_H
#define NDFT_MODES_H

#include "mode.h"
#include "region.h"

/* The steps of a sample end to end. */
typedef enum ndft_step {
    NDFT_STEP_PLAN, /* making the plan, and destroying it afterwards */
    NDFT_STEP_UPLOAD,
    NDFT_STEP_EXECUTE,
    NDFT_STEP_DOWNLOAD,
    NDFT_N_STEPS
} ndft_step;

/* "plan", "upload", "execute", "download" */
const char *ndft_step_name(ndft_step);

/* One candidate while it is timed. */
typedef struct ndft_subject {
    ndft_rig *rig;
    const ndft_candidate *candidate;
    ndft_plan *plan;    /* end to end takes it away and makes its own */
    ndft_region region; /* of a sample; empty until begun */
    bool begun;
} ndft_subject;

typedef struct ndft_sample {
    double seconds;             /* per execution */
    double clock_mhz;           /* NaN when unknown */
    double steps[NDFT_N_STEPS]; /* NaN unless end to end */
} ndft_sample;

/* NULL when the backend can time the variant in this mode, else a sentence saying why not. */
const char *ndft_mode_unfit(ndft_mode, const ndft_backend *, const ndft_variant *);

/* What comes before the first sample: warm-up, calibration, capture. */
ndft_status ndft_mode_begin(ndft_mode, ndft_subject *);

/* Takes one sample. NDFT_EDEVICE, or NDFT_ENOMEM of a plan end to end. */
ndft_status ndft_mode_take(ndft_mode, ndft_subject *, ndft_sample *);

/* Releases what begin has made; for subjects that were never begun too. */
void ndft_mode_end(ndft_subject *);

#endif
