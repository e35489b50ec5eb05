/* SPDX-License-Identifier: Apache-2.0 */
static char path[] = "unit_foresee.json";
#include "select_file.h"

/* Orders of decisions by the times that are foreseen for the problem at hand. */

/* What grows less by its declared cost goes first; that of which no parts are known stays. */
static void test_the_shorter_time_foreseen(void **state)
{
    (void)state;
    static const char *const costs[][2] = {
        {"\"median_s\":1,\"cost\":{\"fma\":1},\"parts_s\":{\"fma\":1}",
         "\"median_s\":1,\"cost\":{\"fma\":1e15},\"parts_s\":{\"fma\":1}"},
        {"\"median_s\":1,\"cost\":{\"fma\":1},\"parts_s\":null", "\"median_s\":1"},
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

static const char timed_order[] =
    "{\"variant\":\"tiled.cpu\",\"record\":\"aaaa\",\"error\":1e-6,\"case\":0,"
    "\"median_s\":1,\"cost\":{\"launches\":1},\"parts_s\":{\"launches\":1}},"
    "{\"variant\":\"fast_math.cpu\",\"record\":\"bbbb\",\"error\":1e-6,\"case\":%d,"
    "\"median_s\":%g,\"cost\":{\"launches\":1},\"parts_s\":{\"launches\":1}}";

/* At 50x50 the second is foreseen as exp((ln 1.1/1.54 + ln t/11.9) / (1/1.54 + 1/11.9)). */
static void test_times_of_other_classes_count(void **state)
{
    (void)state;
    static const double times[] = {0.9, 1e-3};
    for (int i = 0; i < 2; i++) {
        char text[2 * FILE_MAX], order[1024];
        snprintf(order, sizeof order, timed_order, 0, 1.1);
        make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
        snprintf(order, sizeof order, timed_order, 0, times[i]);
        add_smaller(text, order);
        write_file(text);
        assert_string_equal(choose(inside).record, i ? "bbbb" : "aaaa");
    }
}

static void test_an_entry_of_no_case(void **state)
{
    (void)state;
    char text[FILE_MAX], order[1024];
    snprintf(order, sizeof order, timed_order, 1, 1.0);
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order);
    falls_back(text, "pick 0: entry 1 of its order: no case 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_shorter_time_foreseen),
        cmocka_unit_test(test_the_nearer_of_two_classes),
        cmocka_unit_test(test_times_of_other_classes_count),
        cmocka_unit_test(test_an_entry_of_no_case),
    };
    return cmocka_run_group_tests(tests, open_exec, close_exec);
}
