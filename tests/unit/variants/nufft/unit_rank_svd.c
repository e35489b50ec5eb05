/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/field/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Singular vectors of waves at points, as a field map's terms take them: almost all singular values
 * are rounding, and there may be more columns than rows. */

enum { MOST = 64 };

typedef struct decomposition {
    int rows, columns;
    double a[MOST * MOST], u[MOST * MOST], v[MOST * MOST], sigma[MOST];
} decomposition;

/* cos and sin of phase x t at Chebyshev points, rows weighted unevenly. */
static void decompose(int rows, int columns, double phase, decomposition *d)
{
    *d = (decomposition){.rows = rows, .columns = columns};
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < rows; k++) {
            const double x = -cos(M_PI * k / (rows - 1)), t = cos(M_PI * (i / 2 + 0.5) / columns);
            const double weight = sqrt((0.5 + exp(-16 * x * x)) / rows);
            d->a[i * rows + k] = weight * (i % 2 ? sin(phase * x * t) : cos(phase * x * t));
        }
    memcpy(d->u, d->a, sizeof d->u);
    ndft_rank_svd(rows, columns, d->u, d->v, d->sigma);
}

static double distance_from_one(int n, int terms, const double *vectors)
{
    double worst = 0;
    for (int i = 0; i < terms; i++)
        for (int k = 0; k <= i; k++)
            worst = fmax(worst, fabs(ndft_dot(n, vectors + i * n, vectors + k * n) - (i == k)));
    return worst;
}

/* The largest element of A - U sigma V^T. */
static double rest_of(const decomposition *d)
{
    double worst = 0;
    for (int i = 0; i < d->columns; i++)
        for (int k = 0; k < d->rows; k++) {
            double sum = d->a[i * d->rows + k];
            for (int l = 0; l < d->columns; l++)
                sum -= d->u[l * d->rows + k] * d->sigma[l] * d->v[l * d->columns + i];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static void hold(int rows, int columns, double phase)
{
    static decomposition d;
    decompose(rows, columns, phase, &d);
    int terms = 0;
    while (terms < columns && d.sigma[terms] > 0) terms++;
    const double u = distance_from_one(rows, terms, d.u);
    const double v = distance_from_one(columns, terms, d.v), rest = rest_of(&d);
    if (!(u < 1e-13 && v < 1e-13 && rest < 1e-14 && terms <= rows))
        fail_msg("%dx%d, %g rad: U^T U off by %.3g, V^T V by %.3g, A by %.3g", rows, columns, phase,
                 u, v, rest);
    for (int l = 1; l < columns; l++) assert_true(d.sigma[l] <= d.sigma[l - 1]);
}

static void test_vectors_are_orthonormal(void **state)
{
    (void)state;
    for (int rows = 20; rows < 60; rows++)
        for (double phase = 0.5; phase < 20; phase *= 1.3)
            hold(rows, rows < 30 ? rows + 6 : 26, phase);
}

/* Two directions of known lengths. */
static void test_values(void **state)
{
    (void)state;
    double a[3][4] = {{3, 0, 0, 0}, {0, 0, 1e-9, 0}, {0, 0, 0, 0}}, v[9], sigma[3];
    ndft_rank_svd(4, 3, a[0], v, sigma);
    assert_true(sigma[0] == 3 && fabs(sigma[1] / 1e-9 - 1) < 1e-14 && sigma[2] == 0);
    assert_true(a[0][0] == 1 && v[0] == 1);
    assert_true(fabs(a[1][2] - 1) < 1e-14 && fabs(v[4] - 1) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors_are_orthonormal),
                                       cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
