/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/toeplitz.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
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

/* The root mean square over pairs of voxels, at the worst sample. */
static double measure(const made *m, const ndft_toeplitz *terms, const ndft_toeplitz_weights *w)
{
    double worst = 0;
    for (int j = 0; j < SAMPLES; j++) {
        const double *b = w->b + w->row[j] * terms->terms;
        double mean = 0;
        for (int x = 0; x < VOXELS; x++) {
            for (int y = 0; y < VOXELS; y++) {
                const double difference = m->dw[x] - m->dw[y];
                double complex wrong = cexp(I * difference * m->t[j]);
                for (int l = 0; l < terms->terms; l++)
                    wrong -= b[l] * cexp(I * difference * terms->tau[l]);
                mean += creal(wrong * conj(wrong)) / (VOXELS * VOXELS);
            }
        }
        worst = fmax(worst, sqrt(mean));
    }
    return worst;
}

static void hold(double hertz, double tol, int most)
{
    made m;
    ndft_toeplitz terms;
    ndft_toeplitz_weights weights;
    ndft_error error;
    make(hertz, &m);
    ndft_toeplitz_choose(&m.problem, tol, &terms);
    assert_true(terms.error <= tol && terms.terms <= most);
    assert_int_equal(ndft_toeplitz_weigh(&m.problem, &terms, &error, &weights), NDFT_OK);
    assert_int_equal(weights.rows, SAMPLES / 2);
    const double measured = measure(&m, &terms, &weights);
    if (measured > 1.5 * terms.error + 1e-14)
        fail_msg("%g Hz tol=%g: %.3g of %.3g with %d terms", hertz, tol, measured, terms.error,
                 terms.terms);
    free(weights.row);
    free(weights.b);
}

static void test_terms(void **state)
{
    (void)state;
    hold(100, 1e-3, 18); /* B T = 6 */
    hold(100, 1e-5, 22);
    hold(100, 1e-10, 32);
    hold(10, 1e-4, 8);
    hold(300, 1e-4, 48); /* B T = 18 */
}

static void test_plain(void **state)
{
    (void)state;
    made m;
    ndft_toeplitz terms;
    make(0, &m);
    ndft_toeplitz_choose(&m.problem, 1e-4, &terms);
    assert_true(terms.terms == 1 && terms.error == 0);
    m.problem.dw = NULL;
    ndft_toeplitz_choose(&m.problem, 1e-4, &terms);
    assert_true(terms.terms == 1 && terms.error == 0);
    make(5000, &m); /* B T = 300 */
    ndft_toeplitz_choose(&m.problem, 1e-4, &terms);
    assert_true(terms.terms > NDFT_TOEPLITZ_TERMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
