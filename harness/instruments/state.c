/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include <math.h>

ndft_state ndft_state_blank(void) { return (ndft_state){NAN, NAN, NAN, 0, NAN}; }

/* fmax and fmin pass over NaN. */
ndft_state ndft_state_merge(ndft_state a, ndft_state b)
{
    return (ndft_state){fmax(a.power_w, b.power_w), fmax(a.temperature_c, b.temperature_c),
                        fmin(a.memory_clock_mhz, b.memory_clock_mhz), a.throttle | b.throttle,
                        fmax(a.away_s, b.away_s)};
}

const char *ndft_throttle_name(int bit)
{
    static const char *const names[NDFT_N_THROTTLE_BITS] = {
        "gpu_idle",
        "applications_clocks_setting",
        "sw_power_cap",
        "hw_slowdown",
        "sync_boost",
        "sw_thermal_slowdown",
        "hw_thermal_slowdown",
        "hw_power_brake_slowdown",
        "display_clock_setting",
    };
    return names[bit];
}

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
