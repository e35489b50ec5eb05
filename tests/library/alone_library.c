/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "base/bounds.h"
#include "traits.h"

#include "prepared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A program of the library alone: a problem by hand, whose answers are integers, and every variant
 * of the processor that serves it. */

enum { N = 4 };

static const float k[N] = {-2, -1, 0, 1}, t[N];

static ndft_problem quarter_turns(void)
{
    ndft_problem p = {.dim = 1, .coils = 1, .tol = 1e-4, .n = {N, 1, 1}, .n_voxels = N};
    p.n_samples = N;
    p.k[0] = k;
    p.t = t;
    ndft_measure_bounds(&p);
    return p;
}

/* sum over x of (x + 3) exp(-i pi k x / 2), by counting quarter turns. */
static void expected(float y[2 * N])
{
    static const float turn[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    memset(y, 0, 2 * N * sizeof *y);
    for (int j = 0; j < N; j++)
        for (int x = -2; x < 2; x++)
            for (int part = 0; part < 2; part++)
                y[2 * j + part] += (float)(x + 3) * turn[((int)k[j] * x) & 3][part];
}

/* 1: it serves the problem and is right; 0: it does not serve it; -1: it is wrong. */
static int judge(const ndft_registered *entry, const ndft_problem *p, ndft_exec *exec)
{
    static const float image[2 * N] = {1, 0, 2, 0, 3, 0, 4, 0};
    float y[2 * N], right[2 * N];
    int knobs[NDFT_MAX_KNOBS];
    ndft_prepared plan;
    ndft_presets_of(entry, knobs);
    if (ndft_prepare_promised(entry->variant, knobs, p, NDFT_FORWARD, exec, &plan) != NDFT_OK)
        return 0;
    const ndft_status status = ndft_prepared_execute_host(&plan, NDFT_FORWARD, image, y);
    ndft_prepared_destroy(&plan);
    expected(right);
    for (int i = 0; i < 2 * N; i++)
        if (status != NDFT_OK || !(fabsf(y[i] - right[i]) < 1e-3f)) return -1;
    return 1;
}

int main(void)
{
    ndft_error err = {0};
    ndft_exec *exec = NULL;
    int right = 0, wrong = 0;
    const ndft_problem p = quarter_turns();
    if (ndft_backend_cpu.open(0, &exec, &err) != NDFT_OK) return 1;
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (!entry->variant || entry->ablates || entry->kind != NDFT_NONUNIFORM) continue;
        if (strcmp(entry->backend, "cpu") != 0) continue;
        const int verdict = judge(entry, &p, exec);
        right += verdict > 0;
        wrong += verdict < 0;
        if (verdict < 0) printf("%s is wrong\n", entry->name);
    }
    ndft_backend_cpu.close(exec);
    printf("%d variants are right, %d wrong\n", right, wrong);
    return right >= 5 && !wrong ? 0 : 1;
}
