/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/toeplitz/toeplitz.h"
#include "support/field_maps.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The terms in time of a field map: exp(i w t) for differences w of all pairs of voxels. */

enum { VOXELS = 120, SAMPLES = 90 };

typedef struct made {
    double dw[VOXELS], t[SAMPLES];
    ndft_problem problem;
} made;

/* A crowd around one frequency and stragglers up to `hertz`; two shots with one clock of 30 ms. */
static void make(double hertz, made *m)
{
    for (int v = 0; v < VOXELS; v++)
        m->dw[v] = 2 * M_PI * hertz * pow(2.0 * v / (VOXELS - 1) - 1, 3);
    for (int j = 0; j < SAMPLES; j++) m->t[j] = 0.03 * (j % (SAMPLES / 2)) / (SAMPLES / 2 - 1);
    m->problem = (ndft_problem){
        .prec = NDFT_F64, .n_voxels = VOXELS, .n_samples = SAMPLES, .dw = m->dw, .t = m->t};
}

static double complex turned(double w, double t) { return cexp(I * w * t); }

/* The worst pair of voxels at the worst sample; the other order of a pair is its conjugate. */
static double measure(const made *m, const ndft_toeplitz *terms, const ndft_toeplitz_weights *w)
{
    static double complex c[VOXELS][NDFT_TOEPLITZ_TERMS], exact[VOXELS];
    double worst = 0;
    for (int x = 0; x < VOXELS; x++)
        for (int l = 0; l < terms->terms; l++) c[x][l] = turned(m->dw[x], terms->tau[l]);
    for (int j = 0; j < SAMPLES; j++) {
        const double *b = w->b + w->row[j] * terms->terms;
        for (int x = 0; x < VOXELS; x++) exact[x] = turned(m->dw[x], m->t[j]);
        for (int x = 0; x < VOXELS; x++) {
            for (int y = x; y < VOXELS; y++) {
                double complex wrong = exact[x] * conj(exact[y]);
                for (int l = 0; l < terms->terms; l++) wrong -= b[l] * c[x][l] * conj(c[y][l]);
                worst = fmax(worst, cabs(wrong));
            }
        }
    }
    return worst;
}

/* What is promised must hold, and must not be far too cautious; returns the terms. */
static int hold(const made *m, const char *of, double tol)
{
    ndft_toeplitz terms;
    ndft_toeplitz_weights weights;
    ndft_error error;
    ndft_toeplitz_choose(&m->problem, 0, tol, &terms);
    if (!(terms.error <= tol)) fail_msg("%s, tol=%g: %.3g is promised", of, tol, terms.error);
    assert_int_equal(ndft_toeplitz_weigh(&m->problem, &terms, &error, &weights), NDFT_OK);
    const double measured = measure(m, &terms, &weights), floor = 1e-9;
    if (measured > terms.error + 1e-14 + 0x1p-51 * terms.phase ||
        (terms.error > fmax(3 * measured, floor)))
        fail_msg("%s, tol=%g: %.3g of %.3g with %d terms", of, tol, measured, terms.error,
                 terms.terms);
    free(weights.row);
    free(weights.b);
    return terms.terms;
}

static void test_terms(void **state)
{
    (void)state;
    static const struct {
        double hertz, tol;
        int most;
    } bells[] = {
        {100, 1e-3, 19}, {100, 1e-5, 23}, {100, 1e-10, 32}, {10, 1e-4, 8}, {300, 1e-4, 48}};
    made m;
    for (int i = 0; i < 5; i++) {
        make(bells[i].hertz, &m);
        assert_in_range(hold(&m, "bell", bells[i].tol), 1, bells[i].most);
    }
}

static void test_maps_of_any_kind(void **state)
{
    (void)state;
    made m;
    for (int map = 0; map < FIELD_MAPS; map++) {
        for (int clock = 0; clock < CLOCKS; clock++) {
            char of[40];
            snprintf(of, sizeof of, "map %d, clock %d", map, clock);
            make(0, &m);
            for (int v = 0; v < VOXELS; v++) m.dw[v] = 2 * M_PI * field_map(map, v, VOXELS);
            for (int j = 0; j < SAMPLES; j++) m.t[j] = clock_of(clock, j, SAMPLES);
            const int terms = hold(&m, of, 1e-4);
            if (clock == 1 || clock == 2) assert_in_range(terms, 1, 2);
            if (map == 12) assert_in_range(terms, 1, 7); /* of three values */
        }
    }
}

static void test_plain(void **state)
{
    (void)state;
    made m;
    ndft_toeplitz terms;
    make(0, &m);
    ndft_toeplitz_choose(&m.problem, 0, 1e-4, &terms);
    assert_true(terms.terms == 1 && terms.error == 0);
    m.problem.dw = NULL;
    ndft_toeplitz_choose(&m.problem, 0, 1e-4, &terms);
    assert_true(terms.terms == 1 && terms.error == 0);
    make(5000, &m); /* B T = 300 */
    ndft_toeplitz_choose(&m.problem, 0, 1e-4, &terms);
    assert_true(terms.terms > NDFT_TOEPLITZ_TERMS);
}

/* The adjoint that makes lags has twice the voxels and each k, so that voxel x is lag x, and is by
 * the window and on the grid that the psf's error is promised for. */
static void test_adjoint(void **state)
{
    (void)state;
    const double k[3] = {-3.25, 0, 7.125};
    const float narrow[3] = {-3.25F, 0, 7.125F};
    const struct {
        ndft_prec prec;
        double tol;
        const void *k;
    } cases[] = {{NDFT_F32, 1e-3, narrow},
                 {NDFT_F32, 1e-6, narrow},
                 {NDFT_F64, 1e-4, k},
                 {NDFT_F64, 1e-13, k}};
    for (int i = 0; i < 4; i++) {
        for (int dim = 1; dim <= 3; dim++) {
            ndft_problem p = {.dim = dim, .prec = cases[i].prec, .tol = cases[i].tol}, adjoint;
            p.n_samples = 3;
            for (int d = 0; d < 3; d++) {
                p.n[d] = d < dim ? 5 + 8 * d : 1;
                if (d < dim) p.k[d] = cases[i].k;
            }
            int knobs[NDFT_CUDA_KNOBS];
            ndft_nufft_shape shape;
            ndft_error error;
            const ndft_psf psf = ndft_psf_of(&p, ndft_fft_size);
            assert_int_equal(ndft_psf_adjoint_make(&p, 4, 2, &error, &adjoint), NDFT_OK);
            ndft_psf_adjoint_knobs(&p, &psf, knobs);
            assert_int_equal(ndft_nufft_shape_make(&adjoint, knobs, 1, &error, &shape), NDFT_OK);
            assert_int_equal(shape.columns, 4);
            assert_memory_equal(&shape.window, &psf.window, sizeof psf.window);
            double cells = 1;
            for (int d = 0; d < 3; d++) {
                assert_int_equal(shape.grid[d], psf.fine[d]);
                assert_int_equal(adjoint.n[d], d < dim ? 2 * p.n[d] : 1);
                cells *= (double)psf.fine[d];
                for (int j = 0; d < dim && j < 3; j++)
                    assert_true(((const double *)adjoint.k[d])[j] == 2 * k[j]);
            }
            assert_true(ndft_psf_fine_cells(&p) == cells);
            ndft_psf_adjoint_release(&adjoint);
        }
    }
}

/* In f64 sums of many samples in one place are of few additions after each other: eight lanes share
 * a unit's samples, and then units are added. */
static void test_units(void **state)
{
    (void)state;
    for (int m = 100; m <= 100000000; m *= 10) {
        ndft_problem p = {.dim = 1, .n = {16, 1, 1}, .prec = NDFT_F64, .tol = 1e-12};
        p.n_samples = m;
        int knobs[NDFT_CUDA_KNOBS];
        const ndft_psf psf = ndft_psf_of(&p, ndft_fft_size);
        ndft_psf_adjoint_knobs(&p, &psf, knobs);
        const double unit = knobs[NDFT_HYBRID_MOST];
        assert_true(unit >= 256);
        assert_true(unit / 8 + m / unit < fmax(40, 0.75 * sqrt(m)));
        p.prec = NDFT_F32;
        ndft_psf_adjoint_knobs(&p, &psf, knobs);
        assert_int_equal(knobs[NDFT_HYBRID_MOST], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms), cmocka_unit_test(test_maps_of_any_kind),
        cmocka_unit_test(test_plain), cmocka_unit_test(test_adjoint), cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
