/* SPDX-License-Identifier: Apache-2.0 */
#include "files/npy.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Gradients that dephase every voxel by whole cycles, at one time and near the centre of k-space:
 * what is left of the operator is no larger than rounding, or than what approximations leave out.
 */

enum { NX = 23, NY = 19, VOXELS = NX * NY, SAMPLES = 301, DIM = 2 };

static const double time_s = 0.01;

typedef struct arrays {
    double k[SAMPLES][DIM], t[SAMPLES], g[DIM][VOXELS];
} arrays;

static void fill(arrays *a, double cycles, double reach)
{
    for (int j = 0; j < SAMPLES; j++) {
        a->k[j][0] = reach * sin(1.1 * j);
        a->k[j][1] = reach * cos(2.3 * j);
        a->t[j] = time_s;
    }
    for (int v = 0; v < VOXELS; v++) {
        a->g[0][v] = cycles / time_s;
        a->g[1][v] = 0;
    }
}

static ndft_status put(const char *name, int rank, const int64_t *shape, void *data,
                       ndft_error *err)
{
    ndft_array array = {.element = NDFT_ELEMENT_F64, .rank = rank, .data = data, .scale = 1};
    for (int i = 0; i < rank; i++) array.shape[i] = shape[i];
    return ndft_npy_write(name, &array, err);
}

static ndft_status put_all(arrays *a, char paths[3][64], ndft_error *err)
{
    NDFT_TRY(put(paths[0], 2, (int64_t[]){SAMPLES, DIM}, a->k, err));
    NDFT_TRY(put(paths[1], 1, (int64_t[]){SAMPLES}, a->t, err));
    return put(paths[2], 3, (int64_t[]){DIM, NY, NX}, a->g, err);
}

/* Where next to nothing is left, an engine may well refuse. */
static void judge(variant_suite *s, const ndft_candidate *candidate, const char *text)
{
    ndft_case problem;
    if (!suite_parse(s, candidate, text, &problem)) return;
    const ndft_check check = suite_verdict(s, candidate, &problem);
    if (check.verdict == NDFT_UNSUPPORTED)
        suite_unsupported(s);
    else
        suite_judge(s, candidate, &problem, &check);
}

static void check(variant_suite *s, const ndft_candidate *candidate, char paths[3][64])
{
    static const char *const settings[] = {"forward", "adjoint"};
    static const char *const tols[] = {"tol=1e-2", "tol=1e-4", "prec=f64 tol=1e-8"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        for (size_t j = 0; j < sizeof tols / sizeof *tols; j++) {
            char text[400];
            snprintf(text, sizeof text,
                     "%s 2d n=%dx%d m=%d traj=file:%s times=file:%s grad=file:%s coils=2 %s",
                     settings[i], NX, NY, SAMPLES, paths[0], paths[1], paths[2], tols[j]);
            judge(s, candidate, text);
        }
    }
}

void test_gradients(variant_suite *s, const ndft_registered *entry)
{
    static const double cycles[] = {1, 3, 100}, reaches[] = {0.02, 0.5, 8};
    static const char *const names[] = {"k", "t", "g"};
    static arrays a;
    const ndft_candidate candidate = ndft_candidate_of(entry);
    char folder[] = "/tmp/ndft-gradients-XXXXXX", paths[3][64];
    ndft_error err = {.status = NDFT_OK};
    if (!mkdtemp(folder)) {
        suite_fail(s, &candidate, folder, "cannot be made");
        return;
    }
    for (int i = 0; i < 3; i++) snprintf(paths[i], sizeof paths[i], "%s/%s.npy", folder, names[i]);
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        for (size_t j = 0; j < sizeof reaches / sizeof *reaches; j++) {
            fill(&a, cycles[i], reaches[j]);
            if (put_all(&a, paths, &err) == NDFT_OK)
                check(s, &candidate, paths);
            else
                suite_fail(s, &candidate, folder, "%s", err.message);
        }
    }
    for (int i = 0; i < 3; i++) unlink(paths[i]);
    rmdir(folder);
}
