/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAN_OBJECTS_H
#define NDFT_PLAN_OBJECTS_H

#include "objects.h"
#include "prepared.h"
#include "rank.h"
#include "staging.h"

enum { NDFT_MOST_ENGINES = 2 };

typedef struct ndft_engine {
    unsigned ops; /* of the plan that it serves */
    bool named;   /* by the caller: nothing was estimated */
    bool kept;    /* for values that came after it was chosen */
    double estimated_s;
    ndft_candidate candidate;
    ndft_prepared prepared;
} ndft_engine;

struct ndft_plan {
    ndft_owned *problem;
    unsigned ops;
    bool deterministic;
    ndft_exec *exec; /* its own */
    ndft_account account;
    ndft_error error; /* of exec */
    int engines;
    ndft_engine engine[NDFT_MOST_ENGINES];
    ndft_staging staging;
    bool begun; /* an execution with host memory */
};

/* Its candidate for the problem, by the context. */
ndft_status ndft_prepare_engine(ndft_engine *, const ndft_owned *problem, ndft_exec *);

/* NDFT_EINVAL while an execution with host memory has begun and not ended. */
ndft_status ndft_check_ended(const ndft_plan *);

#endif
