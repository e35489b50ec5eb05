/* SPDX-License-Identifier: Apache-2.0 */
static char path[] = "unit_predict.json";
#include "support/select_file.h"

/* Orders of decisions by the times that are predicted for the problem at hand. */

/* What grows less by its declared cost goes first; that of which no parts are known stays. */
static void test_the_shorter_time_predicted(void **state)
{
    (void)state;
    static const char *const measured[][2] = {
        {"{\"case\":0,\"median_s\":1,\"cost\":{\"fma\":1},\"parts_s\":{\"fma\":1}}",
         "{\"case\":0,\"median_s\":1,\"cost\":{\"fma\":1e15},\"parts_s\":{\"fma\":1}}"},
        {"{\"case\":0,\"median_s\":1,\"cost\":{\"fma\":1},\"parts_s\":{}}", ""},
    };
    for (int predicted = 0; predicted < 2; predicted++) {
        char order[1024], text[FILE_MAX];
        const char *const *took = measured[!predicted];
        snprintf(
            order, sizeof order,
            "{\"variant\":\"tiled.cpu\",\"record\":\"aaaa\",\"error\":1e-6,\"measured\":[%s]},"
            "{\"variant\":\"fast_math.cpu\",\"record\":\"bbbb\",\"error\":1e-6,\"measured\":[%s]}",
            took[0], took[1]);
        make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
        write_file(text);
        assert_string_equal(choose(inside).record, predicted ? "bbbb" : "aaaa");
    }
}

/* Adds a class of 16x16 voxels with this order to a file of one. */
static void add_smaller(char text[2 * FILE_MAX], const char *order)
{
    char second[FILE_MAX];
    make_file(second, exec->device.slug, build_of("tiled.cpu"), order);
    char *pick = strstr(second, "{\"class\""), *n = strstr(pick, "n=64x64");
    memcpy(n, "n=16x16", 7);
    memcpy(strstr(pick, "\"voxels\":[2048,8191]"), "\"voxels\":[ 128, 511]", 20);
    text[strlen(text) - 2] = ',';
    strcpy(text + strlen(text) - 1, pick);
}

static void test_the_nearer_of_two_classes(void **state)
{
    (void)state;
    char text[2 * FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    add_smaller(text, "{\"variant\":\"output_driven.cpu\",\"record\":\"cccc\",\"error\":1e-6}");
    write_file(text);
    assert_string_equal(choose("forward 2d n=28x28 m=4096 field=random:50Hz").record, "cccc");
    assert_string_equal(choose("forward 2d n=40x40 m=4096 field=random:50Hz").record, "aaaa");
}

static const char timed[] =
    "{\"variant\":\"%s\",\"record\":\"%s\",\"error\":1e-6,\"measured\":[{\"case\":%d,"
    "\"median_s\":%g,\"cost\":{\"launches\":1},\"parts_s\":{\"launches\":1}}]}";

/* Adds an entry whose time is one of launches, the same for every problem. */
static void add_timed(char order[1024], const char *variant, const char *record, int at, double s)
{
    if (*order) strcat(order, ",");
    snprintf(order + strlen(order), 1024 - strlen(order), timed, variant, record, at, s);
}

/* What is chosen where tiled took 1 s in the own class and fast_math so much in a smaller one,
 * and in the own class as well where `own` > 0. */
static ndft_choice chosen_beside(double own, double elsewhere)
{
    char text[2 * FILE_MAX], order[1024] = "", smaller[1024] = "";
    add_timed(order, "tiled.cpu", "aaaa", 0, 1);
    if (own > 0) {
        add_timed(order, "fast_math.cpu", "bbbb", 0, own);
        add_timed(smaller, "tiled.cpu", "aaaa", 0, 1);
    }
    add_timed(smaller, "fast_math.cpu", "bbbb", 0, elsewhere);
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
    add_smaller(text, smaller);
    write_file(text);
    return choose(inside);
}

/* At 50x50 the second is predicted as exp((ln 1.1/1.74 + ln t/12.04) / (1/1.74 + 1/12.04)). */
static void test_times_of_other_classes_count(void **state)
{
    (void)state;
    assert_string_equal(chosen_beside(1.1, 0.9).record, "aaaa");
    assert_string_equal(chosen_beside(1.1, 1e-3).record, "bbbb");
}

/* What another class alone was measured with is chosen where it is predicted to take less. */
static void test_variants_of_other_classes_compete(void **state)
{
    (void)state;
    assert_string_equal(chosen_beside(0, 1.1).record, "aaaa");
    assert_string_equal(chosen_beside(0, 0.9).record, "bbbb");
}

/* What the own class has of too little accuracy serves as another class knows it. */
static void test_the_accurate_of_two_entries(void **state)
{
    (void)state;
    char text[2 * FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"),
              "{\"variant\":\"tiled.cpu\",\"record\":\"aaaa\",\"error\":1e-2}");
    add_smaller(text, "{\"variant\":\"tiled.cpu\",\"record\":\"bbbb\",\"error\":1e-6}");
    write_file(text);
    assert_string_equal(choose(inside).record, "bbbb");
}

static void test_an_entry_of_no_case(void **state)
{
    (void)state;
    char text[FILE_MAX], order[1024] = "";
    add_timed(order, "tiled.cpu", "aaaa", 0, 1);
    add_timed(order, "fast_math.cpu", "bbbb", 1, 1);
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
    falls_back(text, "pick 0: entry 1 of its order: measured: no case 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_shorter_time_predicted),
        cmocka_unit_test(test_the_nearer_of_two_classes),
        cmocka_unit_test(test_times_of_other_classes_count),
        cmocka_unit_test(test_variants_of_other_classes_compete),
        cmocka_unit_test(test_the_accurate_of_two_entries),
        cmocka_unit_test(test_an_entry_of_no_case),
    };
    return cmocka_run_group_tests(tests, open_exec, close_exec);
}
