/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

/* Plans while they live: new samples, fields and masks, executions in two parts. */

static double complex image[COILS * GRID], samples[COILS * SAMPLES], back[COILS * GRID];

static void move_samples(small *s, int seed)
{
    for (int j = 0; j < SAMPLES; j++) {
        s->kx[j] = 4 * cos(0.9 * j + seed);
        s->ky[j] = 3 * sin(2.1 * j + seed);
        s->t[j] = 2e-3 * (j % 7);
    }
}

static void new_samples(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 21);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    for (int seed = 0; seed < 3; seed++) {
        move_samples(&s, seed);
        must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
        expect_sums(&s, plan);
    }
    ndft_plan_destroy(plan);
}

/* A clock that is the same again but at one sample, or not given, as before. */
static void another_clock(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 28);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    s.t[SAMPLES - 1] = 5e-3;
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
    s.desc.t = s.desc.field = NULL;
    for (int v = 0; v < GRID; v++) s.field[v] = 0;
    plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    for (int seed = 2; seed < 4; seed++) {
        move_samples(&s, seed);
        must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, NULL));
        expect_sums(&s, plan);
    }
    ndft_plan_destroy(plan);
}

static double estimate_of(const ndft_plan *plan)
{
    char text[4096];
    must(ndft_plan_describe(plan, text, sizeof text));
    const char *at = strstr(text, "\"estimated_s\":");
    assert_non_null(at);
    return strtod(at + strlen("\"estimated_s\":"), NULL);
}

/* What is said of a plan is of the values that it has. */
static void described_anew(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 29);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, NULL);
    const double before = estimate_of(plan);
    must(ndft_plan_set_samples(plan, 2, s.desc.k, s.t));
    assert_true(estimate_of(plan) < before);
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    assert_true(estimate_of(plan) == before);
    ndft_plan_destroy(plan);
}

/* The first of them alone: planar vectors are shorter then. */
static void fewer_samples(void **state)
{
    (void)state;
    enum { FEWER = 11 };
    static small s;
    small_make(&s, 22);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD, NULL);
    small_image(&s, image);
    must(ndft_plan_set_samples(plan, FEWER, s.desc.k, s.t));
    memset(samples, 0, sizeof samples);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    for (int c = COILS - 1; c >= 0; c--)
        memmove(samples + c * SAMPLES, samples + c * FEWER, FEWER * sizeof *samples);
    for (int j = 0; j < FEWER; j++) {
        double complex sum = 0;
        for (int v = 0; v < s.voxels; v++) sum += small_entry(&s, j, v) * s.image[1][v];
        assert_true(cabs(samples[SAMPLES + j] - sum) < 1e-8);
    }
    ndft_plan_destroy(plan);
}

static void a_new_field(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 23);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    for (int v = 0; v < GRID; v++) s.field[v] = 500 * sin(0.3 * v);
    must(ndft_plan_set_field(plan, s.field));
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
    s.desc.field = NULL; /* where there was none */
    plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    must(ndft_plan_set_field(plan, s.field));
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
}

/* What is not new stays, decay among it. */
static void decay_stays(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 26);
    s.desc.decay = s.decay;
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    expect_sums(&s, plan);
    move_samples(&s, 5);
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    expect_sums(&s, plan);
    for (int v = 0; v < GRID; v++) s.field[v] = 500 * sin(0.3 * v);
    must(ndft_plan_set_field(plan, s.field));
    expect_sums(&s, plan);
    s.t[3] = -1e-3;
    assert_int_equal(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t), NDFT_EINVAL);
    said("t is -0.001 at element 3");
    s.t[3] = 6e-3;
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
}

static void a_new_mask(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 24);
    expect_new_masks(&s, plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL));
    small_make(&s, 27);
    s.desc.decay = s.decay;
    expect_new_masks(&s, plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL));
}

/* Whatever is refused, the plan is as it was, and so is its clone whatever is not. */
static void refused(void **state)
{
    (void)state;
    static small s;
    static double bad[GRID];
    static unsigned char nothing[GRID];
    ndft_plan *plan, *clone;
    small_make(&s, 25);
    plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    must(ndft_plan_clone(plan, &clone));
    bad[3] = NAN; /* of the grid, where the mask leaves out number 2 */
    assert_int_equal(ndft_plan_set_field(plan, bad), NDFT_EINVAL);
    said("field is nan at element 3;");
    assert_int_equal(ndft_plan_set_mask(plan, nothing), NDFT_EINVAL);
    said("mask is 0 everywhere");
    assert_int_equal(ndft_plan_set_samples(plan, 0, s.desc.k, s.t), NDFT_EINVAL);
    said("n_samples=0");
    assert_int_equal(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, NULL), NDFT_EINVAL);
    said("t is NULL");
    s.desc.t = s.desc.field = NULL;
    ndft_plan *timeless = plan_of(&s, NDFT_FORWARD, NULL);
    assert_int_equal(ndft_plan_set_field(timeless, s.field), NDFT_EINVAL);
    said("t is NULL, but field needs times");
    ndft_plan_destroy(timeless);
    s.desc.t = s.t, s.desc.field = s.field;
    assert_int_equal(ndft_plan_set_samples(plan, SAMPLES, NULL, s.t), NDFT_EINVAL);
    assert_int_equal(ndft_plan_set_field(NULL, bad), NDFT_EINVAL);
    s.kx[5] = 1e30;
    assert_int_equal(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t), NDFT_EINVAL);
    said("k[0] is 1e+30 at element 5");
    small_make(&s, 25);
    must(ndft_execute_host_begin(plan, NDFT_ADJOINT, s.kspace, back));
    assert_int_equal(ndft_plan_set_field(plan, s.field), NDFT_EINVAL);
    said("has begun");
    must(ndft_execute_host_end(plan));
    expect_sums(&s, plan);
    move_samples(&s, 4);
    must(ndft_plan_set_samples(plan, SAMPLES, s.desc.k, s.t));
    expect_sums(&s, plan);
    ndft_plan_destroy(plan);
    small_make(&s, 25);
    expect_sums(&s, clone);
    ndft_plan_destroy(clone);
}

/* The engine that the plan has is not exchanged for another. */
static void an_engine_that_does_not_serve(void **state)
{
    (void)state;
    enum { N = 32, M = 500 };
    static float k[2][M], t[M], field[N * N], wild[N * N];
    static float complex m[N * N], before[M], after[M];
    ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("nufft_hybrid")};
    ndft_problem_desc d = {.struct_size = sizeof d,
                           .dim = 2,
                           .n = {N, N},
                           .n_samples = M,
                           .k = {k[0], k[1]},
                           .t = t,
                           .field = field};
    ndft_problem *problem;
    ndft_plan *plan;
    if (!has_fft()) {
        puts("skipped: there is no nonuniform FFT");
        skip();
    }
    for (int j = 0; j < M; j++) {
        k[0][j] = (float)(15 * sin(3.1 * j));
        k[1][j] = (float)(15 * cos(1.7 * j));
        t[j] = (float)(1e-5 * j);
    }
    for (int v = 0; v < N * N; v++) {
        m[v] = (float complex)mixed(v);
        field[v] = (float)(300 * sin(0.05 * v));
        wild[v] = (float)(3e6 * sin(0.7 * v));
    }
    must(ndft_problem_create(device, &d, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan));
    must(ndft_execute_host(plan, NDFT_FORWARD, m, before));
    assert_int_equal(ndft_plan_set_field(plan, wild), NDFT_EUNSUPPORTED);
    said("turns");
    must(ndft_execute_host(plan, NDFT_FORWARD, m, after));
    assert_memory_equal(before, after, sizeof before);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

/* Two plans on their way at once, whose inputs are spoilt when they have begun. */
static void host_memory_in_two_parts(void **state)
{
    (void)state;
    static small s;
    static double complex images[2][COILS * GRID], sampled[2][COILS * SAMPLES];
    ndft_plan *plans[2];
    small_make(&s, 13);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2; i++) {
            small_image(&s, images[i]);
            if (!round) plans[i] = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
            memset(sampled[i], 0x7f, sizeof sampled[i]);
            must(ndft_execute_host_begin(plans[i], NDFT_FORWARD, images[i], sampled[i]));
            memset(images[i], 0x7f, sizeof images[i]);
        }
        assert_int_equal(ndft_execute_host_begin(plans[0], NDFT_ADJOINT, sampled[1], images[1]),
                         NDFT_EINVAL);
        said("has begun");
        for (int i = 0; i < 2; i++) {
            must(ndft_execute_host_end(plans[i]));
            for (int c = 0; c < COILS; c++)
                assert_true(small_error_forward(&s, c, sampled[i] + c * SAMPLES) < 1e-9);
        }
        assert_int_equal(ndft_execute_host_end(plans[0]), NDFT_EINVAL);
        said("no execution of the plan has begun");
        must(ndft_execute_host(plans[0], NDFT_ADJOINT, s.kspace, images[0])); /* other lengths */
        assert_true(small_error_adjoint(&s, 0, images[0]) < 1e-9);
    }
    must(ndft_execute_host_begin(plans[1], NDFT_ADJOINT, s.kspace, images[1])); /* never ended */
    for (int i = 0; i < 2; i++) ndft_plan_destroy(plans[i]);
    assert_int_equal(ndft_execute_host_end(NULL), NDFT_EINVAL);
}

/* What goes to the device and comes back goes in parts of a mebibyte. */
static void large_host_memory(void **state)
{
    (void)state;
    enum { N = 700, M = 600, MANY = 256 };
    static float complex m[MANY][N], s[MANY][M];
    static float k[M];
    ndft_problem_desc d = {.struct_size = sizeof d, .dim = 1, .n = {N}, .coils = MANY};
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("naive")};
    ndft_problem *problem;
    ndft_plan *plan;
    d.n_samples = M;
    d.k[0] = k;
    for (int j = 0; j < M; j++) k[j] = (float)j;
    for (int c = 0; c < MANY; c++) m[c][N / 2] = (float)(c + 1);
    must(ndft_problem_create(device, &d, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan));
    must(ndft_execute_host(plan, NDFT_FORWARD, m, s));
    for (int c = 0; c < MANY; c++)
        for (int j = 0; j < M; j++) assert_true(cabsf(s[c][j] - (float)(c + 1)) < 1e-3);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
}

static void a_uniform_transform_has_none(void **state)
{
    (void)state;
    ndft_transform transform;
    ndft_problem *problem;
    ndft_plan *plan;
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = "uniform_naive.cpu"};
    ndft_device *cpu;
    must(ndft_device_open("cpu", NULL, &cpu));
    must(ndft_transform_parse("scfo16", &transform));
    must(ndft_transform_create(cpu, &transform, NULL, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, &o, &plan));
    assert_int_equal(ndft_plan_set_field(plan, image), NDFT_EINVAL);
    said("uniform transform");
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_samples),
        cmocka_unit_test(another_clock),
        cmocka_unit_test(described_anew),
        cmocka_unit_test(fewer_samples),
        cmocka_unit_test(a_new_field),
        cmocka_unit_test(decay_stays),
        cmocka_unit_test(a_new_mask),
        cmocka_unit_test(refused),
        cmocka_unit_test(an_engine_that_does_not_serve),
        cmocka_unit_test(host_memory_in_two_parts),
        cmocka_unit_test(large_host_memory),
        cmocka_unit_test(a_uniform_transform_has_none),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
