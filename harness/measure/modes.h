/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MODES_H
#define NDFT_MODES_H

#include "naming/mode.h"
#include "stages.h"

/* Names of the steps that a sample's time comes in, NULL-terminated: end to end "plan" (making it,
 * and destroying it afterwards), "upload", "execute", "download"; the stages of the variant; NULL:
 * it comes in one piece. */
const char *const *ndft_mode_steps(ndft_mode, const ndft_candidate *);

/* One candidate while it is timed. */
typedef struct ndft_subject {
    ndft_fixture *fixture;
    const ndft_candidate *candidate;
    ndft_plan **plan;   /* end to end takes it away and makes its own */
    ndft_region region; /* of a sample; empty until begun */
    bool consumes;      /* its input: see region.h */
    bool begun;
    double execution_s, call_s; /* from calibrating: of the device, of the host for a call; NaN when
                                   unknown */
    bool sized;                 /* its repetitions are those of a steady timing's samples */
    ndft_stages stages;         /* of that mode: the marks of an execution */
} ndft_subject;

typedef struct ndft_sample {
    double seconds;               /* per execution */
    double clock_mhz;             /* NaN when unknown */
    double call_s;                /* the host's for a call; NaN when unknown */
    bool dry;                     /* the device was ready before all of it was queued */
    double steps[NDFT_MAX_STEPS]; /* s, as many as ndft_mode_steps names */
} ndft_sample;

/* NULL when the backend can time the variant in this mode, else a sentence saying why not. */
const char *ndft_mode_unsupported(ndft_mode, const ndft_instruments *, const ndft_variant *);

/* What comes before the first sample: warm-up, calibration, capture, a count of the marks. */
ndft_status ndft_mode_begin(ndft_mode, ndft_subject *);

/* Takes one sample. NDFT_EDEVICE, or NDFT_ENOMEM of a plan end to end. */
ndft_status ndft_mode_take(ndft_mode, ndft_subject *, ndft_sample *);

/* Has the output produced once more as a sample does, untimed: executions back to back, a graph's
 * replay, stages with their marks, or a plan made end to end. What it consumes is not put back.
 * Errors as above. */
ndft_status ndft_mode_produce(ndft_mode, ndft_subject *);

/* Releases what begin has made; for subjects that were never begun too. */
void ndft_mode_end(ndft_subject *);

#endif
