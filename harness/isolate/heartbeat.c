/* SPDX-License-Identifier: Apache-2.0 */
#include "heartbeat.h"

void ndft_heartbeat_write(ndft_heartbeat *heartbeat, int candidate, ndft_phase phase,
                          double expected_s)
{
    heartbeat->expected_s = expected_s;
    heartbeat->in_hand = (int64_t)(candidate + 1) * NDFT_N_PHASES + phase;
    heartbeat->beats++;
}

ndft_heartbeat_reading ndft_heartbeat_read(const ndft_heartbeat *heartbeat)
{
    uint32_t number = heartbeat->beats;
    int64_t in_hand = heartbeat->in_hand;
    return (ndft_heartbeat_reading){.number = number,
                                    .candidate = (int)(in_hand / NDFT_N_PHASES) - 1,
                                    .phase = (ndft_phase)(in_hand % NDFT_N_PHASES),
                                    .expected_s = heartbeat->expected_s};
}
