/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward and adjoint by a nonuniform FFT, off-resonance corrected: a spiral of 10 ms over an image
 * whose field varies by 100 Hz, on a GPU where there is one. Checks <A x, y> = <x, A^H y>.
 */
#include <ndft.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 128, SAMPLES = 16384, TURNS = 32 };

static float kx[SAMPLES], ky[SAMPLES], t[SAMPLES]; /* cycles/FOV; s */
static float field[N * N];                         /* rad/s */
static float x[N * N][2], y[SAMPLES][2], forward[SAMPLES][2], adjoint[N * N][2];

static float noise(void) { return (float)(rand() / (RAND_MAX + 1.0) - 0.5); }

static void make(void)
{
    const double pi = acos(-1);
    for (int j = 0; j < SAMPLES; j++) {
        const double part = (double)j / SAMPLES, r = N / 2 * part, angle = 2 * pi * TURNS * part;
        kx[j] = (float)(r * cos(angle));
        ky[j] = (float)(r * sin(angle));
        t[j] = (float)(10e-3 * part);
        y[j][0] = noise(), y[j][1] = noise();
    }
    for (int v = 0; v < N * N; v++) {
        const double u = (double)(v % N) / N - 0.5, w = (double)(v / N) / N - 0.5;
        field[v] = (float)(2 * pi * 100 * exp(-8 * (u * u + w * w)));
        x[v][0] = noise(), x[v][1] = noise();
    }
}

/* Real part of <a, b>. */
static double dot(float (*a)[2], float (*b)[2], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)a[i][0] * b[i][0] + (double)a[i][1] * b[i][1];
    return sum;
}

static ndft_status run(ndft_device *device)
{
    ndft_problem_desc desc = {.struct_size = sizeof desc, .dim = 2, .n = {N, N}, .tol = 1e-4};
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    char text[1024];
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;
    desc.t = t;
    desc.field = field;
    ndft_status status = ndft_problem_create(device, &desc, &problem);
    if (status == NDFT_OK)
        status = ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, NULL, &plan);
    if (status == NDFT_OK) status = ndft_plan_describe(plan, text, sizeof text);
    if (status == NDFT_OK) printf("%s\n", text);
    if (status == NDFT_OK) status = ndft_execute_host(plan, NDFT_FORWARD, x, forward);
    if (status == NDFT_OK) status = ndft_execute_host(plan, NDFT_ADJOINT, y, adjoint);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return status;
}

int main(void)
{
    ndft_device *device = NULL;
    make();
    ndft_status status = ndft_device_open("auto", NULL, &device);
    if (status == NDFT_OK) status = run(device);
    ndft_device_close(device);
    if (status != NDFT_OK) {
        fprintf(stderr, "%s\n", ndft_message());
        return 1;
    }
    const double one = dot(forward, y, SAMPLES), other = dot(x, adjoint, N * N);
    const double scale = sqrt(dot(forward, forward, SAMPLES) * dot(y, y, SAMPLES));
    printf("<A x, y> = %.6g, <x, A^H y> = %.6g\n", one, other);
    return fabs(one - other) < 2e-4 * scale ? 0 : 1;
}
