/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices in two threads, half of the slices each: the GPUs "cuda:0" and "cuda:1", or the
 * processor twice where they are missing. Threads share nothing; a message is its thread's.
 */
#include <ndft.h>

#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 48, SPOKES = 64, READOUT = 48, SAMPLES = SPOKES * READOUT, SLICES = 8, DEVICES = 2 };

static float kx[SAMPLES], ky[SAMPLES];
static float complex kspace[SLICES][SAMPLES], image[SLICES][N * N];

typedef struct work {
    const char *name; /* of the device */
    int first, end;   /* slices */
    char message[256];
} work;

static ndft_status reconstruct(const work *w, ndft_device *device)
{
    ndft_problem *problem = NULL;
    ndft_plan *plan = NULL;
    ndft_problem_desc desc = {.struct_size = sizeof desc, .dim = 2, .n = {N, N}};
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;
    ndft_status status = ndft_problem_create(device, &desc, &problem);
    if (status == NDFT_OK) status = ndft_plan_create(problem, NDFT_ADJOINT, NULL, &plan);
    for (int s = w->first; s < w->end && status == NDFT_OK; s++)
        status = ndft_execute_host(plan, NDFT_ADJOINT, kspace[s], image[s]);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return status;
}

static void *run(void *argument)
{
    work *w = argument;
    ndft_device *device = NULL;
    ndft_status status = ndft_device_open(w->name, NULL, &device);
    if (status == NDFT_EDEVICE) {
        printf("%s: %s; the processor does its slices\n", w->name, ndft_message());
        status = ndft_device_open("cpu", NULL, &device);
    }
    if (status == NDFT_OK) status = reconstruct(w, device);
    if (status != NDFT_OK) snprintf(w->message, sizeof w->message, "%s", ndft_message());
    ndft_device_close(device);
    return NULL;
}

/* In slice s there is a point s voxels right of the middle. */
static void make(void)
{
    const double pi = acos(-1);
    for (int j = 0; j < SAMPLES; j++) {
        const double angle = pi * (j / READOUT) / SPOKES, r = j % READOUT - READOUT / 2;
        kx[j] = (float)(r * cos(angle));
        ky[j] = (float)(r * sin(angle));
        for (int s = 0; s < SLICES; s++)
            kspace[s][j] = (float complex)cexp(-2 * pi * I * kx[j] * s / N);
    }
}

int main(void)
{
    work works[DEVICES] = {{"cuda:0", 0, SLICES / 2, ""}, {"cuda:1", SLICES / 2, SLICES, ""}};
    pthread_t threads[DEVICES];
    int wrong = 0;
    make();
    for (int i = 0; i < DEVICES; i++)
        if (pthread_create(&threads[i], NULL, run, &works[i])) return 1;
    for (int i = 0; i < DEVICES; i++) {
        pthread_join(threads[i], NULL);
        if (works[i].message[0]) fprintf(stderr, "%s: %s\n", works[i].name, works[i].message);
    }
    for (int s = 0; s < SLICES; s++) {
        int brightest = 0;
        for (int v = 1; v < N * N; v++)
            if (cabsf(image[s][v]) > cabsf(image[s][brightest])) brightest = v;
        wrong += brightest != N / 2 * N + N / 2 + s;
    }
    printf("%d of %d slices have their point where it was put\n", SLICES - wrong, SLICES);
    return wrong != 0;
}
