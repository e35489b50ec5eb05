/* SPDX-License-Identifier: Apache-2.0 */
#include "throttle.h"

#include <math.h>
#include <stdlib.h>

static const double slow = 0.95, often = 0.05;

const char *ndft_throttle_rule_name(ndft_throttle_rule rule)
{
    static const char *const names[NDFT_N_THROTTLE_RULES] = {
        [NDFT_THROTTLED_BY_REASON] = "reason",
        [NDFT_THROTTLED_BY_HIGHEST] = "highest",
        [NDFT_THROTTLED_BY_ROUND] = "round",
        [NDFT_THROTTLED_BY_VIOLATION] = "violation"};
    return names[rule];
}

bool ndft_throttle_violated(double violated_s, double during_s)
{
    return violated_s > often * during_s;
}

static double highest_seen(const ndft_timing *all, int n)
{
    double highest = NAN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < all[i].n; j++) highest = fmax(highest, all[i].clocks[j]);
    return highest;
}

/* The median clock of the others in a round; NaN where there is none. */
static double mates_clock(const ndft_timing *all, int n, int own, int round, double *room)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; i != own && j < all[i].n; j++)
            if (all[i].rounds[j] == round) room[found++] = all[i].clocks[j];
    return ndft_stats_of(room, found).median;
}

static void judge_one(ndft_timing *all, int n, int own, double highest_mhz, double *room)
{
    ndft_timing *c = &all[own];
    double mates = NAN;
    for (int i = 0; i < c->n; i++) {
        if (i == 0 || c->rounds[i] != c->rounds[i - 1])
            mates = mates_clock(all, n, own, c->rounds[i], room);
        if (c->clocks[i] < slow * highest_mhz && !c->idle[i])
            c->throttled[i] |= 1 << NDFT_THROTTLED_BY_HIGHEST;
        if (c->clocks[i] < slow * mates) c->throttled[i] |= 1 << NDFT_THROTTLED_BY_ROUND;
    }
}

void ndft_throttle_judge(ndft_timing *all, int n, double highest_mhz)
{
    double *room = malloc((size_t)n * NDFT_MAX_SAMPLES * sizeof *room);
    if (!(highest_mhz > 0)) highest_mhz = highest_seen(all, n);
    for (int i = 0; i < n && room; i++) judge_one(all, n, i, highest_mhz, room);
    free(room);
}
