/* SPDX-License-Identifier: Apache-2.0 */
#include "pulse.h"

void ndft_pulse_beat(ndft_pulse *pulse, int candidate, ndft_phase phase, double expected_s)
{
    pulse->expected_s = expected_s;
    pulse->in_hand = (int64_t)(candidate + 1) * NDFT_N_PHASES + phase;
    pulse->beats++;
}

ndft_beat ndft_pulse_read(const ndft_pulse *pulse)
{
    uint32_t number = pulse->beats;
    int64_t in_hand = pulse->in_hand;
    return (ndft_beat){.number = number,
                       .candidate = (int)(in_hand / NDFT_N_PHASES) - 1,
                       .phase = (ndft_phase)(in_hand % NDFT_N_PHASES),
                       .expected_s = pulse->expected_s};
}
