/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ESTIMATE_H
#define NDFT_ESTIMATE_H

#include "fixture.h"
#include "naming/id.h"

/*
 * How long one execution will take, before it is run. When even a nominal rate that every machine
 * exceeds (one declared issue slot per thread and nanosecond on a CPU, 32 per multiprocessor) stays
 * below limit_s, it is the answer. Else the candidate runs the first samples of the problem, as
 * many as the nominal rate allows in a twentieth of the limit, and the measured time is scaled by
 * its declared issue slots. A probe that fails estimates 0 s: the check will say why.
 */
double ndft_estimate(ndft_fixture *, const ndft_candidate *, double limit_s);

#endif
