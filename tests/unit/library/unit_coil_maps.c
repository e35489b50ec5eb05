/* SPDX-License-Identifier: Apache-2.0 */
#include "coils/coil_maps.h"

#include "base/bounds.h"
#include "cost.h"
#include "estimate.h"
#include "promise.h"
#include "served.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Coil maps: the problem that an engine is given, what is promised, and what is paid. */

enum { VOXELS = 50, SAMPLES = 30, COILS = 4 };

static double seen_tol, maps[2 * COILS * VOXELS], rate[VOXELS], t[SAMPLES], k[SAMPLES];
static const void *seen_maps;

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device, (void)knobs;
    seen_tol = p->tol;
    seen_maps = p->maps;
    return NULL;
}

/* Just what it is asked for. */
static double truncation(const ndft_problem *p, const int *knobs)
{
    (void)knobs;
    return p->tol;
}

static double truncation_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op, (void)knobs;
    return p->tol;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)knobs, (void)op;
    return (ndft_cost){.fma = p->maps ? 1e9 : 1000, .dram_bytes = 100, .launches = 2};
}

static ndft_variant engine(unsigned ops)
{
    return (ndft_variant){.name = "asked",
                          .backend = "cpu",
                          .ops = ops,
                          .claim = {.truncation = truncation,
                                    .any = {.chain = ndft_no_chain, .truncation = truncation_any}},
                          .unsupported = unsupported,
                          .cost = cost};
}

/* Map c of voxel v has this modulus; phases are of all kinds. */
static ndft_problem problem_of(double (*modulus)(int c, int v), ndft_prec prec)
{
    static float single[2 * COILS * VOXELS];
    for (int i = 0; i < COILS * VOXELS; i++) {
        maps[2 * i] = modulus(i / VOXELS, i % VOXELS) * cos(i);
        maps[2 * i + 1] = modulus(i / VOXELS, i % VOXELS) * sin(i);
    }
    for (int i = 0; i < 2 * COILS * VOXELS; i++) single[i] = (float)maps[i];
    ndft_problem p = {.dim = 1,
                      .prec = prec,
                      .coils = COILS,
                      .tol = 1e-3,
                      .n = {VOXELS, 1, 1},
                      .n_voxels = VOXELS,
                      .n_samples = SAMPLES,
                      .k = {k},
                      .t = t,
                      .maps = prec == NDFT_F32 ? (const void *)single : maps};
    ndft_measure_bounds(&p, NULL);
    return p;
}

static double even(int c, int v) { return (void)v, c ? 0.5 : 1.5; }

static double one_voxel(int c, int v) { return (void)c, v == 17 ? 3 : 0; }

static double ramp(int c, int v) { return (c + 1) * (v + 1) * 1e-3; }

static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fabs(b); }

static void what_is_known_of_maps(void **state)
{
    (void)state;
    ndft_problem p = problem_of(even, NDFT_F64);
    assert_true(near(p.maps_max, 1.5) && near(p.power_max, 3) && near(p.power_mean, 3));
    assert_true(near(ndft_unevenness(&p), 1));
    p = problem_of(one_voxel, NDFT_F32);
    assert_true(near(p.maps_max, 3) && near(p.power_max, 36) && near(p.power_mean, 36. / VOXELS));
    assert_true(near(ndft_unevenness(&p), sqrt(VOXELS)));
    const ndft_problem known = {.maps = p.maps, .maps_max = 5, .power_max = 6, .power_mean = 7};
    ndft_measure_bounds(&p, &known); /* of the same array nothing is measured again */
    assert_true(p.maps_max == 5 && p.power_max == 6 && p.power_mean == 7);
    maps[33] = NAN;
    p.maps = maps, p.prec = NDFT_F64;
    ndft_measure_bounds(&p, NULL);
    assert_true(isnan(p.power_mean));
}

/* It errs by all that is left, and with the maps around it by no more than tol. */
static void the_tolerance_is_shared(void **state)
{
    (void)state;
    static double (*const kinds[])(int, int) = {even, one_voxel, ramp};
    const ndft_device device = {.backend = "cpu"};
    ndft_error err;
    for (int i = 0; i < 2 * 3 * 2 * 2; i++) {
        ndft_problem p = problem_of(kinds[i / 8], i & 1 ? NDFT_F32 : NDFT_F64);
        const bool any = i & 2, fused = i & 4;
        const ndft_variant v = engine(NDFT_FORWARD | NDFT_ADJOINT | (fused ? NDFT_NORMAL : 0));
        const double uneven = any ? 1 : ndft_unevenness(&p), parts = fused ? 1 : 2;
        p.tol_kind = any ? NDFT_TOL_ANY : NDFT_TOL_TYPICAL;
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            const double share = op == NDFT_NORMAL ? parts : 1;
            assert_null(ndft_plan_unsupported(&v, NULL, &p, op, &device));
            assert_null(seen_maps);
            assert_true(seen_tol < p.tol / share / uneven);
            assert_true(seen_tol > 0.99 * p.tol / share / uneven);
            if (op == NDFT_NORMAL && fused) continue; /* which declares both parts' whole errors */
            const ndft_promise promise =
                ndft_promise_of(NDFT_NONUNIFORM, &v, NULL, &p, (ndft_op)op);
            const double promised = any ? promise.any : promise.typical;
            assert_true(promised <= p.tol && promised > 0.98 * p.tol);
            assert_int_equal(ndft_promise_tol(NDFT_NONUNIFORM, &v, NULL, &p, op, &err), NDFT_OK);
        }
    }
}

static ndft_status take_maps(void *plan, const void *given)
{
    (void)plan, (void)given;
    return NDFT_OK;
}

/* It reads them instead of images, and the image beside them. */
static void who_takes_maps_pays_less(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(ramp, NDFT_F64);
    ndft_variant v = engine(NDFT_FORWARD | NDFT_ADJOINT);
    v.take_maps = take_maps;
    const ndft_cost forward = ndft_executed_cost(&v, &p, NDFT_FORWARD, NULL);
    assert_true(forward.fma == 1000 + 4 * COILS * VOXELS && forward.launches == 2);
    assert_true(forward.dram_bytes == 100 + 16. * VOXELS);
}

/* Maps and images of all coils are read and written, and an image. */
static void products_are_paid(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(ramp, NDFT_F64);
    const double bytes = 16. * VOXELS * (2 * COILS + 1);
    const ndft_variant v = engine(NDFT_FORWARD | NDFT_ADJOINT);
    const ndft_cost forward = ndft_executed_cost(&v, &p, NDFT_FORWARD, NULL);
    const ndft_cost normal = ndft_executed_cost(&v, &p, NDFT_NORMAL, NULL);
    assert_true(forward.fma == 1000 + 4 * COILS * VOXELS && forward.launches == 3);
    assert_true(forward.dram_bytes == 100 + bytes);
    assert_true(normal.dram_bytes == 2 * (100 + bytes) && normal.launches == 6);
}

static void estimates_have_them(void **state)
{
    (void)state;
    const ndft_device device = {.backend = "cpu", .units = 2, .clock_mhz = 3000};
    const ndft_variant v = engine(NDFT_FORWARD | NDFT_ADJOINT);
    const ndft_registered entry = {.name = "asked", .backend = "cpu", .variant = &v};
    const ndft_candidate c = {.entry = &entry};
    ndft_problem p = problem_of(ramp, NDFT_F64), bare;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        const double with = ndft_estimate(&c, &p, (ndft_op)op, &device);
        const double without =
            ndft_estimate(&c, ndft_problem_without_maps(&p, &bare), (ndft_op)op, &device);
        const double least_s = ndft_cost_of_maps(&v, &p, (ndft_op)op).dram_bytes / 24e9;
        assert_true(with > without + 0.5 * least_s);
    }
}

/* Voxels that no coil sees do not count, however they decay. */
static void what_decay_leaves_of_what_is_seen(void **state)
{
    (void)state;
    for (int j = 0; j < SAMPLES; j++) t[j] = 1e-3 * j;
    for (int v = 0; v < VOXELS; v++) rate[v] = v == 17 ? 10 : 1000;
    ndft_problem p = problem_of(one_voxel, NDFT_F64);
    double sum = 0;
    for (int j = 0; j < SAMPLES; j++) sum += exp(-20 * t[j]);
    p.decay = rate;
    ndft_measure_bounds(&p, NULL);
    assert_true(fabs(p.b_rms - sqrt(sum / SAMPLES)) < 0.03);
    const double slope[VOXELS] = {[17] = 0};
    p.g[0] = slope;
    ndft_measure_bounds(&p, NULL);
    assert_true(fabs(p.b_rms - sqrt(sum / SAMPLES)) < 0.03);
    p.maps = NULL;
    ndft_measure_bounds(&p, NULL);
    assert_true(p.b_rms < 0.7);
    memset(t, 0, sizeof t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_of_maps),
        cmocka_unit_test(the_tolerance_is_shared),
        cmocka_unit_test(who_takes_maps_pays_less),
        cmocka_unit_test(products_are_paid),
        cmocka_unit_test(estimates_have_them),
        cmocka_unit_test(what_decay_leaves_of_what_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
