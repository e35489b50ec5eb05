/* SPDX-License-Identifier: Apache-2.0 */
#include "stopping.h"

#include <stddef.h>

static const double narrow = 0.005, steady = 0.06;
enum { WINDOW = 64, EVERY = 16 };

static bool noise_is_steady(const ndft_stopping *s)
{
    if (s->n < WINDOW || s->n % EVERY) return false;
    double newest = s->noise[s->n - 1], square = 0;
    for (int i = s->n - WINDOW; i < s->n; i++)
        square += (s->noise[i] - newest) * (s->noise[i] - newest);
    return square <= WINDOW * steady * newest * steady * newest;
}

const char *ndft_stopping_take(ndft_stopping *s, const ndft_stats *stats)
{
    s->noise[s->n++] = stats->mad / stats->median;
    if (stats->ci_hi - stats->ci_lo < narrow * stats->median) return "ci";
    return noise_is_steady(s) ? "noise" : NULL;
}
