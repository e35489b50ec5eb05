/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* A phase of higher order: what is refused of it, and that it stays in a live plan. */

static void describe_phase(small *s)
{
    s->desc.phases = PHASES;
    s->desc.phase_c = s->phase_c;
    s->desc.phase_b = s->phase_b;
}

static void bad_descriptions(void **state)
{
    (void)state;
    static small s;
    ndft_problem *problem;
    ndft_problem_desc *d = &s.desc;
#define REFUSED(change, words)                                                                     \
    small_make(&s, 3);                                                                             \
    describe_phase(&s);                                                                            \
    change;                                                                                        \
    refused_problem(&s, words)
    REFUSED(d->phases = -1, "phases=-1; 0 to 16");
    REFUSED(d->phases = 17, "phases=17; 0 to 16");
    REFUSED(d->phase_b = NULL, "phases=2, but phase_c is given and phase_b is NULL");
    REFUSED((d->phases = 0, d->phase_c = NULL),
            "phases=0, but phase_c is NULL and phase_b is given");
    REFUSED(s.phase_c[1][7] = NAN, "phase_c[1] is nan at element 7; it must be finite");
    REFUSED(s.phase_b[1][8] = -INFINITY, "phase_b[1] is -inf at element 8; it must be finite");
    REFUSED(s.phase_c[1][7] = 2e10, "phase_c and phase_b reach");
    REFUSED((s.phase_c[1][7] = 1e200, s.phase_b[1][8] = 1e200), "reach inf rad together");
#undef REFUSED
    small_make(&s, 3);
    describe_phase(&s);
    s.phase_b[1][2] = NAN; /* outside of the mask */
    must(ndft_problem_create(device, d, &problem));
    ndft_problem_destroy(problem);
}

/* It belongs to its samples. */
static void phase_stays(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 28);
    describe_phase(&s);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    expect_sums(&s, plan);
    for (int v = 0; v < GRID; v++) s.field[v] = 500 * sin(0.3 * v);
    must(ndft_plan_set_field(plan, s.field));
    expect_sums(&s, plan);
    assert_int_equal(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t), NDFT_EUNSUPPORTED);
    said("phase_c belongs to the samples that it was given with");
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
}

static void a_new_mask(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 29);
    describe_phase(&s);
    expect_new_masks(&s, plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_descriptions),
        cmocka_unit_test(phase_stays),
        cmocka_unit_test(a_new_mask),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
