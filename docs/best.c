/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"

#include <ndft/best.h>

#include <math.h>
#include <stdio.h>

/*
 * The best variant for a problem of one's own, from the arrays to the result: 2D, 32x32 voxels,
 * single precision, a golden-angle radial trajectory, no field map. Built and run by the tests.
 */
enum { NX = 32, SPOKES = 16, READOUT = 32, SAMPLES = SPOKES * READOUT };

static const double pi = 3.14159265358979323846;
static float kx[SAMPLES], ky[SAMPLES], t[SAMPLES]; /* cycles/FOV, and s */
static float image[NX * NX][2], kspace[SAMPLES][2];

static void make_trajectory(void)
{
    const double golden = pi * (sqrt(5) - 1) / 2;
    for (int j = 0; j < SAMPLES; j++) {
        int spoke = j / READOUT, at = j % READOUT;
        kx[j] = (float)((at - READOUT / 2) * cos(spoke * golden));
        ky[j] = (float)((at - READOUT / 2) * sin(spoke * golden));
    }
}

static ndft_problem make_problem(void)
{
    return (ndft_problem){
        .dim = 2,
        .prec = NDFT_F32,
        .layout = NDFT_PLANAR,
        .coils = 1,
        .tol = 1e-4,
        .n = {NX, NX, 1},
        .n_voxels = NX * NX,
        .n_samples = SAMPLES,
        .k = {kx, ky},
        .t = t,
        .k_max = {READOUT / 2, READOUT / 2},
        .phi_max = 2 * pi * (READOUT / 2 + READOUT / 2) / 2,
    };
}

/* A single point one voxel to the right of the middle, at r = (1/NX, 0), has the signal
 * exp(-2 pi i kx/NX). */
static double worst_error(void)
{
    double worst = 0;
    for (int j = 0; j < SAMPLES; j++) {
        double phi = 2 * pi * kx[j] / NX;
        worst = fmax(worst, hypot(kspace[j][0] - cos(phi), kspace[j][1] + sin(phi)));
    }
    return worst;
}

int main(void)
{
    ndft_error err = {0};
    ndft_exec *exec;
    ndft_plan plan;
    ndft_choice choice;
    make_trajectory();
    image[NX / 2 * NX + NX / 2 + 1][0] = 1;
    ndft_problem problem = make_problem();

    ndft_status status = ndft_backend_cpu.open(0, &exec, &err);
    if (status == NDFT_OK) status = ndft_plan_best(&problem, NDFT_FORWARD, exec, &plan, &choice);
    if (status == NDFT_OK) {
        printf("%s\n", choice.text);
        status = ndft_execute_host(&plan, NDFT_FORWARD, image, kspace);
        ndft_plan_destroy(&plan);
    }
    ndft_backend_cpu.close(exec);
    if (status != NDFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("largest error %.1e\n", worst_error());
    return worst_error() < problem.tol ? 0 : 1;
}
