/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The adjoint, from the samples of a radial acquisition to an image, by exact sums in double.
 *
 *     cc adjoint.c $(pkg-config --cflags --libs ndft) -lm -o adjoint
 */
#include <ndft.h>

#include <math.h>
#include <stdio.h>

enum { N = 32, SPOKES = 24, READOUT = 32, SAMPLES = SPOKES * READOUT };

static double kx[SAMPLES], ky[SAMPLES];            /* cycles/FOV */
static double kspace[SAMPLES][2], image[N * N][2]; /* real and imaginary part */

static void make_trajectory(void)
{
    const double pi = acos(-1), golden = pi * (sqrt(5) - 1) / 2;
    for (int j = 0; j < SAMPLES; j++) {
        const int spoke = j / READOUT, at = j % READOUT - READOUT / 2;
        kx[j] = at * cos(spoke * golden);
        ky[j] = at * sin(spoke * golden);
        kspace[j][0] = 1; /* a point in the middle of the image */
    }
}

int main(void)
{
    ndft_device *device = NULL;
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    make_trajectory();

    ndft_problem_desc desc = {.struct_size = sizeof desc, .dim = 2, .n = {N, N}, .prec = NDFT_F64};
    desc.tol = 1e-12; /* no fast transform goes so far: sums are taken one by one */
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;

    if (ndft_device_open("cpu", NULL, &device) != NDFT_OK ||
        ndft_problem_create(device, &desc, &problem) != NDFT_OK ||
        ndft_plan_create(problem, NDFT_ADJOINT, NULL, &plan) != NDFT_OK ||
        ndft_execute_host(plan, NDFT_ADJOINT, kspace, image) != NDFT_OK) {
        fprintf(stderr, "%s\n", ndft_message());
        return 1;
    }
    const double *middle = image[N / 2 * N + N / 2];
    printf("brightest voxel: %.12g %+.2gi\n", middle[0], middle[1]);
    const int right = fabs(middle[0] - SAMPLES) < 1e-9 && fabs(middle[1]) < 1e-9;

    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    return right ? 0 : 1;
}
