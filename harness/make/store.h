/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STORE_H
#define NDFT_STORE_H

#include <ndft/problem.h>

/* The one rounding of a problem: value becomes element i of an array of prec. */
static inline void ndft_store(void *array, ndft_prec prec, int64_t i, double value)
{
    if (prec == NDFT_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

#endif
