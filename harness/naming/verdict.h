/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VERDICT_H
#define NDFT_VERDICT_H

#include "base/variant.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ndft_verdict {
    NDFT_PASS,
    NDFT_WRONG,     /* ran, but broke a promise */
    NDFT_UNTRUSTED, /* no telling right from wrong: zero input or reference; or an ablation */
    NDFT_ERROR,     /* plan or execute failed */
    NDFT_CRASHED,
    NDFT_TIMEOUT,
    NDFT_UNSUPPORTED, /* cannot run this problem, with its sentence */
    NDFT_NOT_BUILT,
    NDFT_N_VERDICTS
} ndft_verdict;

/* What a check found out about one variant on one problem. */
typedef struct ndft_check {
    ndft_verdict verdict;
    char reason[1024];                   /* empty for a pass */
    double rel_l2, max_err, adjoint_err; /* NaN where unmeasured */
    double claim, claim_any;             /* promised: of rel_l2, of max_err */
    double plan_s, plan_bytes;           /* NaN where there was no plan */
    double setpts_s;                     /* of a peer, whose plan_s is without it; else NaN */
    const char *reference; /* "all", "gpu" or "sample", see fixture.h; NULL: none was asked for */
    double outputs;        /* of a coil, that were compared; NaN where none were */
    char reference_note[512];      /* why it is a sample although there is a GPU; else empty */
    uint64_t output[2];            /* digest of the output that was checked */
    bool consumes;                 /* overwrites its input, and may */
    char chosen[NDFT_CHOSEN_TEXT]; /* by the plan itself; empty: nothing */
    char alone[512]; /* of a peer: what peers/alone.py is given to have the same (base/peer.h) */
} ndft_check;

/* A pass with nothing measured. */
ndft_check ndft_check_blank(void);

const char *ndft_verdict_name(ndft_verdict);

/* The verdict of this name; NDFT_N_VERDICTS when there is none (NULL too). */
ndft_verdict ndft_verdict_find(const char *name);

/* Whether any of the results counted by verdict makes a run a failure: it ran and did not hold. */
bool ndft_verdicts_fail(const int counts[NDFT_N_VERDICTS]);

/* Sets verdict and reason; false, so that a failed question can return it. */
bool ndft_set_verdict(ndft_check *, ndft_verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
