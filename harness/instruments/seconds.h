/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SECONDS_H
#define NDFT_SECONDS_H

#include <time.h>

/* Seconds on the steady clock. */
static inline double ndft_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
