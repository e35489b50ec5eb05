/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLANTED_DEADLY_H
#define NDFT_PLANTED_DEADLY_H

#include "base/variant.h"

#include <stdbool.h>

/*
 * Variants that take their process with them: a good variant behind a face whose knobs say what
 * kills it and when, or makes it wrong. What the two backends share.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum deadly_moment {
    DEADLY_PLAN,
    DEADLY_FORWARD, /* while it is checked */
    DEADLY_ADJOINT,
    DEADLY_TIME,   /* only when it is timed */
    DEADLY_SECOND, /* in forward, where another process was before; see deadly_is_due */
    DEADLY_GRAPH,  /* only in the replay of a graph */
    DEADLY_LATE,   /* after the hundredth execution */
    DEADLY_ALONE,  /* in a plan for one operation alone, as end to end */
} deadly_moment;

extern const char *const deadly_moments[]; /* words of the knob */

enum { DEADLY_DEATH, DEADLY_MOMENT, DEADLY_KNOBS };

enum { DEADLY_RUNS = 100 }; /* that are right, of those that are wrong late */

typedef struct deadly_plan {
    const ndft_variant *inner;
    void *state; /* the inner one's plan */
    ndft_exec *exec;
    int knobs[DEADLY_KNOBS];
    unsigned ops;
    int executed;
} deadly_plan;

ndft_status deadly_make(const ndft_variant *inner, const ndft_problem *, const int *knobs,
                        unsigned ops, ndft_exec *, void **plan);
void deadly_destroy(void *plan);

/* Counts an execution; whether it is the one to die in. in_graph: it is replayed, or captured. The
 * first process leaves its id in the file that NDFT_PLANTED_FIRST names. */
bool deadly_is_due(deadly_plan *, ndft_op, bool in_graph);

/* NULL: there is no CUDA in this build. */
extern const ndft_variant deadly_cuda __attribute__((weak));
extern const ndft_variant deadly_cpu;

#ifdef __cplusplus
}
#endif

#endif
