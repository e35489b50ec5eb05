/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAN_OBJECTS_H
#define NDFT_PLAN_OBJECTS_H

#include "objects.h"
#include "prepared.h"
#include "rank.h"
#include "staging.h"

enum { NDFT_MOST_ENGINES = 2 };

typedef struct ndft_engine {
    unsigned ops;    /* of the plan that it serves */
    const char *why; /* it was taken */
    /* By operation, s; NaN: nobody did. Operations that were measured together have one number. */
    double estimated_s[NDFT_NORMAL + 1], measured_s[NDFT_NORMAL + 1];
    bool renewed; /* since then, for other values, of which nobody has asked yet */
    ndft_candidate candidate;
    ndft_prepared prepared;
} ndft_engine;

struct ndft_plan {
    ndft_owned *problem;
    ndft_owned *capacity; /* for which memory is kept; NULL: none is */
    unsigned ops;
    bool deterministic;
    ndft_plan_mode mode;
    double time_limit_s;
    ndft_exec *exec; /* its own */
    ndft_account account;
    ndft_error error; /* of exec */
    int engines;
    ndft_engine engine[NDFT_MOST_ENGINES];
    ndft_staging staging;
    size_t workspace_bytes; /* that its engines need, up to its capacity */
    void *lent;             /* the caller's, of lent_bytes; NULL: it has one of its own */
    size_t lent_bytes;
    bool lost;    /* its engines */
    bool begun;   /* an execution with host memory */
    bool running; /* a call has taken it, and not returned */
};

/* Engines for all operations in ops, as the options have it. */
ndft_status ndft_add_engines(ndft_plan *, unsigned ops, const ndft_plan_options *);

/* An engine of the plan, whose ops are set, by this candidate. */
ndft_status ndft_prepare_engine(ndft_plan *, ndft_engine *, const ndft_candidate *);

/* Its seconds are estimates now, of this problem. */
void ndft_estimate_engine(ndft_engine *, const ndft_problem *, const ndft_device *);

/* Whether an engine with these knobs serves the plan, and its capacity. */
bool ndft_serves_plan(ndft_plan *, unsigned ops, const ndft_candidate *);

/* As ndft_rank, those that serve the plan's capacity too. */
int ndft_rank_engines(ndft_plan *, unsigned ops, ndft_ranked **ranked);

/* The engine that is the fastest by these operations as measured on the plan's problem, and its
 * seconds. NDFT_ENOMEM where there is not enough to execute one, or no time. */
ndft_status ndft_measure_engines(ndft_plan *, unsigned ops, ndft_ranked *fastest);

/* The plan's engines prepared for a problem, its own or one of other values, with this workspace;
 * where that fails they are what they were. Executions have finished. */
ndft_status ndft_remake(ndft_plan *, const ndft_owned *problem, void *lent, size_t lent_bytes);

/* Memory for the plan's engines, prepared or not, as their capacity needs it: it is kept from then
 * on. They are prepared then. */
ndft_status ndft_make_room(ndft_plan *);

/* Until all is done that preparing has queued: an execution may be on another stream. */
ndft_status ndft_await_prepared(const ndft_plan *);

/* Bytes of what its engines write anew whenever they are executed. */
size_t ndft_workspace_of(const ndft_plan *);

/* A plan is the caller's until it is yielded, and what is queued goes to this stream (NULL: its
 * own) meanwhile. NDFT_EINVAL where another call has it, or there are no streams. */
ndft_status ndft_take_plan(ndft_plan *, void *stream, void **own);
void ndft_yield_plan(ndft_plan *, void *own);

/* ndft_execute of a plan that is the caller's. */
ndft_status ndft_execute_taken(ndft_plan *, ndft_op, const void *in, void *out);

/* NDFT_EDEVICE where its engines are lost. */
ndft_status ndft_check_lost(const ndft_plan *);

/* NDFT_EINVAL while an execution with host memory has begun and not ended. */
ndft_status ndft_check_ended(const ndft_plan *);

#endif
