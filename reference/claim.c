/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>

double ndft_claim_bound(ndft_prec prec, double a, double b, double c, double phi_max, double terms,
                        double truncation)
{
    const double eps = prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
    return eps * (a * phi_max + b * sqrt(terms) + c) + truncation;
}
