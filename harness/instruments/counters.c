/* SPDX-License-Identifier: Apache-2.0 */
#include "counters.h"

#include <math.h>

ndft_counters ndft_counters_blank(void)
{
    ndft_counters blank;
    for (int i = 0; i < NDFT_N_VIOLATIONS; i++) blank.violated_s[i] = NAN;
    return blank;
}

/* fmax passes over NaN. */
double ndft_counters_violated(const ndft_counters *from, const ndft_counters *to)
{
    double most = 0;
    for (int i = 0; i < NDFT_N_VIOLATIONS; i++)
        most = fmax(most, to->violated_s[i] - from->violated_s[i]);
    return most;
}
