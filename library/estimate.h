/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ESTIMATE_H
#define NDFT_ESTIMATE_H

#include "prepared.h"

/*
 * Seconds that an execution takes by what the variant declares of it: of every resource the cost
 * over what a device like this one can do, by its units and clock as vendors give them, and the
 * largest of these (S. Williams, A. Waterman, D. Patterson, Roofline, CACM 52(4), 2009), with what
 * launches take. An order of magnitude, by which engines are told apart that differ by several.
 */
double ndft_estimate(const ndft_variant *, const ndft_problem *, ndft_op, const int *knobs,
                     const ndft_device *);

#endif
