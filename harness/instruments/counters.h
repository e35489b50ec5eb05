/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COUNTERS_H
#define NDFT_COUNTERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What held a device below the clocks that it was set to: NVML's performance policies, less those
 * that are somebody's choice or no load at all. */
enum { NDFT_BY_POWER, NDFT_BY_HEAT, NDFT_BY_BOARD, NDFT_BY_RELIABILITY, NDFT_N_VIOLATIONS };

/* What a device has counted up to a moment; only differences mean anything. NaN where unknown. */
typedef struct ndft_counters {
    double violated_s[NDFT_N_VIOLATIONS]; /* how long each has held it below those clocks */
} ndft_counters;

/* Nothing known. */
ndft_counters ndft_counters_blank(void);

/* Seconds by which the violation that grew most grew between two moments; 0 where none is known. */
double ndft_counters_violated(const ndft_counters *from, const ndft_counters *to);

#ifdef __cplusplus
}
#endif
#endif
