/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uniform transforms of a length that is prime, zeros around a shorter signal and a window over the
 * spectrum without passes of their own: the load function pads, the store function weighs.
 */
#include <ndft.h>

#include <math.h>
#include <stdio.h>

enum { N = 1009, GIVEN = 700, BATCH = 4 };

static float signal[BATCH][N][2], spectrum[BATCH][N][2], window[N];

static ndft_value pad(ndft_slot from, const int64_t *index, const void *data)
{
    const ndft_value zero = {0, 0};
    (void)data;
    return index[NDFT_MODE_N] < GIVEN ? ndft_read(from) : zero;
}

static void weigh(ndft_slot to, ndft_value value, const int64_t *index, const void *data)
{
    const float weight = ((const float *)data)[index[NDFT_MODE_N]];
    value.re *= weight;
    value.im *= weight;
    ndft_write(to, value);
}

/* The sum that the transform promises, of number k of batch b. */
static double error_at(int b, int k)
{
    const double pi = acos(-1);
    double re = 0, im = 0;
    for (int n = 0; n < GIVEN; n++) {
        const double angle = -2 * pi * ((long long)n * k % N) / N;
        re += signal[b][n][0] * cos(angle) - signal[b][n][1] * sin(angle);
        im += signal[b][n][0] * sin(angle) + signal[b][n][1] * cos(angle);
    }
    return hypot(spectrum[b][k][0] - window[k] * re, spectrum[b][k][1] - window[k] * im);
}

int main(void)
{
    const ndft_callback load = {.name = "pad", .module = "example", .load = pad};
    const ndft_callback store = {.name = "weigh",
                                 .module = "example",
                                 .store = weigh,
                                 .data = window,
                                 .bytes = sizeof window};
    ndft_device *device = NULL;
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    ndft_transform transform;
    for (int n = 0; n < N; n++) {
        window[n] = (float)(0.5 + 0.5 * cos(6.283185307 * n / N));
        for (int b = 0; b < BATCH; b++) signal[b][n][b % 2] = (float)sin(0.1 * n * (b + 1));
    }
    ndft_status status = ndft_transform_parse("scfo1009*4", &transform);
    transform.load = &load;
    transform.store = &store;
    if (status == NDFT_OK) status = ndft_device_open("cpu", NULL, &device);
    if (status == NDFT_OK) status = ndft_transform_create(device, &transform, NULL, &problem);
    if (status == NDFT_OK) status = ndft_plan_create(problem, NDFT_FORWARD, NULL, &plan);
    if (status == NDFT_OK) status = ndft_execute_host(plan, NDFT_FORWARD, signal, spectrum);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    if (status != NDFT_OK) {
        fprintf(stderr, "%s\n", ndft_message());
        return 1;
    }
    double worst = 0;
    for (int b = 0; b < BATCH; b++)
        for (int k = 0; k < N; k += 7) worst = fmax(worst, error_at(b, k));
    printf("largest error of %d transforms of %d: %.2g\n", BATCH, N, worst);
    return worst < 1e-2 ? 0 : 1;
}
