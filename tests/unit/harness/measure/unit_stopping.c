/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "measure/stopping.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* When streams of known nature stop. */

/* Normal, by Box and Muller. */
static double normal(ndft_random *r)
{
    double u = 1 - ndft_uniform(r), v = ndft_uniform(r);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* 1 + sd * noise, where the mean drifts by mean_drift and the noise grows by the factor 1 +
 * noise_drift over 200 samples. */
typedef struct stream {
    double sd, mean_drift, noise_drift;
} stream;

/* The sample at which the stream stops, and why; 200 and NULL when it does not. */
static int run(stream s, uint64_t seed, const char **why)
{
    ndft_random random = {seed};
    ndft_stopping stopping = {0};
    double samples[NDFT_MAX_SAMPLES];
    *why = NULL;
    for (int i = 0; i < NDFT_MAX_SAMPLES && !*why; i++) {
        double at = i / (double)NDFT_MAX_SAMPLES;
        samples[i] = 1 + s.mean_drift * at + s.sd * (1 + s.noise_drift * at) * normal(&random);
        ndft_stats stats = ndft_stats_of(samples, i + 1);
        *why = ndft_stopping_take(&stopping, &stats);
    }
    return stopping.n;
}

/* How many of 200 seeds stop for a reason, and after how many samples on the mean. */
static int count(stream s, const char *reason, double *mean)
{
    int stopped = 0;
    *mean = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const char *why;
        int n = run(s, seed, &why);
        bool same = why && !strcmp(why, reason);
        stopped += same;
        *mean += same ? n : 0;
    }
    *mean /= stopped ? stopped : 1;
    return stopped;
}

/* An interval of six equal samples is a point. */
static void constant_streams_stop_at_once(void **state)
{
    (void)state;
    const char *why;
    assert_int_equal(run((stream){0, 0, 0}, 1, &why), 6);
    assert_string_equal(why, "ci");
}

/* 0.5 % of noise: the interval of n samples is about 2 * 1.96 * 1.25 * 0.5 % / sqrt(n) wide. */
static void quiet_streams_stop_by_their_interval(void **state)
{
    (void)state;
    double mean;
    assert_int_equal(count((stream){0.005, 0, 0}, "ci", &mean), 200);
    assert_in_range((int)mean, 10, 30);
}

/* 20 % of noise never comes to 0.5 %, but there is nothing more to learn about it. */
static void noisy_streams_stop_when_the_noise_is_known(void **state)
{
    (void)state;
    double mean;
    assert_in_range(count((stream){0.2, 0, 0}, "noise", &mean), 190, 200);
    assert_in_range((int)mean, 64, 150);
}

static void drifting_streams_do_not(void **state)
{
    (void)state;
    double mean;
    assert_int_equal(count((stream){0, 0.5, 0}, "noise", &mean), 0); /* the mean drifts */
    assert_int_equal(count((stream){0.005, 0.5, 0}, "noise", &mean), 0);
    assert_in_range(count((stream){0.01, 0.1, 0}, "noise", &mean), 0, 10);
    assert_in_range(count((stream){0.02, 0, 20}, "noise", &mean), 0, 10); /* the noise grows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_streams_stop_at_once),
        cmocka_unit_test(quiet_streams_stop_by_their_interval),
        cmocka_unit_test(noisy_streams_stop_when_the_noise_is_known),
        cmocka_unit_test(drifting_streams_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
