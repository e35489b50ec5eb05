/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

/* A live plan's workspace of the caller's memory. */

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

/* What it says that it needs is enough, before and after, where it has no capacity. */
static void without_a_capacity(void **state)
{
    (void)state;
    static scan s;
    int taken = 0;
    size_t bytes, again;
    ndft_device *on = counting_device(&taken), *other = counting_device(&taken);
    acquire(&s, MOST, 9, 900);
    ndft_plan *plan = plan_on(on, &s, NULL);
    must(ndft_plan_workspace(plan, &bytes));
    assert_true(bytes > 0);
    void *memory[] = {device_take(bytes), device_take(bytes)};
    for (int i = 0; i < 2; i++) {
        must(ndft_plan_use(plan, memory[i], bytes));
        must(ndft_plan_workspace(plan, &again));
        assert_int_equal(again, bytes);
        assert_int_equal(ndft_plan_use(plan, memory[1 - i], bytes - 1), NDFT_EINVAL);
        as_if_new(on, other, plan, &s);
    }
    ndft_plan_destroy(plan);
    for (int i = 0; i < 2; i++) device_give(memory[i]);
    ndft_device_close(on);
    ndft_device_close(other);
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

/* New samples for which there is no memory: the plan is as it was, whatever it finds by timing. */
static void no_memory_for_new_samples(void **state)
{
    (void)state;
    if (!has_fft()) skip();
    enum { FEW = 40, MANY = 300, VOXELS = 64 };
    static double k[2][MANY];
    static double complex image[VOXELS], first[FEW], again[FEW];
    const int count[2] = {FEW, MANY};
    char text[1024];
    void *from = device_take(sizeof image), *to = device_take(MANY * sizeof *first);
    for (int v = 0; v < VOXELS; v++) image[v] = v % 7;
    device_copy(from, image, sizeof image);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < count[i]; j++) k[i][j] = j - count[i] / 2;
    for (int grant = 0; grant < 4; grant++) {
        int left = -1;
        ndft_device *on;
        ndft_problem *problem;
        ndft_plan *plan;
        const ndft_device_options given = {
            .struct_size = sizeof given, .alloc = granted, .release = uncounted, .user = &left};
        const ndft_problem_desc desc = {.struct_size = sizeof desc,
                                        .dim = 1,
                                        .n = {VOXELS},
                                        .prec = NDFT_F64,
                                        .n_samples = FEW,
                                        .k = {k[0]}};
        const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("chirp_z")};
        must(ndft_device_open(device_name(), &given, &on));
        must(ndft_problem_create(on, &desc, &problem));
        must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan));
        forward(on, plan, from, to, first, sizeof first);
        left = grant;
        const ndft_status status =
            ndft_plan_set_samples(plan, MANY, (const void *[]){k[1], NULL, NULL}, NULL);
        assert_true(status == NDFT_ENOMEM || (status == NDFT_OK && grant > 0));
        must(ndft_plan_describe(plan, text, sizeof text));
        forward(on, plan, from, to, again, sizeof again);
        if (status == NDFT_ENOMEM) assert_memory_equal(first, again, sizeof again);
        left = -1;
        ndft_plan_destroy(plan);
        ndft_problem_destroy(problem);
        ndft_device_close(on);
    }
    device_give(from);
    device_give(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_plans_share_a_workspace),
        cmocka_unit_test(without_a_capacity),
        cmocka_unit_test(no_memory_for_its_own_workspace),
        cmocka_unit_test(no_memory_for_new_samples),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
