/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "make/structure_of_case.h"
#include "support/make_case.h"

#include <math.h>
#include <stdlib.h>

static void largest_offset_is_the_one_asked_for(void **state)
{
    (void)state;
    const ndft_source_kind kinds[] = {NDFT_FIELD_CONST, NDFT_FIELD_LINEAR, NDFT_FIELD_SMOOTH};
    for (size_t i = 0; i < 3; i++) {
        ndft_case c = field_case(kinds[i], 150);
        ndft_made made = made_of(&c);
        assert_true(fabs(made.problem.dw_max - 2 * M_PI * 150) < 1e-9);
        ndft_made_free(&made);
    }
    ndft_case c = field_case(NDFT_SOURCE_RANDOM, 150);
    ndft_made made = made_of(&c);
    assert_true(made.problem.dw_max <= 2 * M_PI * 150 && made.problem.dw_max > 2 * M_PI * 140);
    double sum = 0;
    for (int64_t v = 0; v < made.problem.n_voxels; v++) sum += double_at(made.problem.dw, v);
    assert_true(fabs(sum / 756) < 2 * M_PI * 150 * 4 / sqrt(3 * 756.0)); /* 4 standard errors */
    ndft_made_free(&made);
}

/* Slopes 1, 1/2, 1/4 per FOV and largest at the corner: F = slope (6/12 + 4/18 + 3/28). */
static void gradient_of_a_linear_field_is_constant(void **state)
{
    (void)state;
    ndft_case c = field_case(NDFT_FIELD_LINEAR, 100);
    c.grad.kind = NDFT_GRAD_FIELD;
    ndft_made made = made_of(&c);
    double slope = 100 / (6 / 12.0 + 4 / 18.0 + 3 / 28.0);
    const double want[3] = {slope / 12, slope / 18, slope / 28};
    for (int d = 0; d < 3; d++)
        for (int64_t v = 0; v < made.problem.n_voxels; v++)
            assert_true(fabs(double_at(made.problem.g[d], v) - want[d]) < 1e-10);
    int64_t centre = 6 + 12 * (4 + 9 * 3);
    assert_true(fabs(double_at(made.problem.dw, centre)) < 1e-10);
    ndft_made_free(&made);
}

static void gradients_are_differences(void **state)
{
    (void)state;
    ndft_case c = field_case(NDFT_SOURCE_RANDOM, 100);
    c.grad.kind = NDFT_GRAD_FIELD;
    ndft_made made = made_of(&c);
    const double *dw = made.problem.dw;
    int64_t v = 3 + 12 * (8 + 9 * 0); /* inside in x, at the last y and the first z */
    assert_true(fabs(double_at(made.problem.g[0], v) - (dw[v + 1] - dw[v - 1]) / (4 * M_PI)) <
                1e-12);
    assert_true(fabs(double_at(made.problem.g[1], v) - (dw[v] - dw[v - 12]) / (2 * M_PI)) < 1e-12);
    assert_true(fabs(double_at(made.problem.g[2], v) - (dw[v + 108] - dw[v]) / (2 * M_PI)) < 1e-12);
    ndft_made_free(&made);

    c = a_case(2, 30, 20, 1, 10);
    c.grad = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .largest = 20};
    made = made_of(&c);
    assert_null(made.problem.dw);
    assert_null(made.problem.g[2]);
    for (int d = 0; d < 2; d++)
        assert_true(made.problem.g_max[d] > 19 && made.problem.g_max[d] <= 20);
    assert_memory_not_equal(made.problem.g[0], made.problem.g[1], 600 * sizeof(float));
    ndft_made_free(&made);

    c.grad.kind = NDFT_GRAD_FIELD;
    REFUSED(&c, NDFT_EINVAL, "grad=field", "field=none");
}

/* A mask picks voxels and changes nothing else. */
static void masks_pick_voxels(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 16, 10, 1, 30);
    c.field = (ndft_source){.kind = NDFT_FIELD_SMOOTH, .largest = 50};
    c.coils = 2;
    ndft_made whole = made_of(&c);
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made disk = made_of(&c);
    const ndft_problem *p = &disk.problem;
    int64_t count = 0;
    for (int64_t y = -5; y < 5; y++)
        for (int64_t x = -8; x < 8; x++) count += 25 * x * x + 64 * y * y <= 1600;
    assert_int_equal(p->n_voxels, count);
    for (int64_t v = 0; v < count; v++) {
        assert_true(v == 0 || p->voxel[v] > p->voxel[v - 1]);
        assert_true(((const float *)p->dw)[v] == ((const float *)whole.problem.dw)[p->voxel[v]]);
        for (int coil = 0; coil < 2; coil++)
            assert_memory_equal((const float *)disk.image + 2 * (coil * count + v),
                                (const float *)whole.image + 2 * (coil * 160 + p->voxel[v]), 8);
    }
    assert_memory_equal(disk.kspace, whole.kspace, 2 * 30 * 8);
    ndft_made_free(&disk);
    ndft_made_free(&whole);

    c = a_case(1, 9, 1, 1, 5);
    c.mask.kind = NDFT_MASK_DISK;
    disk = made_of(&c);
    assert_int_equal(disk.problem.n_voxels, 9);
    ndft_made_free(&disk);
}

static void layouts_hold_the_same_values(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 5, 4, 1, 30);
    c.coils = 3;
    ndft_made planar = made_of(&c);
    c.layout = NDFT_INTERLEAVED;
    ndft_made interleaved = made_of(&c);
    for (int64_t e = 0; e < 30; e++)
        for (int coil = 0; coil < 3; coil++)
            assert_memory_equal((const float *)planar.kspace + 2 * (coil * 30 + e),
                                (const float *)interleaved.kspace + 2 * (e * 3 + coil), 8);
    ndft_made_free(&planar);
    ndft_made_free(&interleaved);
}

static void random_data_are_standard_complex_normal(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 100, 100, 1, 10);
    c.coils = 2;
    c.prec = NDFT_F64;
    ndft_made made = made_of(&c);
    double power = 0, mean = 0, cross = 0, coils = 0;
    for (int64_t i = 0; i < 20000; i++) {
        double re = double_at(made.image, 2 * i), im = double_at(made.image, 2 * i + 1);
        assert_true(re != 0 || im != 0);
        power += re * re + im * im;
        mean += re + im;
        cross += re * im;
        if (i < 10000) coils += re * double_at(made.image, 2 * (i + 10000));
    }
    assert_true(fabs(power / 20000 - 1) < 0.03);
    assert_true(fabs(mean / 40000) < 0.015);
    assert_true(fabs(cross / 20000) < 0.015 && fabs(coils / 10000) < 0.02);
    ndft_made_free(&made);
}

static void every_value_is_a_rounded_double(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 33, 47, 1, 101);
    c.field = (ndft_source){.kind = NDFT_FIELD_SMOOTH, .largest = 150};
    c.t = 25e-3;
    ndft_made single = made_of(&c);
    c.prec = NDFT_F64;
    ndft_made both = made_of(&c);
    const ndft_problem *p = &single.problem;
    for (int64_t v = 0; v < p->n_voxels; v++)
        assert_true(((const float *)p->dw)[v] == (float)double_at(both.problem.dw, v));
    for (int64_t j = 0; j < 101; j++) {
        assert_true(((const float *)p->k[1])[j] == (float)double_at(both.problem.k[1], j));
        assert_true(((const float *)p->t)[j] == double_at(both.problem.t, j)); /* exact in float */
    }
    double bound =
        p->dw_max * p->t_max + 2 * M_PI * (p->k_max[0] * 16 / 33 + p->k_max[1] * 23 / 47);
    assert_true(fabs(p->phi_max - bound) < 1e-9 * bound);
    assert_null(p->k[2]);
    ndft_made_free(&single);
    ndft_made_free(&both);
}

static void hashes_tell_problems_apart(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 8, 1, 20), other[5];
    c.field = (ndft_source){.kind = NDFT_FIELD_CONST, .largest = 0};
    for (int i = 0; i < 5; i++) other[i] = c;
    other[0].seed = 2;
    other[1].field.kind = NDFT_SOURCE_NONE; /* absent is not zero */
    other[2].layout = NDFT_INTERLEAVED;
    other[3].prec = NDFT_F64;
    other[4].t = 1e-3;
    ndft_made first = made_of(&c), again = made_of(&c);
    assert_memory_equal(first.hash, again.hash, sizeof first.hash);
    for (int i = 0; i < 5; i++) {
        ndft_made made = made_of(&other[i]);
        assert_true(made.hash[0] != first.hash[0] && made.hash[1] != first.hash[1]);
        ndft_made_free(&made);
    }
    ndft_made_free(&first);
    ndft_made_free(&again);
}

static void digests_count_what_is_absent(void **state)
{
    (void)state;
    uint64_t with[2], without[2];
    ndft_digest a, b;
    ndft_digest_start(&a);
    ndft_digest_start(&b);
    ndft_digest_add(&a, NULL, 0);
    ndft_digest_add(&a, "value", 5);
    ndft_digest_add(&b, "value", 5);
    ndft_digest_finish(&a, with);
    ndft_digest_finish(&b, without);
    assert_true(with[0] != without[0] && with[1] != without[1]);
}

static void impossible_values_are_refused(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 0, 4, 1, 12);
    REFUSED(&c, NDFT_EINVAL, "n=0x4");
    c = a_case(3, 2048, 2048, 2048, 12);
    REFUSED(&c, NDFT_EINVAL, "2048x2048x2048");
    c = a_case(1, 4, 1, 1, 0);
    REFUSED(&c, NDFT_EINVAL, "m=0");
    c = a_case(1, 4, 1, 1, 3);
    c.coils = 257;
    REFUSED(&c, NDFT_EINVAL, "coils=257");
    c = a_case(1, 4, 1, 1, (int64_t)1 << 50);
    REFUSED(&c, NDFT_ENOMEM, "trajectory", "9007199254740992 bytes wanted", "free");
    c = a_case(1, 4, 1, 1, 3);
    c.field = (ndft_source){.kind = NDFT_FIELD_CONST, .largest = 1e300};
    REFUSED(&c, NDFT_EINVAL, "field map", "f64");
    c.field = (ndft_source){.kind = NDFT_SOURCE_NONE};
    c.decay = (ndft_source){.kind = NDFT_FIELD_CONST, .largest = 1e300};
    REFUSED(&c, NDFT_EINVAL, "decay map", "f64");
}

/* One voxel and one sample of everything. */
static void smallest_problems(void **state)
{
    (void)state;
    const ndft_source_kind fields[] = {NDFT_FIELD_CONST, NDFT_FIELD_LINEAR, NDFT_FIELD_SMOOTH,
                                       NDFT_SOURCE_RANDOM};
    for (int dim = 1; dim <= 3; dim++) {
        for (int i = 0; i < 4; i++) {
            ndft_case c = a_case(dim, 1, 1, 1, 1);
            c.field = c.decay = (ndft_source){.kind = fields[i], .largest = 10};
            c.grad.kind = NDFT_GRAD_FIELD;
            c.mask.kind = NDFT_MASK_DISK;
            c.t = 1e-3;
            ndft_made made = made_of(&c);
            assert_int_equal(made.problem.n_voxels, 1);
            assert_true(isfinite(made.problem.dw_max) && made.problem.g_max[0] == 0);
            assert_true(made.problem.decay_max >= 0 && made.problem.decay_max <= 10);
            ndft_made_free(&made);
        }
    }
}

/* What a case says of its structure is what its problem has. */
static void structure_is_told_by_the_case(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "forward 2d n=20x20 m=301",
        "forward 2d n=20x20 m=301 t=9ms",
        "forward 2d n=20x20 m=301 traj=random:7 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=301 traj=radial t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=301 traj=golden:11",
        "forward 2d n=20x20 m=301 traj=epi:9 t=9ms",
        "forward 2d n=20x20 m=400 traj=epi:5 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=3001 traj=spiral:9 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=3001 traj=vdspiral:4 t=9ms",
        "forward 3d n=9x9x8 m=601 traj=kooshball:31 t=9ms",
        "forward 3d n=9x9x8 m=601 traj=sos:5x8 t=9ms"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ndft_case c;
        ndft_error error;
        assert_int_equal(ndft_case_parse(texts[i], &c, &error), NDFT_OK);
        ndft_made made = made_of(&c);
        const ndft_structure told = ndft_structure_of_case(&c), found = made.problem.structure;
        if (!told.line_length != !found.line_length ||
            (c.field.kind && told.distinct_times != found.distinct_times))
            fail_msg("%s: lines of %lld, %lld times, but %lld and %lld", texts[i],
                     (long long)told.line_length, (long long)told.distinct_times,
                     (long long)found.line_length, (long long)found.distinct_times);
        ndft_made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_offset_is_the_one_asked_for),
        cmocka_unit_test(gradient_of_a_linear_field_is_constant),
        cmocka_unit_test(gradients_are_differences),
        cmocka_unit_test(masks_pick_voxels),
        cmocka_unit_test(layouts_hold_the_same_values),
        cmocka_unit_test(random_data_are_standard_complex_normal),
        cmocka_unit_test(every_value_is_a_rounded_double),
        cmocka_unit_test(hashes_tell_problems_apart),
        cmocka_unit_test(digests_count_what_is_absent),
        cmocka_unit_test(impossible_values_are_refused),
        cmocka_unit_test(smallest_problems),
        cmocka_unit_test(structure_is_told_by_the_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
