/* SPDX-License-Identifier: Apache-2.0 */
static char path[] = "unit_select.json";
#include "support/select_file.h"

/* Decisions read from files that are right, near, stale, foreign and damaged. */

static void test_normal_asks_forward(void **state)
{
    (void)state;
    char normal[sizeof inside];
    snprintf(normal, sizeof normal, "normal %s", strchr(inside, ' ') + 1);
    write_usual();
    ndft_choice forward = choose(inside), choice = choose(normal);
    assert_int_equal(choice.match, NDFT_MATCH_NEAR);
    assert_string_equal(choice.variant, forward.variant);
    says(&choice, "from 'forward 2d n=");
}

static void test_own_class(void **state)
{
    (void)state;
    write_usual();
    ndft_choice choice = choose(inside);
    assert_int_equal(choice.match, NDFT_MATCH_EXACT);
    assert_string_equal(choice.variant, "tiled.cpu:tile=64,outputs=2,threads=0,sincos=auto");
    assert_string_equal(choice.record, "aaaa");
    says(&choice, "by record aaaa of unit_select.json (exact)");
}

static void near_by(const char *text, double distance)
{
    ndft_choice choice = choose(text);
    assert_int_equal(choice.match, NDFT_MATCH_NEAR);
    assert_true(fabs(choice.distance - distance) < 1e-3);
    says(&choice, "from 'forward 2d n=64x64 m=4096");
    assert_string_equal(choice.record, "aaaa");
}

static void test_nearest_class(void **state)
{
    (void)state;
    write_usual();
    near_by("forward 2d n=32x32 m=1024 field=random:50Hz t=5ms", sqrt(8));
    near_by("forward 2d n=64x64 m=4096 coils=4 field=random:50Hz t=5ms", 2);
    near_by("forward 2d n=64x64 m=4096", 10); /* all samples of one time, 64 of which count */
    near_by("forward 2d n=64x64 m=4096 traj=radial:64 field=random:50Hz t=5ms", 10);
    near_by("forward 1d n=4096 m=4096 field=random:50Hz t=5ms", 4);
    near_by("forward 2d n=64x64 m=4096 field=random:50Hz t=5ms tol=1e-3", 2);
    near_by("forward 2d n=64x64 m=4096 field=random:50Hz t=5ms tol=1e-5", 4);
    near_by("forward 2d n=64x64 m=4096 field=random:50Hz t=40ms", 2); /* 4 turns; below 1 is 1 */
}

static void test_nothing_alike(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "adjoint 2d n=50x50 m=2100 field=random:50Hz t=5ms",
        "forward 2d n=50x50 m=2100 field=random:50Hz t=5ms prec=f64",
        "forward 2d n=50x50 m=2100 field=random:50Hz t=5ms grad=random:9Hz",
    };
    write_usual();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_choice choice = choose(cases[i]);
        assert_int_equal(choice.match, NDFT_MATCH_DEFAULT);
        says(&choice, "nothing like this problem was measured");
    }
}

static void test_next_when_unsupported(void **state)
{
    (void)state;
    char text[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"),
              "{\"variant\":\"tiled.cpu:tile=63\",\"record\":\"r1\",\"error\":1e-6},"
              "{\"variant\":\"gone.cpu\",\"record\":\"r2\",\"error\":1e-6},"
              "{\"variant\":\"tiled.cuda\",\"record\":\"r3\",\"error\":1e-6},"
              "{\"variant\":\"tiled.cpu\",\"record\":\"r4\",\"error\":2e-3},"
              "{\"variant\":\"fast_math.cpu\",\"record\":\"r5\",\"error\":1e-6}");
    write_file(text);
    ndft_choice choice = choose(inside);
    assert_string_equal(choice.record, "r5");
    assert_int_equal(choice.match, NDFT_MATCH_EXACT);
    says(&choice, "passed over tiled.cpu:tile=63: ");
    says(&choice, "passed over gone.cpu: there is no variant");
    says(&choice, "passed over tiled.cuda: it is of another backend");
    says(&choice, "passed over tiled.cpu: it was checked to 0.002 only, above tol=0.0001");
}

static void test_default_when_nothing_in_the_class_fits(void **state)
{
    (void)state;
    char text[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"),
              "{\"variant\":\"gone.cpu\",\"record\":\"r2\",\"error\":1e-6}");
    falls_back(text, "passed over gone.cpu");
}

static ndft_status (*usual_alloc)(ndft_exec *, const char *, size_t, void **);
static int refusals;

static ndft_status poor_alloc(ndft_exec *e, const char *what, size_t bytes, void **memory)
{
    if (refusals-- > 0) return ndft_fail(e->error, NDFT_ENOMEM, "no memory for %s", what);
    return usual_alloc(e, what, bytes, memory);
}

static void test_next_when_memory_does_not_suffice(void **state)
{
    (void)state;
    write_usual();
    usual_alloc = exec->alloc;
    exec->alloc = poor_alloc;
    refusals = 4; /* every share of the memory is refused */
    ndft_choice choice = choose(inside);
    exec->alloc = usual_alloc;
    assert_string_equal(choice.record, "bbbb");
    says(&choice, "sincos=auto: no memory for");
}

static void test_a_file_from_elsewhere(void **state)
{
    (void)state;
    char text[FILE_MAX];
    make_file(text, "abacus", build_of("tiled.cpu"), order_of_two);
    falls_back(text, "it was not made on ");
    make_file(text, exec->device.slug, "0123", order_of_two);
    falls_back(text, "is stale: tiled.cpu has changed since (0123, now ");
    memcpy(strstr(text, "tiled.cpu"), "toled", 5);
    falls_back(text, "is stale: there is no toled.cpu any more");
}

/* Variants of uniform transforms have changed, and nothing else. */
static void test_the_other_kind_may_be_stale(void **state)
{
    (void)state;
    char text[FILE_MAX], stale[FILE_MAX + 64];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    const char *at = strstr(text, "\"registry\":{") + strlen("\"registry\":{");
    snprintf(stale, sizeof stale, "%.*s\"uniform_naive.cpu\":\"0123\",%s", (int)(at - text), text,
             at);
    write_file(stale);
    assert_string_equal(choose(inside).record, "aaaa");
}

static void test_no_file(void **state)
{
    (void)state;
    setenv("NDFT_SELECT", "nosuch/select.json", 1);
    ndft_choice choice = choose(inside);
    setenv("NDFT_SELECT", path, 1);
    assert_int_equal(choice.match, NDFT_MATCH_DEFAULT);
    says(&choice, "nosuch/select.json: No such file");
}

static void test_damaged_files(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } damages[] = {
        {"\"nonuniform\"", "\"irregular\"", "its kind is irregular"},
        {"\"nonuniform\"", "\"ir\\nregular\"", "its kind is ir regular;"},
        {"forward 2d n=64x64 m=4096", "uniform:scfo64", "its case 0 is none"},
        {"select/4", "select/9", "schema is ndft-select/9"},
        {"\"schema\"", "\"scheme\"", "schema is missing"},
        {"\"picks\"", "\"pucks\"", "no picks"},
        {"\"dim\":2", "\"dim\":[", "unit_select.json:1: "},
        {"\"dim\":2,", "\"dom\":2,", "pick 0: "},
        {"[2048,8191]", "[2048,null]", "pick 0: "},
        {"\"tol\":1e-4", "\"tol\":true", "pick 0: "},
        {"\"cases\":[", "\"cases\":[7,", "its case 0 is none"},
        {"n=64x64", "n=64x-4", "its case 0 is none"},
        {"\"error\":1e-6", "\"error\":null", "entry 0 of its order"},
        {"\"error\":1e-6", "\"error\":1e-6,\"measured\":[{\"case\":0}]", "order: measured: "},
        {"\"order\":[", "\"order\":[7,", "entry 0 of its order"},
        {"\"order\":[", "\"order\":0,\"x\":[", "no case or no order"},
    };
    char text[FILE_MAX], damaged[FILE_MAX + 64];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const char *at = strstr(text, damages[i].from);
        assert_non_null(at);
        snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - text), text, damages[i].to,
                 at + strlen(damages[i].from));
        falls_back(damaged, damages[i].words);
    }
}

static void test_files_cut_short(void **state)
{
    (void)state;
    char text[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    for (size_t length = strlen(text) - 1; length > 20; length -= length > 60 ? 41 : 7) {
        text[length] = 0;
        falls_back(text, "unit_select.json:1: ");
    }
}

static void test_nothing_fits_at_all(void **state)
{
    (void)state;
    write_usual();
    ndft_op op;
    ndft_choice choice;
    ndft_prepared plan;
    ndft_made made = made_of("forward 2d n=50x50 m=2100 tol=1e-9", &op);
    assert_int_equal(ndft_plan_best(&made.problem, op, exec, &plan, &choice), NDFT_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "no variant on cpu fits this problem"));
    error = (ndft_error){0};
    ndft_made_free(&made);
}

static void test_two_operations_are_decided_by_the_first(void **state)
{
    (void)state;
    write_usual();
    ndft_op op;
    ndft_choice choice;
    ndft_prepared plan;
    ndft_made made = made_of(inside, &op);
    assert_int_equal(
        ndft_plan_best(&made.problem, NDFT_FORWARD | NDFT_ADJOINT, exec, &plan, &choice), NDFT_OK);
    assert_string_equal(choice.record, "aaaa");
    ndft_prepared_destroy(&plan);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_class),
        cmocka_unit_test(test_normal_asks_forward),
        cmocka_unit_test(test_nearest_class),
        cmocka_unit_test(test_nothing_alike),
        cmocka_unit_test(test_next_when_unsupported),
        cmocka_unit_test(test_default_when_nothing_in_the_class_fits),
        cmocka_unit_test(test_next_when_memory_does_not_suffice),
        cmocka_unit_test(test_a_file_from_elsewhere),
        cmocka_unit_test(test_the_other_kind_may_be_stale),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_files_cut_short),
        cmocka_unit_test(test_nothing_fits_at_all),
        cmocka_unit_test(test_two_operations_are_decided_by_the_first),
    };
    return cmocka_run_group_tests(tests, open_exec, close_exec);
}
