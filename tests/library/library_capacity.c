/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

/* What memory a live plan takes, for new values and for its workspace. */

/* Memory of which the user counts how often it was taken. */
static void *counted(size_t bytes, void *user)
{
    ++*(int *)user;
    return device_take(bytes);
}

static void uncounted(void *memory, void *user)
{
    (void)user;
    device_give(memory);
}

/* Whose plans take memory that is counted. */
static ndft_device *counting_device(int *taken)
{
    ndft_device *counting;
    const ndft_device_options o = {
        .struct_size = sizeof o, .alloc = counted, .release = uncounted, .user = taken};
    must(ndft_device_open(device_name(), &o, &counting));
    return counting;
}

enum { SIDE = 32, MOST = 700 };

typedef struct scan {
    float k[2][8 * MOST], t[8 * MOST], field[SIDE * SIDE];
    ndft_problem_desc desc;
} scan;

/* A spiral that turns so often, off resonance by up to so many rad/s. */
static void acquire(scan *s, int samples, double turns, double off)
{
    for (int j = 0; j < samples; j++) {
        const double a = (j + 0.5) / samples;
        s->k[0][j] = (float)(15 * a * cos(2 * M_PI * turns * a));
        s->k[1][j] = (float)(15 * a * sin(2 * M_PI * turns * a));
        s->t[j] = (float)(0.01 * a);
    }
    for (int v = 0; v < SIDE * SIDE; v++) s->field[v] = (float)(off * sin(0.05 * v));
    s->desc = (ndft_problem_desc){.struct_size = sizeof s->desc,
                                  .dim = 2,
                                  .n = {SIDE, SIDE},
                                  .n_samples = samples,
                                  .k = {s->k[0], s->k[1]},
                                  .t = s->t,
                                  .field = s->field};
}

/* A nonuniform FFT where the device has them, else exact sums. */
static ndft_plan *plan_on(ndft_device *on, const scan *s, const scan *capacity)
{
    ndft_problem *problem, *most = NULL;
    ndft_plan *plan;
    must(ndft_problem_create(on, &s->desc, &problem));
    if (capacity) must(ndft_problem_create(on, &capacity->desc, &most));
    const ndft_plan_options o = {.struct_size = sizeof o,
                                 .variant = on_device(has_fft() ? "nufft_hybrid" : "tiled"),
                                 .capacity = most};
    must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
    ndft_problem_destroy(problem);
    ndft_problem_destroy(most);
    return plan;
}

/* Forward, and back. */
static void both_ways(ndft_device *on, ndft_plan *plan, float complex *samples, float complex *back)
{
    static float complex m[SIDE * SIDE];
    float complex *image = device_take(sizeof m), *there = device_take(8 * MOST * sizeof *there);
    for (int v = 0; v < SIDE * SIDE; v++) m[v] = (float complex)mixed(v);
    device_copy(image, m, sizeof m);
    must(ndft_execute(plan, NDFT_FORWARD, image, there));
    must(ndft_execute(plan, NDFT_ADJOINT, there, image));
    must(ndft_device_sync(on));
    device_copy(samples, there, 8 * MOST * sizeof *there);
    device_copy(back, image, sizeof m);
    device_give(image);
    device_give(there);
}

/* What a plan gives is what one gives that was made of these values. */
static void as_if_new(ndft_device *of, ndft_device *on, ndft_plan *plan, const scan *s)
{
    static float complex samples[2][8 * MOST], back[2][SIDE * SIDE];
    ndft_plan *fresh = plan_on(on, s, NULL);
    both_ways(of, plan, samples[0], back[0]);
    both_ways(on, fresh, samples[1], back[1]);
    assert_memory_equal(samples[0], samples[1], (size_t)s->desc.n_samples * sizeof *samples[0]);
    assert_memory_equal(back[0], back[1], sizeof back[0]);
    ndft_plan_destroy(fresh);
}

static void set(ndft_plan *plan, const scan *s)
{
    must(ndft_plan_set_samples(plan, s->desc.n_samples, s->desc.k, s->t));
    must(ndft_plan_set_field(plan, s->field));
}

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

static size_t held_by(ndft_device *on)
{
    size_t held, most;
    must(ndft_device_memory(on, &held, &most));
    return held;
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

static void spoil(void *memory, size_t bytes)
{
    void *spoilt = malloc(bytes);
    memset(spoilt, 0xff, bytes);
    device_copy(memory, spoilt, bytes);
    free(spoilt);
}

/* Whose executions are one after the other. */
static void two_plans_share_a_workspace(void **state)
{
    (void)state;
    static scan s[2], most;
    int taken = 0;
    size_t bytes[2];
    void *memory;
    ndft_plan *plan[2];
    ndft_device *on = counting_device(&taken), *other = counting_device(&taken);
    acquire(&most, MOST, 9, 900);
    for (int i = 0; i < 2; i++) {
        acquire(&s[i], 150 + 400 * i, 4, 100);
        plan[i] = plan_on(on, &s[i], &most);
        must(ndft_plan_workspace(plan[i], &bytes[i]));
    }
    if (has_fft()) assert_true(bytes[0] >= 4 * SIDE * SIDE * sizeof(float complex));
    assert_int_equal(bytes[0], bytes[1]); /* both have the same capacity */
    memory = counted(bytes[0] + 256, &taken);
    const size_t held = held_by(on);
    for (int i = 0; i < 2; i++) must(ndft_plan_use(plan[i], memory, bytes[i]));
    assert_true(held_by(on) <= held - 2 * bytes[0]);
    for (int turn = 0; turn < 3; turn++) {
        const int before = taken;
        for (int i = 0; i < 2; i++) set(plan[i], turn ? &most : &s[i]);
        assert_int_equal(taken, before);
        for (int i = 0; i < 2; i++) as_if_new(on, other, plan[i], turn ? &most : &s[i]);
    }
    assert_int_equal(ndft_plan_use(plan[0], memory, bytes[0] - 1), NDFT_EINVAL);
    said("the plan's workspace takes");
    assert_int_equal(ndft_plan_use(plan[0], (char *)memory + 16, bytes[0]), NDFT_EINVAL);
    said("memory is 16 bytes past a multiple of 256");
    as_if_new(on, other, plan[0], &most);
    for (int i = 0; i < 2; i++) must(ndft_plan_use(plan[i], NULL, 0));
    spoil(memory, bytes[0]);
    for (int i = 0; i < 2; i++) as_if_new(on, other, plan[i], &most);
    for (int i = 0; i < 2; i++) set(plan[i], &s[i]);
    assert_int_equal(held_by(on), held);
    for (int i = 0; i < 2; i++) ndft_plan_destroy(plan[i]);
    device_give(memory);
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

/* Memory of which there are so many pieces more. */
static void *granted(size_t bytes, void *user)
{
    int *left = user;
    if (*left == 0) return NULL;
    --*left;
    return device_take(bytes);
}

static void forward(ndft_device *on, ndft_plan *plan, const void *from, void *to, void *samples,
                    size_t bytes)
{
    must(ndft_execute(plan, NDFT_FORWARD, from, to));
    must(ndft_device_sync(on));
    device_copy(samples, to, bytes);
}

/* A workspace that the plan cannot have of its own remains what it was lent. */
static void no_memory_for_its_own_workspace(void **state)
{
    (void)state;
    static scan s, most;
    static float complex image[SIDE * SIDE], first[MOST], again[MOST];
    void *from = device_take(sizeof image);
    float complex *to = device_take(sizeof first);
    acquire(&s, MOST, 20, 300);
    acquire(&most, 8 * MOST, 20, 300);
    for (int v = 0; v < SIDE * SIDE; v++) image[v] = (float)(v % 7);
    device_copy(from, image, sizeof image);
    for (int grant = 0; grant < 12; grant++) {
        int left = -1;
        size_t bytes;
        ndft_device *on;
        ndft_problem *problem, *capacity;
        ndft_plan *plan;
        const ndft_device_options given = {
            .struct_size = sizeof given, .alloc = granted, .release = uncounted, .user = &left};
        must(ndft_device_open(device_name(), &given, &on));
        must(ndft_problem_create(on, &s.desc, &problem));
        must(ndft_problem_create(on, &most.desc, &capacity));
        const ndft_plan_options o = {
            .struct_size = sizeof o, .capacity = capacity, .variant = on_device("tiled")};
        must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
        must(ndft_plan_workspace(plan, &bytes));
        void *lent = device_take(bytes);
        must(ndft_plan_use(plan, lent, bytes));
        forward(on, plan, from, to, first, sizeof first);
        left = grant;
        const ndft_status status = ndft_plan_use(plan, NULL, 0);
        assert_true(status == NDFT_OK || status == NDFT_ENOMEM);
        left = -1;
        forward(on, plan, from, to, again, sizeof again);
        assert_memory_equal(first, again, sizeof again);
        ndft_plan_destroy(plan);
        ndft_problem_destroy(problem);
        ndft_problem_destroy(capacity);
        ndft_device_close(on);
        device_give(lent);
    }
    device_give(from);
    device_give(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_capacity_no_memory_is_taken),
        cmocka_unit_test(memory_follows_the_values),
        cmocka_unit_test(two_plans_share_a_workspace),
        cmocka_unit_test(a_capacity_of_something_else),
        cmocka_unit_test(the_engine_serves_the_capacity),
        cmocka_unit_test(no_memory_for_its_own_workspace),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
