/* SPDX-License-Identifier: Apache-2.0 */
#include "bimodal.h"

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double unlikely = 0.75; /* dip times sqrt(n) */
static const double apart = 0.02;

/* A line through some of the points (x_i, i): the greatest convex line below those of a stretch, or
 * the least concave one above. */
typedef struct line {
    int n, *corners;
} line;

/* sign: 1 of the convex one, -1 of the concave one. */
static void draw(line *l, const double *x, int first, int last, int sign)
{
    l->n = 0;
    for (int i = first; i <= last; i++) {
        while (l->n >= 2) {
            const int a = l->corners[l->n - 2], b = l->corners[l->n - 1];
            if (sign * ((b - a) * (x[i] - x[b]) - (i - b) * (x[b] - x[a])) < 0) break;
            l->n--;
        }
        l->corners[l->n++] = i;
    }
}

/* The corner that begins the piece above point i. */
static int piece_of(const line *l, int i)
{
    int piece = 0;
    while (piece + 2 < l->n && l->corners[piece + 1] <= i) piece++;
    return piece;
}

static double height(const line *l, const double *x, int i)
{
    if (l->n < 2) return i;
    const int piece = piece_of(l, i), a = l->corners[piece], b = l->corners[piece + 1];
    if (x[a] == x[b]) return i;
    return a + (x[i] - x[a]) * (b - a) / (x[b] - x[a]);
}

/* Where the two lines are farthest apart, and the stretch around it, in which the mode is looked
 * for next. */
static double farthest(const line *low, const line *high, const double *x, int *first, int *last)
{
    double most = 0;
    for (int k = 0; k < high->n; k++) {
        const int i = high->corners[k];
        const double d = i - height(low, x, i) + 1;
        if (d <= most) continue;
        most = d;
        *first = low->corners[piece_of(low, i)];
        *last = i;
    }
    for (int k = 0; k < low->n; k++) {
        const int i = low->corners[k];
        const double d = height(high, x, i) - i + 1;
        if (d <= most) continue;
        most = d;
        *first = i;
        *last = high->corners[high->n > 1 ? piece_of(high, i) + 1 : 0];
    }
    return most;
}

/* The farthest that points of a stretch lie from a line. */
static double deviation(const line *l, const double *x, int first, int last, int sign)
{
    double most = 1;
    for (int i = first; i <= last; i++) most = fmax(most, sign * (i - height(l, x, i)) + 1);
    return most;
}

static double dip_between(const double *x, int n, line *low, line *high)
{
    int first = 0, last = n - 1, from = first, to = last;
    double dip = 1;
    while (1) {
        draw(low, x, first, last, 1);
        draw(high, x, first, last, -1);
        if (farthest(low, high, x, &from, &to) <= dip) break;
        dip = fmax(dip, deviation(low, x, first, from, 1));
        dip = fmax(dip, deviation(high, x, to, last, -1));
        if (from == first && to == last) break;
        first = from;
        last = to;
    }
    return dip / (2 * n);
}

double ndft_dip(const double *ascending, int n)
{
    line low = {0, malloc((size_t)n * sizeof(int))}, high = {0, malloc((size_t)n * sizeof(int))};
    double dip = NAN;
    if (low.corners && high.corners) dip = dip_between(ascending, n, &low, &high);
    free(low.corners);
    free(high.corners);
    return dip;
}

/* How many of the values in ascending order are of the lower kind: between the means of the kinds
 * lies as much as there can. */
static int split(const double *x, int n)
{
    double total = 0, sum = 0, best = -1;
    int at = 1;
    for (int i = 0; i < n; i++) total += x[i];
    for (int k = 1; k < n; k++) {
        sum += x[k - 1];
        const double difference = sum / k - (total - sum) / (n - k);
        const double between = difference * difference * k * (n - k);
        if (between > best) at = k;
        best = fmax(best, between);
    }
    return at;
}

bool ndft_two_modes(const double *samples, int n, double medians[2])
{
    medians[0] = medians[1] = NAN;
    double *x = n > 1 ? malloc((size_t)n * sizeof *x) : NULL;
    if (!x) return false;
    memcpy(x, samples, (size_t)n * sizeof *x);
    ndft_sort_ascending(x, n);
    const int lower = split(x, n);
    const double low = ndft_stats_of(x, lower).median;
    const double high = ndft_stats_of(x + lower, n - lower).median;
    const bool two = ndft_dip(x, n) * sqrt(n) > unlikely && high - low > apart * low;
    free(x);
    if (!two) return false;
    medians[0] = low;
    medians[1] = high;
    return true;
}
