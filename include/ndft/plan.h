/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLAN_H
#define NDFT_PLAN_H

#include <ndft/variant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A variant prepared for one problem with fixed knob values. */
typedef struct ndft_plan {
    const ndft_variant *variant;
    const ndft_problem *problem;
    int knobs[NDFT_MAX_KNOBS];
    ndft_exec *exec;
    void *state; /* the variant's own */
} ndft_plan;

/* Prepares variant for problem. NDFT_EUNFIT with the variant's sentence when it does not fit,
 * NDFT_ENOMEM when memory does not suffice; messages go to exec->error. */
ndft_status ndft_plan_create(const ndft_variant *, const int *knobs, const ndft_problem *,
                             unsigned ops, ndft_exec *, ndft_plan *plan);

/* Device pointers; asynchronous on exec's stream. Shapes: ndft_input_length and
 * ndft_output_length elements per coil, in the problem's layout and precision. */
ndft_status ndft_execute(const ndft_plan *, ndft_op, const void *in, void *out);

/* Host pointers: upload, execute, download, finished on return. */
ndft_status ndft_execute_host(const ndft_plan *, ndft_op, const void *in, void *out);

void ndft_plan_destroy(ndft_plan *);

#ifdef __cplusplus
}
#endif
#endif
