/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_INNER_H
#define NDFT_CALLBACK_INNER_H

#include "base/uniform.h"
#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Load and store functions as passes of their own, before and after a transform that knows nothing
 * of them: what they read goes into packed arrays, and what they write comes out of such. Their
 * elements follow each other in the order of a tensor's modes.
 */

/* What is left between these passes: the same transform without functions, packed where there was
 * one, and out of place then. Without functions it is the problem itself. */
ndft_uniform_problem ndft_inner_problem(const ndft_problem *);

/* Adds the passes of a problem's functions to the cost of what is between them. */
void ndft_add_callback_passes(const ndft_problem *, ndft_cost *);

#ifdef __cplusplus
}
#endif

#endif
