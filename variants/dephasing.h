/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEPHASING_H
#define NDFT_DEPHASING_H

#include "sinc_poly.h"

/* How a variant evaluates the sinc of its gradient maps: chosen in plan by the largest argument. */
typedef enum ndft_dephasing { NDFT_NO_SINC, NDFT_SINC_POLY, NDFT_SINC_EXACT } ndft_dephasing;

static inline ndft_dephasing ndft_dephasing_of(const ndft_problem *p)
{
    if (!ndft_has_gradients(p)) return NDFT_NO_SINC;
    return ndft_sinc_range(p) <= NDFT_SINC_POLY_RANGE ? NDFT_SINC_POLY : NDFT_SINC_EXACT;
}

#endif
