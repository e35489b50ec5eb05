/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STATE_H
#define NDFT_STATE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Why a device runs below its highest clock, in the bit order of NVML's clocks event reasons. */
enum {
    NDFT_GPU_IDLE = 1 << 0,
    NDFT_APPLICATIONS_CLOCKS_SETTING = 1 << 1,
    NDFT_SW_POWER_CAP = 1 << 2,
    NDFT_HW_SLOWDOWN = 1 << 3,
    NDFT_SYNC_BOOST = 1 << 4,
    NDFT_SW_THERMAL_SLOWDOWN = 1 << 5,
    NDFT_HW_THERMAL_SLOWDOWN = 1 << 6,
    NDFT_HW_POWER_BRAKE_SLOWDOWN = 1 << 7,
    NDFT_DISPLAY_CLOCK_SETTING = 1 << 8,
    NDFT_N_THROTTLE_BITS = 9,

    /* Those under which the same work takes longer than it would; the rest are somebody's choice or
     * no load at all. */
    NDFT_THROTTLED = NDFT_SW_POWER_CAP | NDFT_HW_SLOWDOWN | NDFT_SW_THERMAL_SLOWDOWN |
                     NDFT_HW_THERMAL_SLOWDOWN | NDFT_HW_POWER_BRAKE_SLOWDOWN
};

/* A device at one moment, or the worst of several: highest power and temperature, lowest memory
 * clock, every reason seen, longest turn of another program. NaN where unknown. */
typedef struct ndft_state {
    double power_w, temperature_c, memory_clock_mhz;
    unsigned throttle;
    double away_s;
} ndft_state;

/* Nothing known. */
ndft_state ndft_state_blank(void);

/* The worst of both. */
ndft_state ndft_state_merge(ndft_state, ndft_state);

/* "sw_power_cap" for bit number 2. */
const char *ndft_throttle_name(int bit);

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
