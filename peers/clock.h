/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_CLOCK_H
#define NDFT_PEERS_CLOCK_H

#include <time.h>

/* Seconds of a clock that only goes forward: for what their plans take. */
static inline double peer_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

#endif
