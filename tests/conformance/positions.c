/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Voxels off the grid, of a file, with all that they come with: engines that take them pass, or say
 * of what else they do not take it with; all others refuse them.
 */

/* Of a voxel that the grid has at x along an axis of n. */
typedef double place(double x, double n, double noise);

static double shaken(double x, double n, double noise)
{
    (void)n;
    return x + 1.5 * noise;
}

static double between(double x, double n, double noise)
{
    (void)n, (void)noise;
    return x + 0.5;
}

static double beyond(double x, double n, double noise) { return 3 * x + 0.2 * n + noise; }

/* Two heaps far apart, of which a tile may have voxels of both. */
static double heaped(double x, double n, double noise)
{
    return (x < 0 ? -2 : 1) * n + 0.1 * noise;
}

static double in_one_place(double x, double n, double noise)
{
    (void)x, (void)n, (void)noise;
    return -0.7;
}

static place *const places[] = {shaken, between, beyond, heaped, in_one_place};

static const char *const cases[] = {
    "forward 2d n=23x19 m=211 traj=radial:8 t=20ms field=random:60Hz coils=3",
    "adjoint 2d n=16x11 m=307 traj=spiral:2 t=40ms field=smooth:60Hz mask=disk",
    "normal 2d n=11x12 m=111 traj=golden:8 t=20ms field=smooth:60Hz coils=2",
    "forward 1d n=67 m=130 coils=2 layout=interleaved",
    "adjoint 3d n=5x7x6 m=190 traj=kooshball:9 t=20ms field=random:60Hz coils=2",
    "forward 3d n=6x5x4 m=150 t=20ms field=random:60Hz grad=random:20Hz",
    "adjoint 2d n=13x8 m=120 t=20ms grad=random:30Hz coils=3",
    "adjoint 2d n=13x8 m=120 t=20ms decay=smooth:50 phase=random:5:8rad coils=2",
    "forward 2d n=9x14 m=120 maps=random coils=4",
};

static const char *const precs[] = {"prec=f32 tol=1e-3", "prec=f64 tol=1e-10"};

static const char *const refusals[] = {"decay", "phase of higher order", NULL};

enum { MOST = 500 }; /* voxels */

/* (n_voxels,dim) */
static ndft_status write_positions(const ndft_case *c, place *at, const char *path, ndft_error *err)
{
    double x[3 * MOST], *to = x;
    ndft_random random = {7};
    int64_t rows = c->n[0] * c->n[1] * c->n[2];
    for (int64_t v = 0; v < rows; v++) {
        int64_t rest = v;
        for (int d = 0; d < c->dim; rest /= c->n[d++])
            *to++ = at((double)(rest % c->n[d] - c->n[d] / 2), (double)c->n[d],
                       2 * ndft_uniform(&random) - 1);
    }
    return suite_write(path, x, (int64_t[]){rows, c->dim}, 2, err);
}

static void check_places(variant_suite *s, const ndft_registered *entry, const char *text,
                         const char *path)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    ndft_case c;
    ndft_error err;
    if (!suite_parse(s, &candidate, text, &c)) return;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (write_positions(&c, places[i], path, &err) != NDFT_OK) {
            suite_fail(s, &candidate, path, "%s", err.message);
            return;
        }
        for (size_t p = 0; p < sizeof precs / sizeof *precs; p++) {
            char whole[400];
            snprintf(whole, sizeof whole, "%s grid=file:%s %s", text, path, precs[p]);
            suite_check_taken(s, &candidate, whole, entry->variant->off_grid, refusals);
        }
    }
}

void test_positions(variant_suite *s, const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    char path[] = "/tmp/ndft-grid-XXXXXX.npy";
    if (!suite_temporary(s, &candidate, path)) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_places(s, entry, cases[i], path);
    unlink(path);
}
