/* SPDX-License-Identifier: Apache-2.0 */
#include "files/npy.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Coil maps around every engine: in every dimension, layout and with all that they come with, and
 * maps that are meant to break what is promised. */

static const char *const cases[] = {
    "forward 2d n=23x19 m=311 traj=radial:16 maps=birdcage coils=4",
    "adjoint 2d n=19x23 m=307 traj=spiral:2 t=20ms field=smooth:60Hz maps=random mask=disk coils=3",
    "normal 2d n=11x12 m=211 traj=golden:8 t=20ms field=smooth:60Hz maps=birdcage coils=5",
    "normal 2d n=12x11 m=150 traj=radial:6 maps=random coils=2 layout=interleaved mask=disk",
    "forward 1d n=67 m=130 t=20ms field=random:60Hz maps=random coils=3 layout=interleaved",
    "adjoint 1d n=600 m=640 maps=random coils=2 layout=interleaved",
    "adjoint 3d n=5x7x6 m=190 traj=kooshball:9 maps=birdcage coils=6",
    "forward 3d n=6x5x4 m=150 t=20ms field=random:60Hz grad=random:20Hz maps=random coils=2",
    "adjoint 2d n=13x8 m=120 t=20ms decay=smooth:50 grad=random:30Hz maps=random coils=3",
    "forward 2d n=13x8 m=120 t=20ms decay=random:90 field=random:60Hz maps=birdcage coils=2",
    "normal 2d n=13x8 m=300 traj=radial:10 t=20ms decay=linear:60 maps=random coils=2",
    "forward 2d n=16x16 m=400 traj=golden:10 maps=birdcage data=phantom coils=3",
    "adjoint 2d n=17x13 m=200 traj=radial:10 maps=random tol_kind=any coils=3",
    "forward 2d n=1x1 m=3 maps=random",
    "forward 2d n=32x32 m=300 traj=golden:10 maps=random coils=3", /* lines of usual lengths */
    "adjoint 1d n=5 m=2 maps=random coils=250", /* sums over coils are all that rounds */
    NULL,
};

static const char *const precs[] = {"prec=f32 tol=1e-3", "prec=f64 tol=1e-9", NULL};

static const char *const hard_precs[] = {"prec=f32 tol=1e-2", "prec=f64 tol=1e-4"};

enum { NX = 32, NY = 28, GRID = NX * NY, COILS = 3 };

static double white(int c, int v, int part) { return sin(12.9898 * (3 * v + c + 1) + 78 * part); }

/* One voxel, in a corner, where approximations lose most. */
static double corner(int c, int v, int part) { return v ? 0 : 1 + c + part; }

/* The edges, and next to nothing within. */
static double edges(int c, int v, int part)
{
    const int x = v % NX, y = v / NX;
    const int inside = x > 0 && x < NX - 1 && y > 0 && y < NY - 1;
    return (inside ? 1e-6 : 1) * white(c, v, part);
}

/* Where decay is strongest. */
static double quarter(int c, int v, int part)
{
    return v % NX < NX / 2 && v / NX < NY / 2 ? white(c, v, part) : 0;
}

static double huge(int c, int v, int part) { return 0x1p38 * white(c, v, part); }

static double tiny(int c, int v, int part) { return 0x1p-38 * white(c, v, part); }

/* A first term in sums beside which the others are small. */
static double first(int c, int v, int part) { return (v ? 1e-3 : 1) * white(c, v, part); }

/* Coils of very different size, the last one none at all. */
static double unlike(int c, int v, int part)
{
    return (c == 2 ? 0 : c ? 1e-12 : 1) * white(c, v, part);
}

/* All but equal and opposite, which cancels in the adjoint of equal samples. */
static double opposite(int c, int v, int part)
{
    return (c == 1 ? -1 - 1e-3 : c ? 0 : 1) * white(0, v, part);
}

static const struct {
    const char *name;
    double (*map)(int c, int v, int part);
} hard[] = {{"corner", corner}, {"edges", edges}, {"quarter", quarter}, {"huge", huge},
            {"tiny", tiny},     {"first", first}, {"unlike", unlike},   {"opposite", opposite}};

/* Who does not take decay, or not with gradients, refuses it elsewhere, too (decay.c). */
static const char *const refusals[] = {"decay", NULL};

static void check(variant_suite *s, const ndft_candidate *candidate, const char *text)
{
    suite_check_taken(s, candidate, text, true, refusals);
}

enum { SAMPLES = 260 };

static ndft_status write_maps(const char *path, double (*map)(int, int, int), ndft_error *err)
{
    static double values[2 * COILS * GRID];
    const ndft_array array = {.element = NDFT_ELEMENT_C128,
                              .rank = 3,
                              .shape = {COILS, NY, NX},
                              .data = values,
                              .scale = 1};
    for (int i = 0; i < 2 * COILS * GRID; i++) values[i] = map(i / 2 / GRID, i / 2 % GRID, i % 2);
    return ndft_npy_write(path, &array, err);
}

/* The same of every coil. */
static ndft_status write_samples(const char *path, ndft_error *err)
{
    static double values[2 * COILS * SAMPLES];
    const ndft_array array = {.element = NDFT_ELEMENT_C128,
                              .rank = 2,
                              .shape = {COILS, SAMPLES},
                              .data = values,
                              .scale = 1};
    for (int i = 0; i < 2 * COILS * SAMPLES; i++) values[i] = white(0, i / 2 % SAMPLES, i % 2);
    return ndft_npy_write(path, &array, err);
}

static void check_hard(variant_suite *s, const ndft_candidate *candidate, const char *maps,
                       const char *samples)
{
    static const char *const ops[] = {"forward", "adjoint", "normal"};
    char text[500];
    for (int i = 0; i < 2 * 3; i++) {
        snprintf(text, sizeof text,
                 "%s 2d n=%dx%d m=%d traj=golden:13 t=10ms field=smooth:80Hz maps=file:%s coils=%d "
                 "%s",
                 ops[i % 3], NX, NY, SAMPLES, maps, COILS, hard_precs[i / 3]);
        check(s, candidate, text);
    }
    snprintf(text, sizeof text, /* most in the corner */
             "forward 2d n=%dx%d m=%d traj=golden:13 t=20ms decay=linear:400 maps=file:%s coils=%d "
             "%s",
             NX, NY, SAMPLES, maps, COILS, hard_precs[1]);
    check(s, candidate, text);
    snprintf(text, sizeof text,
             "adjoint 2d n=%dx%d m=%d traj=golden:13 maps=file:%s data=file:%s coils=%d %s", NX, NY,
             SAMPLES, maps, samples, COILS, hard_precs[0]);
    check(s, candidate, text);
}

static void test_hard(variant_suite *s, const ndft_candidate *candidate)
{
    char maps[] = "/tmp/ndft-maps-XXXXXX.npy", samples[] = "/tmp/ndft-samples-XXXXXX.npy";
    ndft_error err = {0};
    const int files[] = {mkstemps(maps, 4), mkstemps(samples, 4)};
    for (int i = 0; i < 2; i++)
        if (files[i] >= 0) close(files[i]);
    ndft_status status = write_samples(samples, &err);
    for (size_t i = 0; i < sizeof hard / sizeof *hard && status == NDFT_OK; i++) {
        status = write_maps(maps, hard[i].map, &err);
        if (status == NDFT_OK) check_hard(s, candidate, maps, samples);
    }
    if (status != NDFT_OK) suite_fail(s, candidate, maps, "%s", err.message);
    unlink(maps);
    unlink(samples);
}

void test_maps(variant_suite *s, const ndft_registered *entry)
{
    const ndft_candidate candidate = ndft_candidate_of(entry);
    suite_check_each(s, &candidate, cases, precs, true, refusals);
    test_hard(s, &candidate);
}
