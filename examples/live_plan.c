/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One plan for all frames of a scan: every frame has spokes of its own, a field that drifts, and a
 * point that moves. New values go into the plan, which stays as it is where they are refused.
 */
#include <ndft.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 48, SPOKES = 64, READOUT = 48, SAMPLES = SPOKES * READOUT, FRAMES = 6 };

static float kx[SAMPLES], ky[SAMPLES], t[SAMPLES], field[N * N];
static float complex kspace[SAMPLES], image[N * N];

/* rad/s, in frame `frame` */
static void make_field(int frame)
{
    for (int v = 0; v < N * N; v++)
        field[v] = (float)(400 * cos(3.0 * (v % N) / N) + 60 * frame * sin(2.0 * (v / N) / N));
}

/* Golden angles that go on from frame to frame; a point `frame` voxels right of the middle. */
static void measure(int frame)
{
    const double pi = acos(-1), golden = pi * (sqrt(5) - 1) / 2;
    const int voxel = N / 2 * N + N / 2 + frame;
    for (int j = 0; j < SAMPLES; j++) {
        const double angle = golden * (j / READOUT + SPOKES * frame), r = j % READOUT - READOUT / 2;
        kx[j] = (float)(r * cos(angle));
        ky[j] = (float)(r * sin(angle));
        t[j] = (float)(2e-3 + 1e-5 * (j % READOUT));
        kspace[j] =
            (float complex)cexp(-I * (2 * pi * kx[j] * frame / N + (double)field[voxel] * t[j]));
    }
}

static int is_right(int frame)
{
    int brightest = 0;
    for (int v = 1; v < N * N; v++)
        if (cabsf(image[v]) > cabsf(image[brightest])) brightest = v;
    const double error = cabs(image[brightest] / SAMPLES - 1);
    printf("frame %d: brightest at %d right of the middle, off by %.1e\n", frame,
           brightest - (N / 2 * N + N / 2), error);
    return brightest == N / 2 * N + N / 2 + frame && error < 1e-3;
}

static ndft_status frames(ndft_plan *plan, int *right)
{
    const void *k[2] = {kx, ky};
    for (int frame = 0; frame < FRAMES; frame++) {
        make_field(frame);
        measure(frame);
        ndft_status status = ndft_plan_set_field(plan, field);
        if (status == NDFT_OK) status = ndft_plan_set_samples(plan, SAMPLES, k, t);
        if (status == NDFT_OK) status = ndft_execute_host(plan, NDFT_ADJOINT, kspace, image);
        if (status != NDFT_OK) return status;
        *right += is_right(frame);
    }
    return NDFT_OK;
}

int main(void)
{
    ndft_device *device = NULL;
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    ndft_problem_desc desc = {.struct_size = sizeof desc, .dim = 2, .n = {N, N}};
    int right = 0;
    make_field(0);
    measure(0);
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;
    desc.t = t;
    desc.field = field;
    ndft_status status = ndft_device_open("auto", NULL, &device);
    if (status == NDFT_OK) status = ndft_problem_create(device, &desc, &problem);
    if (status == NDFT_OK) status = ndft_plan_create(problem, NDFT_ADJOINT, NULL, &plan);
    if (status == NDFT_OK) status = frames(plan, &right);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    if (status != NDFT_OK) {
        fprintf(stderr, "%s\n", ndft_message());
        return 1;
    }
    return right == FRAMES ? 0 : 1;
}
