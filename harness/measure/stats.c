/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ndft_sort_ascending(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
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
    ndft_sort_ascending(sorted, n);
    stats.median = quantile(sorted, n, 0.5);
    stats.q1 = quantile(sorted, n, 0.25);
    stats.q3 = quantile(sorted, n, 0.75);
    int rank = sign_test_rank(n);
    if (rank > 0) {
        stats.ci_lo = sorted[rank - 1];
        stats.ci_hi = sorted[n - rank];
    }
    for (int i = 0; i < n; i++) sorted[i] = fabs(sorted[i] - stats.median);
    ndft_sort_ascending(sorted, n);
    stats.mad = quantile(sorted, n, 0.5);
    free(sorted);
    return stats;
}

enum { MOST = 100 };
static const double apart = 0.25; /* of the smaller one, the least between two modes */

/* P(|T| <= t), a finite sum for whole degrees of freedom (Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 26.7.3 and 26.7.4). */
static double within(double t, int freedom)
{
    const double angle = atan(t / sqrt(freedom)), c = cos(angle), s = sin(angle);
    const bool odd = freedom % 2;
    double term = odd ? c : 1, sum = 0;
    for (int k = odd ? 1 : 0; k <= freedom - 2; k += 2) {
        sum += term;
        term *= c * c * (k + 1) / (k + 2);
    }
    return odd ? 2 / M_PI * (angle + s * sum) : s * sum;
}

double ndft_student_95(int freedom)
{
    double low = 1, high = 13; /* of many degrees 1.96, of one 12.7 */
    while (high - low > 1e-9) {
        const double t = (low + high) / 2;
        if (within(t, freedom) < 0.95)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

/* Places of the processes by their medians, ascending. */
static void sort(const ndft_stats *of, int n, int *order)
{
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && of[order[at - 1]].median > of[i].median; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static double low_end(const ndft_stats *s) { return isnan(s->ci_lo) ? s->median : s->ci_lo; }
static double high_end(const ndft_stats *s) { return isnan(s->ci_hi) ? s->median : s->ci_hi; }

/* Whether there is a gap in the medians that is wide, also beside what is on either side of it, and
 * that no interval reaches across. */
static bool has_gap(const ndft_stats *of, int n, const int *order)
{
    double reached = 0;
    for (int i = 0; i + 1 < n; i++) {
        const double below = of[order[i]].median, above = of[order[i + 1]].median;
        double next = INFINITY;
        for (int k = i + 1; k < n; k++) next = fmin(next, low_end(&of[order[k]]));
        reached = fmax(reached, high_end(&of[order[i]]));
        const double gap = above - below,
                     rest = of[order[n - 1]].median - of[order[0]].median - gap;
        if (gap > apart * below && gap > 2 * rest && next > reached) return true;
    }
    return false;
}

static void span(const ndft_stats *of, int n, ndft_processes_stats *stats)
{
    stats->ci_lo = INFINITY;
    stats->ci_hi = 0;
    for (int i = 0; i < n; i++) {
        stats->ci_lo = fmin(stats->ci_lo, low_end(&of[i]));
        stats->ci_hi = fmax(stats->ci_hi, high_end(&of[i]));
    }
}

static void enclose(const ndft_stats *of, int n, ndft_processes_stats *stats)
{
    double squares = 0, below = 0, above = 0;
    for (int i = 0; i < n; i++) {
        squares += (of[i].median - stats->median) * (of[i].median - stats->median);
        below += (of[i].median - low_end(&of[i])) * (of[i].median - low_end(&of[i]));
        above += (high_end(&of[i]) - of[i].median) * (high_end(&of[i]) - of[i].median);
    }
    const double half = ndft_student_95(n - 1) * sqrt(squares / (n - 1) / n);
    const double middle = stats->median;
    stats->ci_lo = middle * middle / (middle + fmax(half, sqrt(below) / n));
    stats->ci_hi = middle + fmax(half, sqrt(above) / n);
}

ndft_processes_stats ndft_stats_of_processes(const ndft_stats *of, int n)
{
    int order[MOST] = {0};
    ndft_processes_stats stats = {.ci_lo = NAN, .ci_hi = NAN};
    sort(of, n, order);
    stats.middle = order[(n - 1) / 2];
    stats.two_modes = has_gap(of, n, order);
    if (stats.two_modes) {
        stats.median = of[stats.middle].median;
        span(of, n, &stats);
        return stats;
    }
    for (int i = 0; i < n; i++) stats.median += of[i].median / n;
    if (n > 1) enclose(of, n, &stats);
    return stats;
}
