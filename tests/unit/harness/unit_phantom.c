/* SPDX-License-Identifier: Apache-2.0 */
#include "support/make_case.h"

#include "make/phantom.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static ndft_case phantom_case(int dim, int64_t n, int64_t m)
{
    ndft_case c = a_case(dim, n, dim > 1 ? n : 1, dim > 2 ? n : 1, m);
    c.data.kind = NDFT_DATA_PHANTOM;
    c.prec = NDFT_F64;
    return c;
}

/* |A image - exact k-space| / |exact k-space| over the samples with |k| <= band. */
static double raster_error(const ndft_case *c, double band)
{
    ndft_made made = made_of(c);
    const ndft_problem *p = &made.problem;
    ndft_error err;
    int64_t total = p->n_samples * p->coils;
    double *sum = malloc((size_t)total * 2 * sizeof *sum), wrong = 0, all = 0;
    assert_int_equal(ndft_reference(p, NDFT_FORWARD, made.image, NULL, p->n_samples, sum, 2, &err),
                     NDFT_OK);
    for (int64_t i = 0; i < total; i++) { /* the result has the coils fastest */
        int64_t j = i / p->coils, at = i % p->coils * p->n_samples + j;
        double square = 0;
        for (int d = 0; d < p->dim; d++) square += pow(ndft_real_at(p->k[d], p->prec, j), 2);
        const double *exact = (const double *)made.kspace + 2 * at;
        if (square > band * band) continue;
        wrong += pow(sum[2 * i] - exact[0], 2) + pow(sum[2 * i + 1] - exact[1], 2);
        all += exact[0] * exact[0] + exact[1] * exact[1];
    }
    free(sum);
    ndft_made_free(&made);
    return sqrt(wrong / all);
}

static ndft_case spokes(int64_t n)
{
    ndft_case c = phantom_case(2, n, 11 * n);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_GOLDEN, .a = 11};
    return c;
}

static void raster_approaches_its_transform(void **state)
{
    (void)state;
    ndft_case coarse = spokes(64), fine = spokes(256);
    double rough = raster_error(&coarse, 8), close = raster_error(&fine, 8);
    if (!(rough < 0.03 && close < 0.01 && close < rough / 2)) fail_msg("%g %g", rough, close);

    ndft_case line = phantom_case(1, 4000, 4000), ball = phantom_case(3, 48, 240);
    ball.traj = (ndft_source){.kind = NDFT_TRAJ_KOOSHBALL, .a = 5};
    double interval = raster_error(&line, 20), volume = raster_error(&ball, 6);
    if (!(interval < 0.01 && volume < 0.03)) fail_msg("%g %g", interval, volume);
}

static void anisotropic_grids_and_coils_agree_too(void **state)
{
    (void)state;
    ndft_case c = spokes(128);
    c.n[1] = 200;
    c.coils = 3;
    double error = raster_error(&c, 8);
    if (!(error < 0.015)) fail_msg("%g", error);
}

/* Values in the plane that every textbook prints. */
static void object_has_its_values(void **state)
{
    (void)state;
    assert_true(fabs(ndft_phantom_at(2, (double[]){0, 0.45}) - 1) < 1e-12);    /* skull */
    assert_true(fabs(ndft_phantom_at(2, (double[]){0, -0.15}) - 0.2) < 1e-12); /* brain */
    assert_true(fabs(ndft_phantom_at(2, (double[]){0.11, 0}) - 0) < 1e-12);    /* ventricle */
    assert_true(fabs(ndft_phantom_at(2, (double[]){0, 0.2}) - 0.3) < 1e-12);
    assert_true(ndft_phantom_at(2, (double[]){0.45, 0.45}) == 0);
    assert_true(ndft_phantom_at(3, (double[]){0, 0, 0.45}) == 0);
}

/* At k = 0 the transform is the object's content: the sum of value times volume. */
static void transform_is_smooth_at_the_centre(void **state)
{
    (void)state;
    double z[2];
    ndft_phantom_transform(2, (double[]){0, 0}, z);
    double area = .69 * .92 - .8 * .6624 * .874 - .2 * .11 * .31 - .2 * .16 * .41 +
                  .1 * (.21 * .25 + 2 * .046 * .046 + 2 * .046 * .023 + .023 * .023);
    assert_true(fabs(z[0] - M_PI * area / 4) < 1e-12 && z[1] == 0);
    /* Fourth differences vanish, also where 3D goes over from its series to its formula. */
    for (int dim = 1; dim <= 3; dim++) {
        double f[5][2];
        for (int i = 0; i < 300; i++) {
            memmove(f, f + 1, sizeof f - sizeof *f);
            ndft_phantom_transform(dim, (double[]){0, 0.5e-3 * i, 1e-3 * i}, f[4]);
            double change = f[0][0] - 4 * f[1][0] + 6 * f[2][0] - 4 * f[3][0] + f[4][0];
            assert_true(i < 4 || fabs(change) < 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raster_approaches_its_transform),
        cmocka_unit_test(anisotropic_grids_and_coils_agree_too),
        cmocka_unit_test(object_has_its_values),
        cmocka_unit_test(transform_is_smooth_at_the_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
