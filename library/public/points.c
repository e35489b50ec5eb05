/* SPDX-License-Identifier: Apache-2.0 */
#include "points.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t points; /* 0: no memory for it */

static void make(void) { points = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t ndft_points_begin(void)
{
    pthread_once(&once, make);
    return points ? uselocale(points) : (locale_t)0;
}

void ndft_points_end(const locale_t *before)
{
    if (*before) uselocale(*before);
}
