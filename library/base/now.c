/* SPDX-License-Identifier: Apache-2.0 */
#include "now.h"

#include <time.h>

double ndft_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
