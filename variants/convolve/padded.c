/* SPDX-License-Identifier: Apache-2.0 */
#include "padded.h"

#include <math.h>

static const struct {
    int prime;
    double weight; /* time of a radix's stage beside radix 2's, per cell */
} radices[] = {{2, 1}, {3, 1.7}, {5, 2.7}, {7, 3.8}};

enum { RADICES = sizeof radices / sizeof *radices };

int64_t ndft_padded_power(int64_t least)
{
    int64_t power = 1;
    while (power < least) power *= 2;
    return power;
}

static double promised(int64_t length)
{
    double stages = 0;
    int64_t rest = length;
    for (int i = 0; i < RADICES; i++)
        for (; rest % radices[i].prime == 0; rest /= radices[i].prime) stages += radices[i].weight;
    return (double)length * stages;
}

/* Keeps the list sorted by promise, the last one falling off. */
static int insert(int64_t *lengths, int count, int most, int64_t length)
{
    int at = count < most ? count++ : most;
    for (; at > 0 && promised(lengths[at - 1]) > promised(length); at--)
        if (at < most) lengths[at] = lengths[at - 1];
    if (at < most) lengths[at] = length;
    return count;
}

/* The lengths 2^a odd between least and power for every odd 3^b 5^c 7^d: there is at most one. */
int ndft_padded_candidates(int64_t least, int64_t lengths[NDFT_PADDED_MOST])
{
    const int64_t power = ndft_padded_power(least);
    int count = 0;
    for (int64_t sevens = 1; sevens < power; sevens *= 7) {
        for (int64_t fives = sevens; fives < power; fives *= 5) {
            for (int64_t odd = fives; odd < power; odd *= 3) {
                int64_t length = odd;
                while (length < least) length *= 2;
                if (length < power) count = insert(lengths, count, NDFT_PADDED_MOST - 1, length);
            }
        }
    }
    return insert(lengths, count, NDFT_PADDED_MOST, power);
}

ndft_status ndft_padded_choose(int64_t least, double patience, ndft_padded_clock *clock,
                               void *context, int64_t *best)
{
    int64_t lengths[NDFT_PADDED_MOST];
    const int count = ndft_padded_candidates(least, lengths);
    double least_time = INFINITY, spent = 0;
    for (int i = 0; i < count && (i == 0 || spent < patience); i++) {
        double seconds;
        NDFT_TRY(clock(context, lengths[i], &seconds));
        spent += seconds;
        if (seconds >= least_time) continue;
        least_time = seconds;
        *best = lengths[i];
    }
    return NDFT_OK;
}
