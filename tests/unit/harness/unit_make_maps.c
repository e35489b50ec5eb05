/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include <math.h>

/* Coil maps: made, of a file, and what is refused. */

static ndft_case mapped(ndft_source_kind kind, int coils)
{
    ndft_case c = field_case(NDFT_FIELD_SMOOTH, 50);
    c.maps.kind = kind;
    c.coils = coils;
    return c;
}

static double square(const ndft_problem *p, int64_t c, int64_t v)
{
    const int64_t at = 2 * (c * p->n_voxels + v);
    return pow(double_at(p->maps, at), 2) + pow(double_at(p->maps, at + 1), 2);
}

/* All coils together see every voxel alike, each one those near it most. */
static void a_birdcage(void **state)
{
    (void)state;
    ndft_case c = mapped(NDFT_MAPS_BIRDCAGE, 8);
    ndft_made made = made_of(&c);
    const ndft_problem *p = &made.problem;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double power = 0;
        for (int64_t coil = 0; coil < 8; coil++) power += square(p, coil, v);
        assert_true(fabs(power - 1) < 1e-14);
    }
    const int64_t right = 11 + 12 * (4 + 9 * 3); /* the first coil is where x is largest */
    for (int64_t coil = 1; coil < 8; coil++)
        assert_true(square(p, 0, right) > square(p, coil, right));
    assert_true(fabs(p->power_max - 1) < 1e-14 && fabs(p->power_mean - 1) < 1e-14);
    assert_true(p->maps_max == sqrt(square(p, 0, right)) || p->maps_max > 0.5);
    ndft_made_free(&made);
}

static void random_maps(void **state)
{
    (void)state;
    ndft_case c = mapped(NDFT_SOURCE_RANDOM, 3);
    ndft_made made = made_of(&c);
    const ndft_problem *p = &made.problem;
    double most = 0, largest = 0, sum = 0;
    for (int64_t v = 0; v < p->n_voxels; v++) {
        double power = 0;
        for (int64_t coil = 0; coil < 3; coil++) {
            power += square(p, coil, v);
            largest = fmax(largest, square(p, coil, v));
        }
        most = fmax(most, power);
        sum += power;
    }
    assert_true(fabs(p->power_max - most) < 1e-12 && fabs(p->maps_max - sqrt(largest)) < 1e-12);
    assert_true(fabs(p->power_mean - sum / (double)p->n_voxels) < 1e-12);
    assert_true(fabs(p->power_mean - 3) < 0.3);
    ndft_made_free(&made);
}

/* One image, a hash of its own, and everything else as it was. */
static void maps_change_nothing_else(void **state)
{
    (void)state;
    ndft_case c = mapped(NDFT_SOURCE_NONE, 2);
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made without = made_of(&c);
    c.maps.kind = NDFT_SOURCE_RANDOM;
    ndft_made with = made_of(&c);
    const size_t bytes = (size_t)with.problem.n_voxels * sizeof(double);
    assert_null(without.problem.maps);
    assert_memory_equal(with.problem.dw, without.problem.dw, bytes);
    assert_memory_equal(with.image, without.image, 2 * bytes); /* the first coil's */
    assert_memory_equal(with.kspace, without.kspace, 2 * 50 * 2 * sizeof(double));
    assert_memory_not_equal(with.hash, without.hash, sizeof with.hash);
    c.mask.kind = NDFT_SOURCE_NONE;
    ndft_made whole = made_of(&c);
    for (int64_t coil = 0; coil < 2; coil++)
        for (int64_t v = 0; v < with.problem.n_voxels; v++)
            assert_true(square(&with.problem, coil, v) ==
                        square(&whole.problem, coil, with.problem.voxel[v]));
    ndft_made_free(&with);
    ndft_made_free(&without);
    ndft_made_free(&whole);
}

static void a_file_is_told_where_it_is_wrong(void **state)
{
    (void)state;
    enum { NX = 5, NY = 4, COILS = 2, ALL = 2 * NX * NY * COILS };
    double s[ALL] = {0};
    const int64_t shape[] = {COILS, NY, NX}, transposed[] = {NY, NX, COILS};
    ndft_case c = file_case();
    use(&c.maps, "s.npy");
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, shape);
    REFUSED(&c, NDFT_EINVAL, "maps=file:s.npy: 0 everywhere; that leaves no image");
    for (int i = 0; i < ALL; i++) s[i] = i - 7.5;
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, shape);
    ndft_made made = made_of(&c);
    for (int i = 0; i < ALL; i++)
        assert_true(((const float *)made.problem.maps)[i] == (float)(i - 7.5));
    ndft_made_free(&made);
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, transposed);
    REFUSED(&c, NDFT_EINVAL, "maps=file:s.npy: wanted shape (coils,nz,ny,nx) = (2,1,4,5)",
            "found (4,5,2)");
    c.coils = 3;
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, shape);
    REFUSED(&c, NDFT_EINVAL, "(3,1,4,5)", "found (2,4,5)");
    c.coils = 2;
    s[11] = NAN;
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, shape);
    REFUSED(&c, NDFT_EINVAL, "maps=file:s.npy: element (0,1,0) is nan");
    s[11] = 1e60;
    write_npy("s.npy", NDFT_ELEMENT_C128, s, 3, shape);
    REFUSED(&c, NDFT_EINVAL, "maps=file:s.npy: 1e+60 is beyond float; prec=f64 holds it");
}

/* What is exported reads back as the same problem. */
static void an_export_has_them(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 6, 1, 40);
    c.coils = 3;
    c.layout = NDFT_INTERLEAVED;
    c.mask.kind = NDFT_MASK_DISK;
    c.maps.kind = NDFT_MAPS_BIRDCAGE;
    exports_its(&c.maps, "out/maps.npy", &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_birdcage),
        cmocka_unit_test(random_maps),
        cmocka_unit_test(maps_change_nothing_else),
        cmocka_unit_test(a_file_is_told_where_it_is_wrong),
        cmocka_unit_test(an_export_has_them),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
