/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_TURN_H
#define NDFT_TEST_TURN_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Whether number i of what takes long is of today: with NDFT_TURNS=N, as in quick builds, every
 * N-th is, by the day's number; else all are. */
static inline bool has_turn(int i)
{
    const char *text = getenv("NDFT_TURNS");
    const int turns = text ? atoi(text) : 1;
    return turns < 2 || i % turns == (int)(time(NULL) / 86400 % turns);
}

#endif
