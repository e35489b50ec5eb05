/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped.h"

/* New coil maps in a live plan, what is promised with them, and what is refused. */

static void new_values(void **state)
{
    (void)state;
    static small s;
    make(&s, 60);
    ndft_plan *clone, *plan = plan_of(&s, ALL, NULL);
    must(ndft_plan_clone(plan, &clone));
    draw_maps(other, 61);
    must(ndft_plan_set_maps(plan, other));
    expect(&s, plan, other);
    expect(&s, clone, maps);
    for (int j = 0; j < SAMPLES; j++) s.kx[j] = 4 * cos(0.9 * j);
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    expect(&s, plan, other);
    small_mask_every(&s, 3);
    must(ndft_plan_set_mask(plan, s.mask)); /* maps were described on the whole grid */
    expect(&s, plan, other);
    ndft_plan_destroy(clone);
    ndft_plan_destroy(plan);
}

static double promised(const small *s, const char *kind)
{
    char text[2048];
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("naive")};
    ndft_plan *plan = plan_of(s, NDFT_FORWARD, &o);
    must(ndft_plan_describe(plan, text, sizeof text));
    ndft_plan_destroy(plan);
    return atof(strstr(text, kind) + strlen(kind));
}

/* Where coils see one voxel alone, the error of that one is what counts. */
static void uneven_maps_are_promised_less(void **state)
{
    (void)state;
    static small s;
    make(&s, 90);
    for (int c = 0; c < COILS; c++)
        for (int v = 0; v < GRID; v++) maps[c][v] = 1;
    const double even = promised(&s, "\"typical\":"), even_any = promised(&s, "\"any\":");
    for (int c = 0; c < COILS; c++)
        for (int v = 0; v < GRID; v++) maps[c][v] = v == s.voxel[3] ? 1e6 : 0;
    const double uneven = promised(&s, "\"typical\":"), ratio = sqrt(s.voxels);
    assert_true(uneven < even * ratio && uneven > 0.5 * even * ratio);
    assert_true(promised(&s, "\"any\":") == even_any); /* over the largest map */
}

static ndft_status create(const small *s)
{
    ndft_problem *problem;
    const ndft_status status = ndft_problem_create(device, &s->desc, &problem);
    if (status == NDFT_OK) ndft_problem_destroy(problem);
    return status;
}

static void refused(void **state)
{
    (void)state;
    static small s;
    make(&s, 100);
    ndft_plan *plan = plan_of(&s, ALL, NULL);
    memcpy(other, maps, sizeof maps);
    other[2][8] = NAN;
    assert_int_equal(ndft_plan_set_maps(plan, other), NDFT_EINVAL);
    said("maps is nan at element 8 of coil 2; it must be finite");
    other[2][8] = INFINITY;
    s.desc.maps = other;
    assert_int_equal(create(&s), NDFT_EINVAL);
    said("maps is inf at element 8 of coil 2");
    memset(other, 0, sizeof other);
    assert_int_equal(create(&s), NDFT_EINVAL);
    said("maps is 0 everywhere");
    assert_int_equal(ndft_plan_set_maps(plan, other), NDFT_EINVAL);
    assert_int_equal(ndft_plan_set_maps(plan, NULL), NDFT_EINVAL);
    said("maps is NULL");
    expect(&s, plan, maps);
    ndft_plan_destroy(plan);
    s.desc.maps = NULL;
    plan = plan_of(&s, NDFT_FORWARD, NULL);
    assert_int_equal(ndft_plan_set_maps(plan, maps), NDFT_EINVAL);
    said("the plan was made without maps");
    ndft_plan_destroy(plan);
}

/* Beyond them products would leave the range of numbers. */
static void too_large_or_too_small(void **state)
{
    (void)state;
    static const double factor[] = {1e125, 1e-125, 1e115, 1e-115};
    static small s;
    ndft_plan *plan;
    for (int i = 0; i < 4; i++) {
        make(&s, 110);
        for (int c = 0; c < COILS; c++)
            for (int v = 0; v < GRID; v++) maps[c][v] *= factor[i];
        assert_int_equal(create(&s), i < 2 ? NDFT_EINVAL : NDFT_OK);
        if (i < 2) said("where it is largest");
        if (i < 2) said("3.87e-121 to 2.58e+120 is valid");
        if (i < 2) continue;
        plan = plan_of(&s, ALL, NULL);
        must(ndft_execute_host(plan, NDFT_NORMAL, image, back));
        for (int v = 0; v < s.voxels; v++) assert_true(isfinite(creal(back[v])));
        ndft_plan_destroy(plan);
    }
}

/* Of as many images. */
static void capacity(void **state)
{
    (void)state;
    static small s, most;
    ndft_problem *problem, *larger;
    ndft_plan *plan;
    make(&most, 121);
    make(&s, 120);
    must(ndft_problem_create(device, &s.desc, &problem));
    for (int with = 0; with < 2; with++) {
        most.desc.maps = with ? other : NULL;
        draw_maps(other, 122);
        must(ndft_problem_create(device, &most.desc, &larger));
        const ndft_plan_options o = {.struct_size = sizeof o, .capacity = larger};
        assert_int_equal(ndft_plan_create(problem, ALL, &o, &plan), with ? NDFT_OK : NDFT_EINVAL);
        if (!with) said("another number of images");
        ndft_problem_destroy(larger);
    }
    ndft_problem_destroy(problem);
    expect(&s, plan, maps);
    must(ndft_plan_set_maps(plan, other));
    expect(&s, plan, other);
    ndft_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_values), cmocka_unit_test(uneven_maps_are_promised_less),
        cmocka_unit_test(refused),    cmocka_unit_test(too_large_or_too_small),
        cmocka_unit_test(capacity),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
