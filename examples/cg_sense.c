/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conjugate gradients on the normal operator of several coils (Pruessmann et al., MRM 46, 2001): a
 * disc is sampled by half as many spokes as it needs, seen by four coils, and comes back. The plan
 * has the coils' maps, and takes one image to the samples of all and back.
 */
#include <ndft.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 64, VOXELS = N * N, SPOKES = 50, READOUT = 64, SAMPLES = SPOKES * READOUT, COILS = 4 };
enum { ITERATIONS = 30 };

typedef float complex number;

static float kx[SAMPLES], ky[SAMPLES];
static number truth[VOXELS], maps[COILS][VOXELS], kspace[COILS][SAMPLES];
static number found[VOXELS], residual[VOXELS], step[VOXELS], product[VOXELS];

static void make(void)
{
    const double pi = acos(-1);
    for (int j = 0; j < SAMPLES; j++) {
        const double angle = pi * (j / READOUT) / SPOKES, r = j % READOUT - READOUT / 2;
        kx[j] = (float)(r * cos(angle));
        ky[j] = (float)(r * sin(angle));
    }
    for (int v = 0; v < VOXELS; v++) {
        const double u = (v % N + 0.5) / N - 0.5, w = (v / N + 0.5) / N - 0.5;
        truth[v] = u * u + w * w < 0.1 ? 1 : 0;
        for (int c = 0; c < COILS; c++) {
            const double a = u - 0.4 * cos(pi * c / 2), b = w - 0.4 * sin(pi * c / 2);
            maps[c][v] = (number)(exp(-3 * (a * a + b * b)) * cexp(I * 0.5 * c));
        }
    }
}

static double dot(const number *a, const number *b)
{
    double sum = 0;
    for (int v = 0; v < VOXELS; v++) sum += creal(conj((double complex)a[v]) * b[v]);
    return sum;
}

static ndft_status solve(ndft_plan *plan)
{
    double norm = dot(residual, residual);
    for (int i = 0; i < ITERATIONS; i++) {
        const ndft_status status = ndft_execute_host(plan, NDFT_NORMAL, step, product);
        if (status != NDFT_OK) return status;
        const float length = (float)(norm / dot(step, product));
        for (int v = 0; v < VOXELS; v++) {
            found[v] += length * step[v];
            residual[v] -= length * product[v];
        }
        const double before = norm;
        norm = dot(residual, residual);
        for (int v = 0; v < VOXELS; v++) step[v] = residual[v] + (float)(norm / before) * step[v];
    }
    return NDFT_OK;
}

static ndft_status reconstruct(ndft_plan *plan)
{
    ndft_status status =
        ndft_execute_host(plan, NDFT_FORWARD, truth, kspace); /* what is measured */
    if (status == NDFT_OK) status = ndft_execute_host(plan, NDFT_ADJOINT, kspace, residual);
    for (int v = 0; v < VOXELS; v++) step[v] = residual[v];
    return status == NDFT_OK ? solve(plan) : status;
}

int main(void)
{
    ndft_device *device = NULL;
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    ndft_problem_desc desc = {.struct_size = sizeof desc, .dim = 2, .n = {N, N}, .coils = COILS};
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;
    desc.maps = maps;
    make();
    ndft_status status = ndft_device_open("auto", NULL, &device);
    if (status == NDFT_OK) status = ndft_problem_create(device, &desc, &problem);
    if (status == NDFT_OK)
        status = ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL, NULL, &plan);
    if (status == NDFT_OK) status = reconstruct(plan);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    if (status != NDFT_OK) {
        fprintf(stderr, "%s\n", ndft_message());
        return 1;
    }
    for (int v = 0; v < VOXELS; v++) found[v] -= truth[v];
    const double error = sqrt(dot(found, found) / dot(truth, truth));
    printf("relative error after %d iterations: %.3f\n", ITERATIONS, error);
    return error < 0.15 ? 0 : 1;
}
