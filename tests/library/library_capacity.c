/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

/* What memory a live plan takes for new values. */

static void within_the_capacity_no_memory_is_taken(void **state)
{
    (void)state;
    static scan s, most;
    int taken[2] = {0, 0}; /* by the plan's device and by that of others */
    ndft_device *on = counting_device(&taken[0]), *other = counting_device(&taken[1]);
    acquire(&most, MOST, 9, 900);
    acquire(&s, 300, 5, 100);
    ndft_plan *plan = plan_on(on, &s, &most), *clone;
    as_if_new(on, other, plan, &s);
    must(ndft_plan_clone(plan, &clone));
    const int before = taken[0];
    for (int turn = 1; turn < 6; turn++) {
        acquire(&s, 120 * turn, turn, 200 * (5 - turn));
        set(turn % 2 ? plan : clone, &s);
        as_if_new(on, other, turn % 2 ? plan : clone, &s);
    }
    set(plan, &most);
    as_if_new(on, other, plan, &most);
    acquire(&s, 8 * MOST, 3, 900);
    assert_int_equal(ndft_plan_set_samples(plan, 8 * MOST, s.desc.k, s.t), NDFT_ENOMEM);
    said("more than the plan keeps");
    as_if_new(on, other, plan, &most);
    set(clone, &most);
    as_if_new(on, other, clone, &most);
    assert_int_equal(taken[0], before);
    ndft_plan_destroy(plan);
    ndft_plan_destroy(clone);
    ndft_device_close(on);
    ndft_device_close(other);
}

/* Spokes at one angle more: as many samples, which need longer lists than those before. */
static void turn_spokes(scan *s, double angle)
{
    enum { SPOKE = 70 };
    for (int j = 0; j < MOST; j++) {
        const double r = (j % SPOKE - SPOKE / 2) * 30.0 / SPOKE;
        s->k[0][j] = (float)(r * cos(angle + j / SPOKE));
        s->k[1][j] = (float)(r * sin(angle + j / SPOKE));
    }
}

static void a_capacity_takes_its_scan_turned(void **state)
{
    (void)state;
    static scan s, most;
    int taken = 0;
    ndft_device *on = counting_device(&taken), *other = counting_device(&taken);
    acquire(&most, MOST, 9, 100);
    turn_spokes(&most, 0);
    ndft_plan *plan = plan_on(on, &most, &most);
    acquire(&s, MOST, 9, 100);
    for (int turn = 1; turn < 12; turn++) {
        turn_spokes(&s, 0.13 * turn);
        const int before = taken;
        set(plan, &s);
        assert_int_equal(taken, before);
        as_if_new(on, other, plan, &s);
    }
    ndft_plan_destroy(plan);
    ndft_device_close(on);
    ndft_device_close(other);
}

/* Without one a plan takes what new values need. */
static void memory_follows_the_values(void **state)
{
    (void)state;
    static scan s;
    int taken = 0;
    ndft_device *on = counting_device(&taken), *other = counting_device(&taken);
    acquire(&s, 100, 3, 50);
    ndft_plan *plan = plan_on(on, &s, NULL);
    const size_t before = held_by(on);
    acquire(&s, 8 * MOST, 3, 900);
    set(plan, &s);
    as_if_new(on, other, plan, &s);
    assert_true(held_by(on) > before + 7 * MOST * sizeof(float));
    acquire(&s, 100, 3, 50);
    set(plan, &s);
    as_if_new(on, other, plan, &s);
    ndft_plan_destroy(plan);
    assert_int_equal(held_by(on), 0);
    ndft_device_close(on);
    ndft_device_close(other);
}

static void a_capacity_of_something_else(void **state)
{
    (void)state;
    static scan s;
    ndft_problem *problem, *most;
    ndft_plan *plan;
    acquire(&s, 100, 3, 50);
    must(ndft_problem_create(device, &s.desc, &problem));
    s.desc.coils = 2;
    must(ndft_problem_create(device, &s.desc, &most));
    const ndft_plan_options o = {.struct_size = sizeof o, .capacity = most};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan), NDFT_EINVAL);
    said("another number of coils");
    ndft_problem_destroy(problem);
    ndft_problem_destroy(most);
}

/* On the grid one engine is the fastest that can do nothing else. */
static void the_engine_serves_the_capacity(void **state)
{
    (void)state;
    enum { N = 64 };
    static float k[2][N * N], wild[2][N * N];
    for (int j = 0; j < N * N; j++) {
        k[0][j] = (float)(j % N - N / 2);
        k[1][j] = (float)(j / N - N / 2);
        wild[0][j] = (float)(31 * sin(1.7 * j));
        wild[1][j] = (float)(31 * cos(2.3 * j));
    }
    ndft_problem_desc desc = {
        .struct_size = sizeof desc, .dim = 2, .n = {N, N}, .n_samples = N * N, .k = {k[0], k[1]}};
    ndft_problem *problem, *most;
    ndft_plan *plan;
    must(ndft_problem_create(device, &desc, &problem));
    desc.k[0] = wild[0];
    desc.k[1] = wild[1];
    must(ndft_problem_create(device, &desc, &most));
    const ndft_plan_options o = {.struct_size = sizeof o, .capacity = most};
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
    must(ndft_plan_set_samples(plan, N * N, (const void *[]){wild[0], wild[1]}, NULL));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_problem_destroy(most);
}

enum { FEW = 700, MANY = 1 << 17 };

static float rows[2][MANY];
static float complex there[2][MANY];

/* A plan of a row of voxels; moved: samples elsewhere. */
static ndft_plan *row_plan(int samples, float moved)
{
    ndft_problem *problem;
    ndft_plan *plan;
    for (int j = 0; j < samples; j++) rows[0][j] = (float)(7 * sin(0.3 * j + moved));
    const ndft_problem_desc desc = {
        .struct_size = sizeof desc, .dim = 1, .n = {16}, .n_samples = samples, .k = {rows[0]}};
    const ndft_plan_options o = {.struct_size = sizeof o,
                                 .variant = on_device(has_fft() ? "nufft_hybrid" : "tiled")};
    must(ndft_problem_create(device, &desc, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan));
    ndft_problem_destroy(problem);
    return plan;
}

/* New samples that are on the device: as if they had been there from the first. */
static void samples_on_the_device(void **state)
{
    (void)state;
    float complex image[16];
    float *k = device_take(MANY * sizeof *k);
    for (int v = 0; v < 16; v++) image[v] = (float complex)mixed(v);
    for (int round = 0; round < 4; round++) {
        const int samples = round % 2 ? MANY : FEW;
        ndft_plan *moved = row_plan(samples, 0), *fresh = row_plan(samples, 1 + (float)round);
        const size_t bytes = (size_t)samples * sizeof *k;
        device_copy(k, rows[0], bytes);
        must(ndft_plan_set_samples(moved, samples, (const void *[]){k}, NULL));
        device_copy(k, rows[1], bytes); /* the plan has what it needs */
        must(ndft_execute_host(moved, NDFT_FORWARD, image, there[0]));
        must(ndft_execute_host(fresh, NDFT_FORWARD, image, there[1]));
        assert_memory_equal(there[0], there[1], (size_t)samples * sizeof *there[0]);
        rows[0][samples - 1] = round < 2 ? (float)NAN : 1e30F;
        device_copy(k, rows[0], bytes);
        assert_int_equal(ndft_plan_set_samples(moved, samples, (const void *[]){k}, NULL),
                         NDFT_EINVAL);
        said(samples == MANY ? " at element 131071;" : " at element 699;");
        ndft_plan_destroy(moved);
        ndft_plan_destroy(fresh);
    }
    device_give(k);
}

/* However many: they may be sorted in another way than all of them. */
static void fewer_samples_fit(void **state)
{
    (void)state;
    enum { ALL = 300000 };
    static float k[ALL];
    for (int j = 0; j < ALL; j++) k[j] = (float)(7 * sin(0.3 * j));
    const ndft_problem_desc desc = {
        .struct_size = sizeof desc, .dim = 1, .n = {16}, .n_samples = ALL, .k = {k}};
    ndft_problem *problem;
    ndft_plan *plan;
    must(ndft_problem_create(device, &desc, &problem));
    const ndft_plan_options o = {.struct_size = sizeof o,
                                 .variant = on_device(has_fft() ? "nufft_hybrid" : "tiled"),
                                 .capacity = problem};
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
    for (int n = ALL; n > 100; n -= n / 3)
        must(ndft_plan_set_samples(plan, n, (const void *[]){k}, NULL));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_capacity_no_memory_is_taken),
        cmocka_unit_test(a_capacity_takes_its_scan_turned),
        cmocka_unit_test(memory_follows_the_values),
        cmocka_unit_test(a_capacity_of_something_else),
        cmocka_unit_test(the_engine_serves_the_capacity),
        cmocka_unit_test(samples_on_the_device),
        cmocka_unit_test(fewer_samples_fit),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
