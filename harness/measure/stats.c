/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double fraction)
{
    double at = fraction * (n - 1);
    int below = (int)at;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

/* The largest k with P(Binomial(n, 1/2) < k) <= 2.5 %; 0 when there is none. */
static int sign_test_rank(int n)
{
    double probability = exp2(-n), below = 0;
    for (int k = 0; k <= n; k++) {
        below += probability;
        if (below > 0.025) return k;
        probability *= (double)(n - k) / (k + 1);
    }
    return 0;
}

static int copy_known(const double *values, int n, double *known)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(values[i])) known[count++] = values[i];
    return count;
}

ndft_stats ndft_stats_of(const double *values, int n)
{
    ndft_stats stats = {NAN, NAN, NAN, NAN, NAN, NAN};
    double *sorted = n > 0 ? malloc((size_t)n * sizeof *sorted) : NULL;
    if (!sorted) return stats;
    n = copy_known(values, n, sorted);
    if (!n) {
        free(sorted);
        return stats;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    stats.median = quantile(sorted, n, 0.5);
    stats.q1 = quantile(sorted, n, 0.25);
    stats.q3 = quantile(sorted, n, 0.75);
    int rank = sign_test_rank(n);
    if (rank > 0) {
        stats.ci_lo = sorted[rank - 1];
        stats.ci_hi = sorted[n - rank];
    }
    for (int i = 0; i < n; i++) sorted[i] = fabs(sorted[i] - stats.median);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    stats.mad = quantile(sorted, n, 0.5);
    free(sorted);
    return stats;
}
