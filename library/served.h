/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SERVED_H
#define NDFT_SERVED_H

#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the normal operator is put together from forward and adjoint: the variant has both, and
 * none of its own. */
bool ndft_composes(const ndft_variant *, const int *knobs);

/*
 * The operations that a plan of the variant serves with these knobs: those that it declares, and
 * normal of any that has forward and adjoint. Where the variant does not declare NDFT_NORMAL
 * itself, the plan holds the samples in between, in the problem's layout and precision, and runs
 * one after the other.
 */
unsigned ndft_served_ops(const ndft_variant *, const int *knobs);

/*
 * The problem of forward and adjoint beside these operations: the same, but of the parts of a
 * composed normal operator one in *half, each of which may err by half of the tolerance.
 */
const ndft_problem *ndft_problem_of_parts(const ndft_variant *, const int *knobs,
                                          const ndft_problem *, unsigned ops, ndft_problem *half);

/* What the variant itself is given for them: that, without the coil maps that it does not take. One
 * in *own where it is another problem. */
const ndft_problem *ndft_problem_of_engine(const ndft_variant *, const int *knobs,
                                           const ndft_problem *, unsigned ops, ndft_problem *own);

/* NULL, or a sentence saying why a plan cannot serve these operations on the device: the variant's
 * own, or what no variant serves, as a trajectory beyond 2^31 cycles/FOV. */
const char *ndft_plan_unsupported(const ndft_variant *, const int *knobs, const ndft_problem *,
                                  unsigned ops, const ndft_device *);

/* What one execute costs; of a composed normal operator, what its two parts cost, and what coil
 * maps do that are around it. */
ndft_cost ndft_executed_cost(const ndft_variant *, const ndft_problem *, ndft_op, const int *knobs);

/* The same as a line of the model counts it (ndft_variant's weighed). */
ndft_cost ndft_weighed_cost(const ndft_variant *, const ndft_problem *, ndft_op, const int *knobs);

#ifdef __cplusplus
}
#endif

#endif
