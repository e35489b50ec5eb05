/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/turn.h"
#include "grouped.h"
#include "ranks.h"

/* Groups whose devices are of several processes: this program once more for each rank. On GPUs each
 * rank has one of its own, and messages go by NCCL. */

/* Devices of one process with which the bits are compared. */
static ndft_group_plan *alone_plan(const small *s, int parts, ndft_group_split split,
                                   const ndft_device_options *each)
{
    ndft_group *group;
    must(try_group(parts ? 1 : size, parts, each, &group));
    ndft_group_plan *plan = rank_plan(group, s, split);
    ndft_group_destroy(group);
    return plan;
}

/* This rank's part of the output is that of the whole. */
static void expect_own_part(const small *s, ndft_group_plan *plan, ndft_op op, double complex *in,
                            double complex *right)
{
    static double complex own[COILS * GRID], part_of_right[COILS * GRID];
    const int images = s->desc.maps ? 1 : COILS;
    const bool adjoint = op == NDFT_ADJOINT, forward = op == NDFT_FORWARD;
    ndft_group_part part;
    void *from = device_take(sizeof own), *to = device_take(sizeof own);
    must(ndft_group_part_of(plan, op, rank, false, &part));
    move_part(s, &part, adjoint ? SAMPLES : s->voxels, adjoint ? COILS : images, in, own, false);
    device_copy(from, own, sizeof own);
    must(ndft_group_execute_parts(plan, op, (const void *const *)&from, &to));
    device_copy(own, to, sizeof own);
    must(ndft_group_part_of(plan, op, rank, true, &part));
    move_part(s, &part, forward ? SAMPLES : s->voxels, forward ? COILS : images, right,
              part_of_right, false);
    assert_memory_equal(own, part_of_right, (size_t)part.coils * (size_t)part.length * sizeof *own);
    device_give(from);
    device_give(to);
}

static void expect_same_bits(ndft_communicator *c, const small *s, int parts,
                             ndft_group_split split)
{
    static double complex in[COILS * GRID], out[COILS * GRID], right[COILS * GRID];
    const ndft_device_options one = {.struct_size = sizeof one, .threads = 1};
    const ndft_device_options *each = parts || strcmp(device_name(), "cpu") ? NULL : &one;
    ndft_group *group;
    must(ndft_group_join(c, name_of(0), parts, each, &group));
    ndft_group_plan *plan = rank_plan(group, s, split), *alone = alone_plan(s, parts, split, each);
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        fill(in, length_of(s, op, true));
        memset(out, 0xff, sizeof out);
        execute_both(s, plan, op, in, out);
        execute_both(s, alone, op, in, right);
        assert_memory_equal(out, right, (size_t)length_of(s, op, false) * sizeof *out);
        expect_own_part(s, plan, op, in, right);
    }
    ndft_group_plan_destroy(plan);
    ndft_group_plan_destroy(alone);
    ndft_group_destroy(group);
}

static void expect_all_splits(ndft_communicator *c, const small *s, int parts)
{
    const int most = parts ? parts : size;
    for (int split = NDFT_SPLIT_AUTO; split <= NDFT_SPLIT_SAMPLES; split++)
        if (split != NDFT_SPLIT_COILS || (most <= COILS && s->desc.layout == NDFT_PLANAR))
            expect_same_bits(c, s, parts, (ndft_group_split)split);
}

static void same_bits(void)
{
    static small s;
    static double complex maps[COILS * GRID];
    ndft_communicator *c = connected(0);
    const bool is_power = !(size & (size - 1));
    small_make(&s, 5);
    for (int i = 0; i < COILS * GRID; i++) maps[i] = mixed(5 * i);
    for (int layout = NDFT_PLANAR; layout <= NDFT_INTERLEAVED; layout++)
        for (int mapped = 0; mapped < 2; mapped++) {
            if (!has_turn(2 * layout + mapped)) continue;
            s.desc.layout = (ndft_layout)layout;
            s.desc.maps = mapped ? maps : NULL;
            if (is_power) expect_all_splits(c, &s, 8);
            if (is_power && size != 8) expect_all_splits(c, &s, size);
            if (is_power) expect_all_splits(c, &s, 0);
        }
    ndft_communicator_destroy(c);
}

/* Three have no tree of their own: sums are the same on all ranks, to rounding those of one. */
static void any_number(void)
{
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID], right[COILS * GRID];
    ndft_communicator *c = connected(0);
    ndft_group *group;
    small_make(&s, 5);
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    ndft_group_plan *plan = rank_plan(group, &s, NDFT_SPLIT_SAMPLES);
    ndft_plan *plain = plan_of(&s, NORMAL_TOO, NULL);
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        const int64_t n = length_of(&s, op, false);
        fill(in, length_of(&s, op, true));
        execute_both(&s, plan, op, in, out);
        must(ndft_execute_host(plain, op, in, right));
        for (int64_t i = 0; i < n; i++) right[i] -= out[i];
        assert_true(complex_norm(right, n) <= 1e-9 * complex_norm(out, n));
    }
    ndft_plan_destroy(plain);
    ndft_group_plan_destroy(plan);
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

static void unlike(ndft_status status, const char *words)
{
    assert_int_equal(status, NDFT_EINVAL);
    said(words);
    said("rank 0 has ");
    said("rank 1 has ");
}

/* Rank 1 has a thread more, or asks for something else. */
static void refused(void)
{
    static small s;
    ndft_communicator *c = connected(0);
    ndft_group *group, *other;
    ndft_group_plan *plan;
    ndft_problem *problem;
    unlike(ndft_group_join(c, name_of(0), rank == 1 ? size : 0, NULL, &group), " parts");
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    assert_int_equal(ndft_group_join(c, rank == 1 ? "cqu" : name_of(0), 0, NULL, &other),
                     NDFT_EINVAL);
    said(rank == 1 ? "there is no device 'cqu'" : "rank 1: there is no device 'cqu'");
    small_make(&s, 5);
    if (rank == 1) s.desc.n_samples--;
    must(ndft_problem_create(device, &s.desc, &problem));
    unlike(ndft_group_plan_create(group, problem, NDFT_FORWARD, NULL, &plan), "39 samples");
    assert_null(plan);
    s.desc.n_samples = 1;
    ndft_problem_destroy(problem);
    must(ndft_problem_create(device, &s.desc, &problem));
    const ndft_group_plan_options o = {.struct_size = sizeof o, .split = NDFT_SPLIT_SAMPLES};
    assert_int_equal(ndft_group_plan_create(group, problem, NDFT_FORWARD, &o, &plan), NDFT_EINVAL);
    said("less than one for each of");
    ndft_problem_destroy(problem);
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

static void expect_unlike_plans(ndft_group *group, const small *s, const ndft_plan_options *each,
                                const char *words)
{
    const ndft_group_plan_options o = {.struct_size = sizeof o, .each = each};
    ndft_problem *problem;
    ndft_group_plan *plan;
    must(ndft_problem_create(device, &s->desc, &problem));
    unlike(ndft_group_plan_create(group, problem, NDFT_NORMAL, &o, &plan), words);
    assert_null(plan);
    ndft_problem_destroy(problem);
}

/* Rank 1 has other values of what is as long: of each kind of array, and of what a plan is told. */
static void other_values(void)
{
    static small s;
    static double complex maps[COILS * GRID];
    ndft_plan_options each = {.struct_size = sizeof each};
    ndft_communicator *c = connected(0);
    ndft_group *group;
    small_make(&s, 5);
    for (int i = 0; i < COILS * GRID; i++) maps[i] = mixed(5 * i);
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    double *const values[] = {&s.kx[7], &s.ky[SAMPLES - 1], &s.t[3], &s.field[GRID - 2],
                              (double *)&maps[9]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double right = *values[i];
        s.desc.maps = i == 4 ? maps : NULL;
        if (rank == 1) *values[i] = nextafter(right, 1);
        expect_unlike_plans(group, &s, NULL, "a plan of 40 samples (");
        *values[i] = right;
    }
    if (rank == 1) s.mask[0] = 0, s.mask[2] = 1;
    expect_unlike_plans(group, &s, NULL, " voxels (");
    if (rank == 1) s.mask[0] = 1, s.mask[2] = 0, s.desc.tol = 1e-10;
    expect_unlike_plans(group, &s, NULL, ", tol=1e-10");
    s.desc.tol = 1e-11;
    each.deterministic = rank == 1;
    expect_unlike_plans(group, &s, &each, ", deterministic");
    each = (ndft_plan_options){.struct_size = sizeof each, .variant = "naive.cpu"};
    expect_unlike_plans(group, &s, rank ? NULL : &each, ", by naive.cpu");
    ndft_group_plan_destroy(rank_plan(group, &s, NDFT_SPLIT_AUTO)); /* alike at last */
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

/* Ranks make calls whose messages are as long: none is told that it went well. */
static void expect_found_out(ndft_op op, int plan, const char *words)
{
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID];
    ndft_communicator *c = connected(2);
    ndft_group *group;
    ndft_group_plan *plans[2];
    small_make(&s, 5);
    fill(in, COILS * GRID);
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    for (int i = 0; i < 2; i++) plans[i] = rank_plan(group, &s, NDFT_SPLIT_SAMPLES);
    must(ndft_group_execute_host(plans[0], NDFT_NORMAL, in, out)); /* alike */
    assert_int_equal(ndft_group_execute_host(plans[plan], op, in, out), NDFT_EDEVICE);
    if (!strstr(ndft_message(), " is gone")) said(words); /* whoever finds it first */
    for (int i = 0; i < 2; i++) ndft_group_plan_destroy(plans[i]);
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

static void other_operation(void)
{
    expect_found_out(rank ? NDFT_NORMAL : NDFT_ADJOINT, 0,
                     rank ? "rank 0 of 2 is at call " : ", normal of plan 1, with ");
}

static void other_plan(void)
{
    expect_found_out(NDFT_ADJOINT, rank, rank ? ", adjoint of plan 1, " : ", adjoint of plan 2, ");
}

static void unequal(void)
{
    ndft_communicator *c = connected(0);
    ndft_group *group;
    unlike(ndft_group_join(c, name_of(0), 0, NULL, &group), "c-");
    ndft_communicator_destroy(c);
}

static void the_same_bits_on_1_2_4_8_ranks(void **state)
{
    (void)state;
    for (int n = 1; n <= most_ranks(); n *= 2) expect_all_pass(start_ranks("bits", n, NULL));
}

static void by_an_id(void **state)
{
    (void)state;
    if (!give_id()) skip();
    expect_all_pass(start_ranks("bits", 2, NULL));
    unsetenv("NDFT_TEST_ID");
}

static void by_the_callers_own(void **state)
{
    (void)state;
    if (!give_id()) skip();
    expect_all_pass(start_ranks("bits", 2, "NDFT_TEST_OWN"));
    unsetenv("NDFT_TEST_ID");
}

static void any_number_of_ranks(void **state)
{
    (void)state;
    if (most_ranks() >= 3) expect_all_pass(start_ranks("number", 3, NULL));
    if (most_ranks() >= 7) expect_all_pass(start_ranks("number", 7, NULL));
}

/* Each has a name of its own of what is listed. */
static void a_device_for_each(void **state)
{
    (void)state;
    if (strcmp(name_of(0), "cpu") != 0) skip();
    setenv("NDFT_TEST_DEVICE", "cpu,cpu", 1);
    expect_all_pass(start_ranks("bits", 2, NULL));
    setenv("NDFT_TEST_DEVICE", "cpu", 1);
}

static void unlike_ranks_are_refused(void **state)
{
    (void)state;
    expect_all_pass(start_ranks("refused", 2, NULL));
    if (!strcmp(name_of(0), "cpu")) expect_all_pass(start_ranks("unequal", 2, "OMP_NUM_THREADS"));
}

static void calls_that_differ_are_found_out(void **state)
{
    (void)state;
    expect_all_pass(start_ranks("values", 2, NULL));
    expect_all_pass(start_ranks("operation", 2, NULL));
    expect_all_pass(start_ranks("plan", 2, NULL));
}

/* No sockets, no messages. */
static void one_rank_is_the_plain_plan(void **state)
{
    (void)state;
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID], right[COILS * GRID];
    const ndft_communicator_options o = {.struct_size = sizeof o, .size = 1};
    ndft_communicator *c;
    ndft_group *group;
    small_make(&s, 9);
    must(ndft_communicator_create(&o, &c));
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    ndft_communicator_destroy(c);
    ndft_group_plan *plan = rank_plan(group, &s, NDFT_SPLIT_AUTO);
    ndft_plan *plain = plan_of(&s, NORMAL_TOO, NULL);
    fill(in, length_of(&s, NDFT_FORWARD, true));
    must(ndft_execute_host(plain, NDFT_FORWARD, in, right));
    execute_both(&s, plan, NDFT_FORWARD, in, out);
    assert_memory_equal(out, right, (size_t)length_of(&s, NDFT_FORWARD, false) * sizeof *out);
    ndft_plan_destroy(plain);
    ndft_group_plan_destroy(plan);
    ndft_group_destroy(group);
}

int main(void)
{
    static const rank_work work[] = {{"bits", same_bits},      {"number", any_number},
                                     {"refused", refused},     {"unequal", unequal},
                                     {"values", other_values}, {"operation", other_operation},
                                     {"plan", other_plan}};
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_on_1_2_4_8_ranks),
        cmocka_unit_test(by_an_id),
        cmocka_unit_test(by_the_callers_own),
        cmocka_unit_test(any_number_of_ranks),
        cmocka_unit_test(a_device_for_each),
        cmocka_unit_test(unlike_ranks_are_refused),
        cmocka_unit_test(calls_that_differ_are_found_out),
        cmocka_unit_test(one_rank_is_the_plain_plan),
    };
    return run_ranks(work, sizeof work / sizeof *work, tests, sizeof tests / sizeof *tests);
}
