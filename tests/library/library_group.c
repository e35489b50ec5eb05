/* SPDX-License-Identifier: Apache-2.0 */
#include "grouped.h"

/* Groups of devices against the plain plan of one, and the same bits on any number of them. */

static const ndft_group_split splits[] = {NDFT_SPLIT_AUTO, NDFT_SPLIT_COILS, NDFT_SPLIT_OUTPUTS,
                                          NDFT_SPLIT_SAMPLES};

static void expect_plain(const small *s, ndft_group_plan *group, int devices, ndft_plan *plain)
{
    static double complex in[COILS * GRID], out[COILS * GRID], right[COILS * GRID];
    static double complex joined[COILS * GRID];
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        const int64_t n = length_of(s, op, false);
        fill(in, length_of(s, op, true));
        memset(out, 0xff, sizeof out);
        must(ndft_execute_host(plain, op, in, right));
        execute_both(s, group, op, in, out);
        memset(joined, 0xff, sizeof joined);
        execute_parts(s, group, devices, op, in, joined);
        assert_memory_equal(joined, out, (size_t)n * sizeof *out);
        for (int64_t i = 0; i < n; i++) right[i] -= out[i];
        assert_true(complex_norm(right, n) <= 1e-9 * complex_norm(out, n));
    }
}

/* Every split on one to three devices. Coils are cut of planar data. */
static void expect_all_splits(const small *s)
{
    const ndft_plan_options fixed = {.struct_size = sizeof fixed, .deterministic = true};
    ndft_plan *plain = plan_of(s, NORMAL_TOO, &fixed);
    for (int n = 1; n <= 3; n++)
        for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
            if (splits[i] == NDFT_SPLIT_COILS && s->desc.layout == NDFT_INTERLEAVED) continue;
            ndft_group_plan *plan = group_plan(s, n, 0, NORMAL_TOO, splits[i], &fixed);
            expect_plain(s, plan, n, plain);
            ndft_group_plan_destroy(plan);
        }
    ndft_plan_destroy(plain);
}

static void as_one_device(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 5);
    expect_all_splits(&s);
    s.desc.layout = NDFT_INTERLEAVED;
    expect_all_splits(&s);
    s.desc.mask = NULL;
    s.voxels = GRID;
    s.desc.field = NULL;
    s.desc.t = NULL;
    expect_all_splits(&s);
}

static void make_mapped(small *s, int seed)
{
    static double complex maps[COILS * GRID];
    small_make(s, seed);
    for (int i = 0; i < COILS * GRID; i++) maps[i] = mixed(5 * i + seed);
    s->desc.maps = maps;
}

static void with_coil_maps(void **state)
{
    (void)state;
    static small s;
    make_mapped(&s, 6);
    expect_all_splits(&s);
    s.desc.layout = NDFT_INTERLEAVED;
    expect_all_splits(&s);
}

static void with_all_other_maps(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 7);
    small_scatter(&s);
    s.desc.decay = s.decay;
    expect_all_splits(&s);
    s.desc.position[0] = s.desc.position[1] = NULL;
    s.desc.phases = PHASES;
    s.desc.phase_c = s.phase_c;
    s.desc.phase_b = s.phase_b;
    expect_all_splits(&s);
    s.desc.mask = NULL;
    s.voxels = GRID;
    expect_all_splits(&s);
}

/* Engines are deterministic, and all devices are the same whatever n: bits depend on the threads of
 * a processor. */
static void expect_alike(const ndft_group_plan *plan, int n)
{
    static char first[1 << 14], line[1 << 14];
    char *said = n == 1 ? first : line;
    must(ndft_group_plan_describe(plan, said, sizeof line));
    assert_non_null(strstr(said, "\"deterministic_price\":"));
    const char *device = strstr(said, "\"device\":"), *right = strstr(first, "\"device\":");
    assert_memory_equal(device, right, (size_t)(strstr(right, ",\"plans\":") - right));
}

/* Of so many parts, on every power of two of devices that has one for each. */
static void expect_same_bits(const small *s, int parts, ndft_group_split split,
                             const ndft_plan_options *each)
{
    static double complex in[COILS * GRID], first[3][COILS * GRID], out[COILS * GRID];
    for (int n = 1; n <= parts; n *= 2) {
        ndft_group_plan *plan = group_plan(s, n, parts, NORMAL_TOO, split, each);
        expect_alike(plan, n);
        for (unsigned op = NDFT_FORWARD, i = 0; op <= NDFT_NORMAL; op <<= 1, i++) {
            fill(in, length_of(s, op, true));
            execute_both(s, plan, op, in, n == 1 ? first[i] : out);
            if (n == 1) continue;
            assert_memory_equal(out, first[i], (size_t)length_of(s, op, false) * sizeof *out);
            memset(out, 0xff, sizeof out);
            execute_parts(s, plan, n, op, in, out);
            assert_memory_equal(out, first[i], (size_t)length_of(s, op, false) * sizeof *out);
        }
        ndft_group_plan_destroy(plan);
    }
}

static void the_same_bits_on_1_2_4_8(void **state)
{
    (void)state;
    static small s;
    const ndft_plan_options nufft = {.struct_size = sizeof nufft,
                                     .variant = on_device("nufft_hybrid")};
    small_make(&s, 8);
    expect_same_bits(&s, 8, NDFT_SPLIT_OUTPUTS, NULL);
    expect_same_bits(&s, 8, NDFT_SPLIT_SAMPLES, NULL);
    expect_same_bits(&s, 2, NDFT_SPLIT_COILS, NULL);
    make_mapped(&s, 8);
    expect_same_bits(&s, 8, NDFT_SPLIT_AUTO, NULL);
    s.desc.tol = 1e-6;
    if (has_fft()) expect_same_bits(&s, 8, NDFT_SPLIT_SAMPLES, &nufft);
}

static void a_group_of_one_is_the_plain_plan(void **state)
{
    (void)state;
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID], right[COILS * GRID];
    small_make(&s, 9);
    const ndft_plan_options fixed = {.struct_size = sizeof fixed, .deterministic = true};
    ndft_plan *plain = plan_of(&s, NORMAL_TOO, &fixed);
    ndft_group_plan *group = group_plan(&s, 1, 0, NORMAL_TOO, NDFT_SPLIT_AUTO, &fixed);
    fill(in, length_of(&s, NDFT_NORMAL, true));
    must(ndft_execute_host(plain, NDFT_NORMAL, in, right));
    execute_both(&s, group, NDFT_NORMAL, in, out);
    assert_memory_equal(out, right, (size_t)length_of(&s, NDFT_NORMAL, false) * sizeof *out);
    ndft_plan_destroy(plain);
    ndft_group_plan_destroy(group);
}

static void described(const small *s, ndft_group_split split, const char *words)
{
    char line[1 << 14], few[16];
    ndft_group_plan *plan = group_plan(s, 2, 0, NORMAL_TOO, split, NULL);
    must(ndft_group_plan_describe(plan, line, sizeof line));
    if (!strstr(line, words)) fail_msg("'%s' lacks '%s'", line, words);
    assert_int_equal(ndft_group_plan_describe(plan, few, sizeof few), NDFT_EINVAL);
    said("bytes, not 16");
    ndft_group_plan_destroy(plan);
}

static void descriptions(void **state)
{
    (void)state;
    static small s;
    small_make(&s, 3);
    described(&s, NDFT_SPLIT_AUTO, "{\"devices\":2,\"parts\":2,\"device\":{");
    described(&s, NDFT_SPLIT_COILS, "{\"split\":\"coils\",\"sums\":[],\"part\":{\"operations\":[");
    described(&s, NDFT_SPLIT_OUTPUTS, "{\"split\":\"samples\",\"sums\":[\"normal\"],");
    described(&s, NDFT_SPLIT_OUTPUTS, "{\"split\":\"voxels\",\"sums\":[],");
    described(&s, NDFT_SPLIT_SAMPLES, "{\"split\":\"samples\",\"sums\":[\"adjoint\",\"normal\"],");
}

/* Of a problem of several coils, by sums: to share the phases of all coils costs a sum of images.
 */
static void expect_split(const small *s, double bytes_s, double step_s, const char *split)
{
    char line[1 << 14], variant[32], words[64];
    snprintf(variant, sizeof variant, "tiled.%.*s", (int)strcspn(name_of(0), ":"), name_of(0));
    const ndft_plan_options each = {.struct_size = sizeof each, .variant = variant};
    const ndft_group_plan_options o = {
        .struct_size = sizeof o, .each = &each, .link_bytes_s = bytes_s, .link_step_s = step_s};
    ndft_group *group;
    ndft_problem *problem;
    ndft_group_plan *plan;
    must(try_group(2, 0, NULL, &group));
    must(ndft_problem_create(device, &s->desc, &problem));
    must(ndft_group_plan_create(group, problem, NDFT_NORMAL, &o, &plan));
    must(ndft_group_plan_describe(plan, line, sizeof line));
    snprintf(words, sizeof words, "{\"split\":\"%s\"", split);
    if (!strstr(line, words)) fail_msg("'%s' lacks '%s'", line, words);
    if (!strstr(line, ",\"seconds\":")) fail_msg("'%s' predicts nothing", line);
    ndft_group_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_group_destroy(group);
}

static void splits_follow_the_link(void **state)
{
    (void)state;
    enum { MANY = 4000 }; /* so that sums take longer than to begin them, on any processor */
    static small s;
    static double kx[MANY], ky[MANY], t[MANY];
    small_make(&s, 3);
    for (int j = 0; j < MANY; j++) {
        kx[j] = s.kx[j % SAMPLES] * j / MANY;
        ky[j] = s.ky[j % SAMPLES] * j / MANY;
        t[j] = s.t[j % SAMPLES];
    }
    s.desc.n_samples = MANY;
    s.desc.k[0] = kx;
    s.desc.k[1] = ky;
    s.desc.t = t;
    expect_split(&s, 1e15, 1e-12, "samples");
    expect_split(&s, 1, 1e-12, "coils");
    expect_split(&s, 1e15, 1, "coils");
}

static void refused_group(int n, int parts, const ndft_device_options *each, const char *words)
{
    ndft_group *group;
    assert_int_equal(try_group(n, parts, each, &group), NDFT_EINVAL);
    assert_null(group);
    said(words);
}

static void refused_groups(void **state)
{
    (void)state;
    const ndft_device_options own = {.struct_size = sizeof own, .stream = state};
    const char *names[] = {name_of(0), NULL}, *wrong[] = {"cpu", "cqu"};
    ndft_group *group;
    refused_group(0, 0, NULL, "a group has 0 devices; 1 to 64, nearest: 1");
    refused_group(65, 0, NULL, "nearest: 64");
    refused_group(1, 12, NULL, "parts=12; 0, or a power of two up to 64, nearest: 8");
    refused_group(1, -1, NULL, "nearest: 0");
    refused_group(3, 8, NULL, "8 parts are not as many on each of 3 devices; nearest: 2 devices");
    refused_group(16, 8, NULL, "nearest: 8 devices");
    refused_group(2, 0, &own, "stream is of one device");
    assert_int_equal(ndft_group_create(2, names, 0, NULL, &group), NDFT_EINVAL);
    said("the name of device 1 is NULL");
    assert_int_equal(ndft_group_create(2, wrong, 0, NULL, &group), NDFT_EINVAL);
    said("there is no device 'cqu'; nearest: cpu");
    assert_int_equal(ndft_group_create(2, NULL, 0, NULL, &group), NDFT_EINVAL);
    if (!strcmp(name_of(0), "cpu")) return;
    wrong[1] = name_of(0);
    assert_int_equal(ndft_group_create(2, wrong, 0, NULL, &group), NDFT_EINVAL);
    said("devices of a group are alike: cpu is ");
}

static void refused_plan(const small *s, const ndft_group_plan_options *o, ndft_status status,
                         const char *words)
{
    ndft_group *group;
    ndft_problem *problem;
    ndft_group_plan *plan;
    must(try_group(4, 0, NULL, &group));
    must(ndft_problem_create(device, &s->desc, &problem));
    assert_int_equal(ndft_group_plan_create(group, problem, NDFT_FORWARD, o, &plan), status);
    assert_null(plan);
    said(words);
    assert_int_equal(ndft_group_plan_create(group, problem, 8, o, &plan), NDFT_EINVAL);
    assert_int_equal(ndft_group_plan_create(NULL, problem, NDFT_FORWARD, o, &plan), NDFT_EINVAL);
    ndft_problem_destroy(problem);
    ndft_group_destroy(group);
}

static void refused_plans(void **state)
{
    (void)state;
    static small s;
    ndft_plan_options each = {.struct_size = sizeof each, .variant = "tilde.cpu"};
    ndft_group_plan_options o = {.struct_size = sizeof o, .split = NDFT_SPLIT_COILS};
    small_make(&s, 4);
    refused_plan(&s, &o, NDFT_EINVAL, "at least 4 of them; nearest: NDFT_SPLIT_SAMPLES");
    o.split = (ndft_group_split)7;
    refused_plan(&s, &o, NDFT_EINVAL, "split=7");
    o.split = NDFT_SPLIT_SAMPLES;
    o.link_step_s = NAN;
    refused_plan(&s, &o, NDFT_EINVAL, "link_step_s=nan; each at least 0");
    o.link_step_s = 0;
    o.each = &each;
    refused_plan(&s, &o, NDFT_EINVAL, "tilde"); /* the message of another thread */
    each.capacity = (const ndft_problem *)&s;
    refused_plan(&s, &o, NDFT_EUNSUPPORTED, "capacity");
    o.each = NULL;
    s.desc.n_samples = 3;
    refused_plan(&s, &o, NDFT_EINVAL,
                 "3 samples are less than one for each of 4 parts; 3 parts at most");
}

static void refused_executions(void **state)
{
    (void)state;
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID];
    small_make(&s, 4);
    ndft_group_plan *plan = group_plan(&s, 2, 0, NDFT_FORWARD, NDFT_SPLIT_AUTO, NULL);
    assert_int_equal(ndft_group_execute_host(plan, NDFT_ADJOINT, in, out), NDFT_EINVAL);
    said("op=2: the plan was made for ops=1 (1 forward, 2 adjoint, 4 normal)");
    assert_int_equal(ndft_group_execute_host(plan, NDFT_FORWARD, in, in), NDFT_EINVAL);
    assert_int_equal(ndft_group_execute_host(plan, NDFT_FORWARD, NULL, out), NDFT_EINVAL);
    assert_int_equal(ndft_group_execute(NULL, NDFT_FORWARD, in, out), NDFT_EINVAL);
    const void *const some[] = {in, NULL};
    void *const others[] = {out, out + 1};
    ndft_group_part part;
    assert_int_equal(ndft_group_execute_parts(plan, NDFT_FORWARD, some, others), NDFT_EINVAL);
    said("in is NULL");
    assert_int_equal(ndft_group_execute_parts(plan, NDFT_FORWARD, some, NULL), NDFT_EINVAL);
    assert_int_equal(ndft_group_part_of(plan, NDFT_FORWARD, 2, true, &part), NDFT_EINVAL);
    said("device=2; 0 to 1");
    assert_int_equal(ndft_group_part_of(plan, NDFT_NORMAL, 0, true, &part), NDFT_EINVAL);
    ndft_group_plan_destroy(plan);
    ndft_group_plan_destroy(NULL);
    ndft_group_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_device),
        cmocka_unit_test(with_coil_maps),
        cmocka_unit_test(with_all_other_maps),
        cmocka_unit_test(the_same_bits_on_1_2_4_8),
        cmocka_unit_test(a_group_of_one_is_the_plain_plan),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(splits_follow_the_link),
        cmocka_unit_test(refused_groups),
        cmocka_unit_test(refused_plans),
        cmocka_unit_test(refused_executions),
    };
    return cmocka_run_group_tests(tests, open_first, close_device);
}
