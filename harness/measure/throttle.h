/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_THROTTLE_H
#define NDFT_THROTTLE_H

#include "timing.h"

/* "reason", "highest", "round", "violation": as in records. */
const char *ndft_throttle_rule_name(ndft_throttle_rule);

/*
 * Flags what the clocks tell of n candidates that took turns. highest_mhz: the device's highest
 * clock; where it is unknown (NaN), the highest of these samples.
 *
 * 95 %: of 10422 records on an H200 (highest clock 1980 MHz) 83 % ran at 98 % of it and above, 16 %
 * at 82 to 94 %, all of these matrix products, and hardly any in between; the device named a reason
 * for 32. Within a record clocks spread by 0.3 %, by 1.4 % in one of a hundred.
 */
void ndft_throttle_judge(ndft_timing *, int n, double highest_mhz);

/* Whether violations that grew by so much in so long a time are more than noise: a twentieth of it,
 * as for clocks. */
bool ndft_throttle_violated(double violated_s, double during_s);

#endif
