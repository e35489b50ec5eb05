/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ESTIMATE_H
#define NDFT_ESTIMATE_H

#include "model.h"

/*
 * Seconds that an execution takes by what the engine declares of it: amounts of resources times
 * what they cost it where it was measured (model.h), by what this device can do beside that one. Of
 * an engine without records the largest of these, were all of the device its own (S. Williams, A.
 * Waterman, D. Patterson, Roofline, CACM 52(4), 2009), times what is usual.
 */
double ndft_estimate(const ndft_candidate *, const ndft_problem *, ndft_op, const ndft_device *);

/* What it is a sum over. */
void ndft_estimate_amounts(const ndft_candidate *, const ndft_problem *, ndft_op,
                           const ndft_device *, double amount[NDFT_MODEL_TERMS]);

/* The usual deviation of the logarithm of such an estimate. */
double ndft_estimate_error(const ndft_candidate *, ndft_op, ndft_prec, const ndft_device *);

/* Seconds below which no execution takes: what it declares of arithmetic by what the device can do.
 */
double ndft_estimate_least(const ndft_candidate *, const ndft_problem *, ndft_op,
                           const ndft_device *);

#endif
