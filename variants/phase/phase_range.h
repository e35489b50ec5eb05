/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHASE_RANGE_H
#define NDFT_PHASE_RANGE_H

#include "base/problem.h"

/* NULL, or why phases cannot be reduced product by product in float: adding 1.5 2^23 rounds to an
 * integer up to 2^22 turns, of which half are kept in reserve. */
static inline const char *ndft_phase_range_exceeded(const ndft_problem *p)
{
    const double most = 6.283185307179586 * 0x1p21;
    return p->phi_max > most ? "its phases go beyond 2^21 turns, the most that it reduces" : NULL;
}

#endif
