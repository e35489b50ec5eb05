/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAN_OBJECTS_H
#define NDFT_PLAN_OBJECTS_H

#include "objects.h"
#include "prepared.h"
#include "rank.h"
#include "staging.h"

enum { NDFT_MOST_ENGINES = 2 };

typedef struct ndft_engine {
    unsigned ops;       /* of the plan that it serves */
    const char *why;    /* it was taken */
    double estimated_s; /* NaN: nobody did */
    ndft_candidate candidate;
    ndft_prepared prepared;
} ndft_engine;

struct ndft_plan {
    ndft_owned *problem;
    ndft_owned *capacity; /* for which memory is kept; NULL: none is */
    unsigned ops;
    bool deterministic;
    ndft_exec *exec; /* its own */
    ndft_account account;
    ndft_error error; /* of exec */
    int engines;
    ndft_engine engine[NDFT_MOST_ENGINES];
    ndft_staging staging;
    bool lost;  /* its engines */
    bool begun; /* an execution with host memory */
};

/* Memory for the plan's engines, prepared or not, as their capacity needs it: it is kept from then
 * on. They are prepared then. */
ndft_status ndft_make_room(ndft_plan *);

/* NDFT_EINVAL while an execution with host memory has begun and not ended. */
ndft_status ndft_check_ended(const ndft_plan *);

#endif
