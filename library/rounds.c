/* SPDX-License-Identifier: Apache-2.0 */
#include "rounds.h"

#include <math.h>
#include <stdlib.h>

static const double slower = 1.05, alike = 1.02;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ndft_ratio ndft_rounds_ratio(const ndft_rival *rival, const ndft_rival *than, int rounds)
{
    double ratio[NDFT_MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) ratio[i] = rival->row[i] / than->row[i];
    qsort(ratio, (size_t)rounds, sizeof *ratio, ascending);
    const int low = (int)fmax(0, (rounds - 1.645 * sqrt(rounds) - 1) / 2);
    return (ndft_ratio){(ratio[(rounds - 1) / 2] + ratio[rounds / 2]) / 2, ratio[low]};
}

int ndft_rounds_leader(const ndft_rival *rival, int n, int rounds)
{
    int leader = -1;
    for (int i = 0; i < n; i++) {
        if (rival[i].out) continue;
        if (leader < 0 || ndft_rounds_ratio(&rival[i], &rival[leader], rounds).median < 1)
            leader = i;
    }
    return leader;
}

bool ndft_rounds_settle(ndft_rival *rival, int n, int rounds)
{
    if (rounds < NDFT_LEAST_ROUNDS) return false;
    const int leader = ndft_rounds_leader(rival, n, rounds);
    bool settled = true;
    for (int i = 0; i < n; i++) {
        if (rival[i].out || i == leader) continue;
        const double low = ndft_rounds_ratio(&rival[i], &rival[leader], rounds).low;
        rival[i].out = low > slower;
        settled = settled && low > 1 / alike;
    }
    return settled;
}

static bool is_alike(const ndft_rival *rival, const ndft_rival *leader, int rounds)
{
    const ndft_ratio ratio = ndft_rounds_ratio(rival, leader, rounds);
    if (2 * rival->queued > rounds && 2 * leader->queued > rounds) return ratio.median <= slower;
    return ratio.low <= 1 && ratio.median <= alike;
}

int ndft_rounds_winner(const ndft_rival *rival, int n, int rounds)
{
    const int leader = ndft_rounds_leader(rival, n, rounds);
    for (int i = 0; i < leader; i++)
        if (!rival[i].out && is_alike(&rival[i], &rival[leader], rounds)) return i;
    return leader;
}
