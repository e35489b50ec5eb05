/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include <math.h>

/* Phases of higher order: made, of files, and what is refused. */

static const double gamma_bar = 42.577e6; /* Hz/T */

static ndft_case spokes(int dim)
{
    ndft_case c = dim == 2 ? a_case(2, 8, 6, 1, 40) : a_case(3, 6, 4, 5, 40);
    c.traj = (ndft_source){.kind = dim == 2 ? NDFT_TRAJ_RADIAL : NDFT_TRAJ_KOOSHBALL, .a = 4};
    c.t = 0.01;
    c.fov = 0.2;
    c.prec = NDFT_F64;
    c.phase = (ndft_source){.kind = NDFT_PHASE_CONCOMITANT, .largest = 0.5};
    return c;
}

/* Maxwell's terms of gradients that stand still along each spoke, from the formula. */
static double maxwell(const double g[3], const double r[3], double b0)
{
    const double x = r[0], y = r[1], z = r[2];
    return (g[2] * g[2] * (x * x + y * y) / 4 + (g[0] * g[0] + g[1] * g[1]) * z * z -
            g[0] * g[2] * x * z - g[1] * g[2] * y * z) /
           (2 * b0);
}

static void concomitant_fields_are_maxwells(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        ndft_case c = spokes(dim);
        ndft_made made = made_of(&c);
        const ndft_problem *p = &made.problem;
        const int length = 10;
        double worst = 0, most = 0;
        assert_int_equal(p->higher.terms, dim == 3 ? 4 : 3);
        for (int64_t j = 0; j < p->n_samples; j++) {
            const int64_t first = j / length * length;
            double g[3] = {0}, seen[3] = {0};
            const double dwell = double_at(p->t, first + 1);
            for (int d = 0; d < dim; d++)
                seen[d] = (double_at(p->k[d], first + 1) - double_at(p->k[d], first)) /
                          (gamma_bar * c.fov * dwell);
            g[0] = seen[0];
            g[1] = dim == 3 ? seen[1] : 0;
            g[2] = dim == 3 ? seen[2] : seen[1];
            for (int64_t v = 0; v < p->n_voxels; v++) {
                int64_t n[3];
                double r[3], at[3], phase = 0;
                ndft_voxel_coord(p, v, n);
                for (int d = 0; d < 3; d++) at[d] = c.fov * (double)n[d] / (double)p->n[d];
                r[0] = at[0];
                r[1] = dim == 3 ? at[1] : 0;
                r[2] = dim == 3 ? at[2] : at[1];
                for (int l = 0; l < p->higher.terms; l++)
                    phase += double_at(p->higher.c[l], j) * double_at(p->higher.b[l], v);
                const double want = 2 * M_PI * gamma_bar * maxwell(g, r, 0.5) * double_at(p->t, j);
                worst = fmax(worst, fabs(phase - want));
                most = fmax(most, fabs(want));
            }
        }
        assert_true(most > 1e-6 && worst < 1e-9 * most);
        assert_true(p->higher.most >= most && p->phi_max >= p->higher.most);
        ndft_made_free(&made);
    }
}

static void random_terms_lie_between_the_radians_asked_for(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 6, 1, 400);
    c.prec = NDFT_F64;
    c.phase = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .a = 16, .largest = 20};
    ndft_made made = made_of(&c);
    const ndft_higher_phase *h = &made.problem.higher;
    assert_int_equal(h->terms, 16);
    double sum = 0;
    for (int l = 0; l < 16; l++) {
        assert_true(h->c_max[l] <= 20 && h->c_max[l] > 18 && h->b_max[l] <= 1 && h->b_max[l] > 0.8);
        sum += h->c_max[l] * h->b_max[l];
        assert_true(l == 0 || double_at(h->c[l], 0) != double_at(h->c[0], 0));
    }
    assert_true(h->most == sum);
    ndft_made_free(&made);
}

/* Other streams of random numbers, and a hash of its own. */
static void a_phase_changes_nothing_else(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 6, 1, 40);
    c.prec = NDFT_F64;
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made without = made_of(&c);
    c.phase = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .a = 2, .largest = 3};
    ndft_made with = made_of(&c);
    c.mask.kind = NDFT_SOURCE_NONE;
    ndft_made whole = made_of(&c);
    const int64_t voxels = with.problem.n_voxels;
    assert_memory_equal(with.image, without.image, 2 * sizeof(double) * (size_t)voxels);
    assert_memory_not_equal(with.hash, without.hash, sizeof with.hash);
    assert_true(with.problem.phi_max - without.problem.phi_max - with.problem.higher.most < 1e-9 &&
                with.problem.phi_max > without.problem.phi_max + 2);
    for (int l = 0; l < 2; l++)
        for (int64_t v = 0; v < voxels; v++)
            assert_true(double_at(with.problem.higher.b[l], v) ==
                        double_at(whole.problem.higher.b[l], with.problem.voxel[v]));
    ndft_made_free(&with);
    ndft_made_free(&without);
    ndft_made_free(&whole);
}

static void files_are_told_where_they_are_wrong(void **state)
{
    (void)state;
    enum { N = 12, M = 5, L = 2 };
    double c[L * M] = {3, 0, 2, 0.5, 7, 1}, b[L * N] = {1, 2, 3};
    ndft_case test = a_case(1, N, 1, 1, M);
    use(&test.phase, "c.npy:b.npy");
    write_npy("c.npy", NDFT_ELEMENT_F64, c, 2, (int64_t[]){L, M});
    write_npy("b.npy", NDFT_ELEMENT_F64, b, 2, (int64_t[]){L, N});
    ndft_made made = made_of(&test);
    for (int i = 0; i < L * N; i++)
        assert_true(((const float *)made.problem.higher.b[0])[i] == (float)b[i]);
    ndft_made_free(&made);
    write_npy("b.npy", NDFT_ELEMENT_F64, b, 2, (int64_t[]){1, N});
    REFUSED(&test, NDFT_EINVAL, "phase=file:b.npy: wanted shape (l,nz,ny,nx) = (2,1,1,12)");
    write_npy("c.npy", NDFT_ELEMENT_F64, c, 1, (int64_t[]){M});
    made = made_of(&test); /* one term */
    ndft_made_free(&made);
    write_npy("c.npy", NDFT_ELEMENT_F64, c, 1, (int64_t[]){M + 2});
    REFUSED(&test, NDFT_EINVAL, "phase=file:c.npy: 7 numbers; wanted are those of 1 to 16 terms");
    c[3] = NAN;
    write_npy("c.npy", NDFT_ELEMENT_F64, c, 1, (int64_t[]){M});
    REFUSED(&test, NDFT_EINVAL, "phase=file:c.npy", "nan");
    use(&test.phase, "c.npy:missing.npy");
    c[3] = 0;
    write_npy("c.npy", NDFT_ELEMENT_F64, c, 1, (int64_t[]){M});
    REFUSED(&test, NDFT_EIO, "missing.npy");
}

/* What is exported reads back as the same problem. */
static void an_export_has_it(void **state)
{
    (void)state;
    ndft_case c = spokes(2);
    c.mask.kind = NDFT_MASK_DISK;
    exports_its(&c.phase, "out/phase_c.npy:out/phase_b.npy", &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concomitant_fields_are_maxwells),
        cmocka_unit_test(random_terms_lie_between_the_radians_asked_for),
        cmocka_unit_test(a_phase_changes_nothing_else),
        cmocka_unit_test(files_are_told_where_they_are_wrong),
        cmocka_unit_test(an_export_has_it),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
