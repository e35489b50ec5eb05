/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* Voxels off the grid: what is refused of them, that they stay in a live plan, and that those on
 * the grid are the grid. */

static void bad_descriptions(void **state)
{
    (void)state;
    static small s;
    ndft_problem *problem;
    ndft_problem_desc *d = &s.desc;
#define REFUSED(change, words)                                                                     \
    small_make(&s, 3);                                                                             \
    small_scatter(&s);                                                                             \
    change;                                                                                        \
    refused_problem(&s, words)
    REFUSED(d->position[1] = NULL, "position: of all 2 axes, or of none; [1] is NULL");
    REFUSED(d->position[0] = NULL, "position: of all 2 axes, or of none; [1] is given");
    REFUSED(d->position[2] = s.x, "position[2] is given with dim=2");
    REFUSED(s.y[8] = NAN, "position[1] is nan at element 8; it must be finite");
    REFUSED(s.x[60] = -INFINITY, "position[0] is -inf at element 60; it must be finite");
    REFUSED(s.x[0] = 3e9, "position[0] is 3000000000 at element 0; it must be finite and below");
    REFUSED((s.x[0] = 2e9, s.kx[1] = 2e9), "k[0] and position[0] reach 4.44444e+17 turns together");
#undef REFUSED
    small_make(&s, 3);
    small_scatter(&s);
    s.x[2] = NAN; /* outside of the mask */
    must(ndft_problem_create(device, d, &problem));
    ndft_problem_destroy(problem);
}

static void positions_stay(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 28);
    small_scatter(&s);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    expect_sums(&s, plan);
    for (int v = 0; v < GRID; v++) s.field[v] = 500 * sin(0.3 * v);
    must(ndft_plan_set_field(plan, s.field));
    expect_sums(&s, plan);
    for (int j = 0; j < SAMPLES; j++) s.kx[j] = 4 * cos(1.1 * j);
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    expect_sums(&s, plan);
    expect_new_masks(&s, plan);
}

/* Without a mask the problem has the arrays that were described. */
static void no_mask(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 30);
    small_scatter(&s);
    small_mask_every(&s, 1);
    s.desc.mask = NULL;
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    expect_sums(&s, plan);
    small_mask_every(&s, 3);
    must(ndft_plan_set_mask(plan, s.mask));
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
}

static ndft_status plan_by(const small *s, const char *variant, ndft_plan **plan)
{
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device(variant)};
    ndft_problem *problem;
    must(ndft_problem_create(device, &s->desc, &problem));
    const ndft_status status = ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, plan);
    ndft_problem_destroy(problem);
    return status;
}

/* An engine that needs the grid serves them as long as all that it has lie there. */
static void on_the_grid(void **state)
{
    (void)state;
    static small s;
    ndft_plan *plan;
    if (getenv("NDFT_CUDA")) skip(); /* the stand-in has no such engine */
    small_make(&s, 31);
    small_scatter(&s);
    assert_int_equal(plan_by(&s, "separable_gemm", &plan), NDFT_EUNSUPPORTED);
    said("it takes no voxels off the grid");
    for (int v = 0; v < GRID; v++) {
        if (!s.mask[v]) continue;
        s.x[v] = v % NX - NX / 2;
        s.y[v] = v / NX - NY / 2;
    }
    must(plan_by(&s, "separable_gemm", &plan));
    expect_sums(&s, plan);
    small_mask_every(&s, 2);
    assert_int_equal(ndft_plan_set_mask(plan, s.mask), NDFT_EUNSUPPORTED);
    said("it takes no voxels off the grid");
    ndft_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_descriptions),
        cmocka_unit_test(positions_stay),
        cmocka_unit_test(no_mask),
        cmocka_unit_test(on_the_grid),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
