/* SPDX-License-Identifier: Apache-2.0 */
#include "settle.h"

#include "stats.h"

#include <math.h>
#include <string.h>

static const double window_s = 0.5, still = 0.02;

/* Moves the newer half to the front. */
static void forget(double *values)
{
    memcpy(values, values + NDFT_MAX_SIGHTS / 2, NDFT_MAX_SIGHTS / 2 * sizeof *values);
}

void ndft_settling_see(ndft_settling *s, double at, double clock_mhz, double power_w,
                       double seconds)
{
    if (s->n == NDFT_MAX_SIGHTS) {
        forget(s->at);
        forget(s->clock_mhz);
        forget(s->power_w);
        forget(s->seconds);
        s->n /= 2;
    }
    s->at[s->n] = at;
    s->clock_mhz[s->n] = clock_mhz;
    s->power_w[s->n] = power_w;
    s->seconds[s->n++] = seconds;
}

/* The first sight that is not before a moment. */
static int first_at(const ndft_settling *s, double moment)
{
    int first = s->n;
    while (first > 0 && s->at[first - 1] >= moment) first--;
    return first;
}

/* NaN where the values are unknown. */
static double change(const double *values, int first, int middle, int end)
{
    const double before = ndft_stats_of(values + first, middle - first).median;
    const double after = ndft_stats_of(values + middle, end - middle).median;
    return fabs(after - before) / before;
}

bool ndft_settled(const ndft_settling *s)
{
    if (!s->n) return false;
    const double now = s->at[s->n - 1];
    const int middle = first_at(s, now - window_s / 2);
    int first = first_at(s, now - window_s);
    if (middle == 0 || s->at[0] > now - window_s) return false;
    if (first == middle) first--; /* sights are far apart */
    const double clock = change(s->clock_mhz, first, middle, s->n);
    const double power = change(s->power_w, first, middle, s->n);
    if (isnan(clock) && isnan(power)) return change(s->seconds, first, middle, s->n) <= still;
    return !(clock > still) && !(power > still);
}

double ndft_settling_seconds(const ndft_settling *s)
{
    const int first = s->n ? first_at(s, s->at[s->n - 1] - window_s) : 0;
    return ndft_stats_of(s->seconds + first, s->n - first).q1;
}
