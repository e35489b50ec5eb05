/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "best.h"
#include "kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Decisions read from files that are right, near, stale, foreign and damaged. */

enum { FILE_MAX = 8192 };

static char path[] = "unit_select.json";
static ndft_exec *exec;
static ndft_error error;

static int open_exec(void **state)
{
    (void)state;
    setenv("NDFT_SELECT", path, 1);
    return ndft_backend_cpu.open(0, &exec, &error) != NDFT_OK;
}

static int close_exec(void **state)
{
    (void)state;
    ndft_backend_cpu.close(exec);
    return unlink(path);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *build_of(const char *name)
{
    return ndft_registered_find(name, strlen(name))->build_id;
}

static const char order_of_two[] =
    "{\"variant\":\"tiled.cpu:tile=64,outputs=2,threads=0,sincos=auto\",\"record\":\"aaaa\","
    "\"error\":1e-6},{\"variant\":\"fast_math.cpu:outputs=1,threads=0\",\"record\":\"bbbb\","
    "\"error\":2e-6}";

/* One class: forward 2d f32 with a field, 2^11..2^13-1 voxels and samples, one coil. */
static void make_file(char text[FILE_MAX], const char *device, const char *build, const char *order)
{
    snprintf(
        text, FILE_MAX,
        "{\"schema\":\"ndft-select/2\",\"devices\":[],\"registry\":{\"tiled.cpu\":\"%s\","
        "\"tiled.cuda\":\"of another backend\"},\"picks\":[{\"class\":{\"kind\":\"nonuniform\","
        "\"device\":\"%s\",\"op\":\"forward\",\"prec\":\"f32\",\"mode\":\"batch\",\"dim\":2,"
        "\"field\":true,\"gradients\":false,\"tol\":1e-4,\"voxels\":[2048,8191],"
        "\"samples\":[2048,8191],\"coils\":[1,1],\"lines\":false,\"per_time\":[1,3],\"turns\":[0,1]"
        "},\"cases\":["
        "\"forward 2d n=64x64 m=4096 "
        "field=random:50Hz t=5ms\"],\"order\":[%s]}]}",
        build, device, order);
}

static void write_usual(void)
{
    char text[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    write_file(text);
}

static ndft_made made_of(const char *text, ndft_op *op)
{
    ndft_case c;
    ndft_made made;
    assert_int_equal(ndft_case_parse(text, &c, &error), NDFT_OK);
    assert_int_equal(ndft_nonuniform.make(&c, &made, &error), NDFT_OK);
    *op = c.op;
    return made;
}

/* Plans the best variant of a case, executes it once and returns how it was chosen. */
static ndft_choice choose(const char *text)
{
    ndft_op op;
    ndft_choice choice;
    ndft_plan plan;
    ndft_made made = made_of(text, &op);
    ndft_status status = ndft_plan_best(&made.problem, op, exec, &plan, &choice);
    if (status != NDFT_OK) fail_msg("%s", error.message);
    assert_int_equal(error.status, NDFT_OK);
    assert_non_null(strstr(choice.variant, plan.variant->name));
    void *out = malloc(ndft_nonuniform.bytes_out(&made.problem, op));
    assert_int_equal(ndft_execute_host(&plan, op, ndft_made_input(&made, op), out), NDFT_OK);
    free(out);
    ndft_plan_destroy(&plan);
    ndft_nonuniform.release(&made);
    return choice;
}

static void says(const ndft_choice *choice, const char *words)
{
    if (!strstr(choice->text, words)) fail_msg("no '%s' in: %s", words, choice->text);
}

static const char inside[] = "forward 2d n=50x50 m=2100 field=random:50Hz t=5ms";

static void falls_back(const char *text, const char *words)
{
    write_file(text);
    ndft_choice choice = choose(inside);
    assert_int_equal(choice.match, NDFT_MATCH_DEFAULT);
    assert_string_equal(choice.variant, "naive.cpu");
    assert_string_equal(choice.record, "");
    says(&choice, "by the order of variants.def");
    says(&choice, words);
}

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

/* What grows less by its declared cost goes first; what was measured without ceilings stays. */
static void test_the_shorter_time_foreseen(void **state)
{
    (void)state;
    static const char *const costs[][2] = {
        {"\"median_s\":1,\"cost\":{\"fma\":1},\"bounds_s\":{\"fma\":1}",
         "\"median_s\":1,\"cost\":{\"fma\":1e15},\"bounds_s\":{\"fma\":1}"},
        {"\"median_s\":1,\"cost\":{\"fma\":1},\"bounds_s\":null", "\"median_s\":1"},
    };
    for (int foreseen = 0; foreseen < 2; foreseen++) {
        char order[1024], text[FILE_MAX];
        const char *const *cost = costs[!foreseen];
        snprintf(order, sizeof order,
                 "{\"variant\":\"tiled.cpu\",\"record\":\"aaaa\",\"error\":1e-6,%s},"
                 "{\"variant\":\"fast_math.cpu\",\"record\":\"bbbb\",\"error\":1e-6,%s}",
                 cost[0], cost[1]);
        make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
        write_file(text);
        assert_string_equal(choose(inside).record, foreseen ? "bbbb" : "aaaa");
    }
}

static void test_the_nearer_of_two_classes(void **state)
{
    (void)state;
    char text[2 * FILE_MAX], second[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    make_file(second, exec->device.slug, build_of("tiled.cpu"),
              "{\"variant\":\"output_driven.cpu\",\"record\":\"cccc\",\"error\":1e-6}");
    char *pick = strstr(second, "{\"class\""), *n = strstr(pick, "n=64x64");
    memcpy(n, "n=16x16", 7);
    memcpy(strstr(pick, "\"voxels\":[2048,8191]"), "\"voxels\":[ 128, 511]", 20);
    text[strlen(text) - 2] = ',';
    strcpy(text + strlen(text) - 1, pick);
    write_file(text);
    assert_string_equal(choose("forward 2d n=28x28 m=4096 field=random:50Hz").record, "cccc");
    assert_string_equal(choose("forward 2d n=40x40 m=4096 field=random:50Hz").record, "aaaa");
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

static void test_next_when_unfit(void **state)
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
    refusals = 1;
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
        {"forward 2d n=64x64 m=4096", "uniform:scfo64", "its case 0 is none"},
        {"select/2", "select/9", "schema is ndft-select/9"},
        {"\"schema\"", "\"scheme\"", "schema is missing"},
        {"\"picks\"", "\"pucks\"", "no picks"},
        {"\"dim\":2", "\"dim\":[", "unit_select.json:1: "},
        {"\"dim\":2,", "\"dom\":2,", "pick 0: "},
        {"[2048,8191]", "[2048,null]", "pick 0: "},
        {"\"tol\":1e-4", "\"tol\":true", "pick 0: "},
        {"\"cases\":[", "\"cases\":[7,", "its case 0 is none"},
        {"n=64x64", "n=64x-4", "its case 0 is none"},
        {"\"error\":1e-6", "\"error\":null", "entry 0 of its order"},
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
    ndft_plan plan;
    ndft_made made = made_of("forward 2d n=50x50 m=2100 tol=1e-9", &op);
    assert_int_equal(ndft_plan_best(&made.problem, op, exec, &plan, &choice), NDFT_EUNFIT);
    assert_non_null(strstr(error.message, "no variant on cpu fits this problem"));
    error = (ndft_error){0};
    ndft_nonuniform.release(&made);
}

static void test_two_operations_are_decided_by_the_first(void **state)
{
    (void)state;
    write_usual();
    ndft_op op;
    ndft_choice choice;
    ndft_plan plan;
    ndft_made made = made_of(inside, &op);
    assert_int_equal(
        ndft_plan_best(&made.problem, NDFT_FORWARD | NDFT_ADJOINT, exec, &plan, &choice), NDFT_OK);
    assert_string_equal(choice.record, "aaaa");
    ndft_plan_destroy(&plan);
    ndft_nonuniform.release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_class),
        cmocka_unit_test(test_normal_asks_forward),
        cmocka_unit_test(test_nearest_class),
        cmocka_unit_test(test_the_shorter_time_foreseen),
        cmocka_unit_test(test_the_nearer_of_two_classes),
        cmocka_unit_test(test_nothing_alike),
        cmocka_unit_test(test_next_when_unfit),
        cmocka_unit_test(test_default_when_nothing_in_the_class_fits),
        cmocka_unit_test(test_next_when_memory_does_not_suffice),
        cmocka_unit_test(test_a_file_from_elsewhere),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_files_cut_short),
        cmocka_unit_test(test_nothing_fits_at_all),
        cmocka_unit_test(test_two_operations_are_decided_by_the_first),
    };
    return cmocka_run_group_tests(tests, open_exec, close_exec);
}
