/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SMALL_PROBLEM_H
#define NDFT_SMALL_PROBLEM_H

#include <ndft.h>

#include <complex.h>
#include <math.h>
#include <string.h>

/* A problem of 2D with a field map, a mask and three coils, made by formulas, and its sums. It
 * decays, has a phase of higher order, or voxels off the grid where its description is told to. */

enum { NX = 9, NY = 7, GRID = NX * NY, SAMPLES = 40, COILS = 3, PHASES = 2 };

typedef struct small {
    double kx[SAMPLES], ky[SAMPLES], t[SAMPLES], field[GRID], decay[GRID];
    double phase_c[PHASES][SAMPLES], phase_b[PHASES][GRID];
    double x[GRID], y[GRID]; /* voxels */
    unsigned char mask[GRID];
    int voxel[GRID], voxels;
    double complex image[COILS][GRID], kspace[COILS][SAMPLES]; /* of the voxels in use */
    ndft_problem_desc desc;
} small;

static inline double complex mixed(int i) { return cos(1.7 * i) + I * sin(2.3 * i + 1); }

static inline void small_make(small *s, int seed)
{
    memset(s, 0, sizeof *s);
    for (int j = 0; j < SAMPLES; j++) {
        s->kx[j] = 4 * sin(3.1 * j + seed);
        s->ky[j] = 3 * cos(1.3 * j + seed);
        s->t[j] = 1e-3 * (j % 10);
        for (int c = 0; c < COILS; c++) s->kspace[c][j] = mixed(j + 100 * c + seed);
    }
    for (int l = 0; l < PHASES; l++) {
        for (int j = 0; j < SAMPLES; j++) s->phase_c[l][j] = 2 * sin(0.1 * (l + 1) * j + l);
        for (int v = 0; v < GRID; v++) s->phase_b[l][v] = cos(0.05 * (l + 1) * v - l);
    }
    for (int v = 0; v < GRID; v++) {
        s->field[v] = 300 * cos(0.2 * v);
        s->decay[v] = 50 * (1 + cos(0.4 * v));
        s->mask[v] = v % 5 != 2;
        if (s->mask[v]) s->voxel[s->voxels++] = v;
    }
    for (int v = 0; v < s->voxels; v++)
        for (int c = 0; c < COILS; c++) s->image[c][v] = mixed(7 * v + 31 * c + seed);
    s->desc = (ndft_problem_desc){.struct_size = sizeof s->desc,
                                  .dim = 2,
                                  .n = {NX, NY},
                                  .prec = NDFT_F64,
                                  .coils = COILS,
                                  .tol = 1e-11,
                                  .n_samples = SAMPLES,
                                  .k = {s->kx, s->ky},
                                  .t = s->t,
                                  .field = s->field,
                                  .mask = s->mask};
}

static inline void small_mask_every(small *s, int step)
{
    s->voxels = 0;
    for (int v = 0; v < GRID; v++) {
        s->mask[v] = v % step == 0;
        if (s->mask[v]) s->voxel[s->voxels++] = v;
    }
}

/* Voxels come off the grid. */
static inline void small_scatter(small *s)
{
    for (int v = 0; v < GRID; v++) {
        s->x[v] = 6 * sin(1.9 * v);
        s->y[v] = 4 * cos(0.7 * v + 1);
    }
    s->desc.position[0] = s->x;
    s->desc.position[1] = s->y;
}

static inline double complex small_entry(const small *s, int j, int v)
{
    const double pi = 3.14159265358979323846;
    const int at = s->voxel[v];
    const bool scattered = s->desc.position[0] != NULL;
    const double x = (scattered ? s->x[at] : at % NX - NX / 2) / NX;
    const double y = (scattered ? s->y[at] : at / NX - NY / 2) / NY;
    const double decay = s->desc.decay ? s->decay[at] * s->t[j] : 0;
    double phase = 2 * pi * (s->kx[j] * x + s->ky[j] * y) + s->field[at] * s->t[j];
    for (int l = 0; l < s->desc.phases; l++) phase += s->phase_c[l][j] * s->phase_b[l][at];
    return cexp(-decay - I * phase);
}

/* Largest difference to the sums of coil c: forward's samples, or adjoint's voxels. */
static inline double small_error_forward(const small *s, int c, const double complex *found)
{
    double worst = 0;
    for (int j = 0; j < SAMPLES; j++) {
        double complex sum = 0;
        for (int v = 0; v < s->voxels; v++) sum += s->image[c][v] * small_entry(s, j, v);
        worst = fmax(worst, cabs(found[j] - sum));
    }
    return worst;
}

static inline double small_error_adjoint(const small *s, int c, const double complex *found)
{
    double worst = 0;
    for (int v = 0; v < s->voxels; v++) {
        double complex sum = 0;
        for (int j = 0; j < SAMPLES; j++) sum += s->kspace[c][j] * conj(small_entry(s, j, v));
        worst = fmax(worst, cabs(found[v] - sum));
    }
    return worst;
}

/* Coils one behind the other, each as long as its data. */
static inline void small_image(const small *s, double complex *image)
{
    for (int c = 0; c < COILS; c++)
        memcpy(image + c * s->voxels, s->image[c], (size_t)s->voxels * sizeof *image);
}

#endif
