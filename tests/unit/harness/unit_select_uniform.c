/* SPDX-License-Identifier: Apache-2.0 */
#include "device/backend.h"
#include "problem/kinds.h"
#include "select/best.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Decisions about uniform transforms. */

static char path[] = "unit_select_uniform.json";
static ndft_exec *exec;
static ndft_error error;

static const char of_transforms[] =
    "{\"schema\":\"ndft-select/4\",\"devices\":[],\"registry\":{},\"picks\":[{\"class\":{"
    "\"kind\":\"uniform\",\"device\":\"%s\",\"prec\":\"f32\",\"mode\":\"batch\",\"dim\":1,"
    "\"domain\":\"c2c\",\"in_place\":false,\"contiguous\":true,\"callbacks\":false,\"tol\":1e-4,"
    "\"length\":[64,255],\"batch\":[4,15],\"factor\":[8,127]},\"cases\":[\"uniform:scfo101*8\"],"
    "\"order\":[{\"variant\":\"naive.cpu\",\"record\":\"aaaa\",\"error\":1e-7},"
    "{\"variant\":\"uniform_naive.cpu\",\"record\":\"bbbb\",\"error\":1e-7}]}]}";

static int open_exec(void **state)
{
    (void)state;
    setenv("NDFT_SELECT", path, 1);
    if (ndft_backend_cpu.open(0, &exec, &error) != NDFT_OK) return -1;
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    fprintf(file, of_transforms, exec->device.slug);
    return fclose(file);
}

static int close_exec(void **state)
{
    (void)state;
    ndft_backend_cpu.close(exec);
    return unlink(path);
}

static ndft_choice choose_transform(const char *text)
{
    ndft_case c;
    ndft_made made;
    ndft_choice choice;
    ndft_prepared plan;
    assert_int_equal(ndft_case_parse(text, &c, &error), NDFT_OK);
    assert_int_equal(ndft_uniform_kind.make(&c, &made, &error), NDFT_OK);
    if (ndft_plan_best_uniform(&made.uniform, exec, &plan, &choice) != NDFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(strncmp(plan.variant->name, "uniform_", 8), 0);
    ndft_prepared_destroy(&plan);
    ndft_made_free(&made);
    return choice;
}

/* Variants of the other kind are passed over, in a class and in the order of variants.def. */
static void test_own_and_near_classes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double distance;
    } near[] = {{"uniform:scfo404*8", 2},       {"uniform:scfo101*32", 2},
                {"uniform:scfo112*8", 3.85374}, {"uniform:scfi101*8", 4},
                {"uniform:scfo8.101", 4},       {"uniform:scfo101*8 load=zero_pad:50", 4},
                {"uniform:scbo101x1*8", 4},     {"uniform:scfo101*8 tol=1e-3", 2}};
    ndft_choice choice = choose_transform("uniform:scbo97*5");
    assert_int_equal(choice.match, NDFT_MATCH_EXACT);
    assert_string_equal(choice.record, "bbbb");
    assert_non_null(
        strstr(choice.text, "passed over naive.cpu: it does not serve uniform problems"));
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        choice = choose_transform(near[i].text);
        if (choice.match != NDFT_MATCH_NEAR || fabs(choice.distance - near[i].distance) > 1e-3)
            fail_msg("%s: %s, %g", near[i].text, choice.text, choice.distance);
    }
}

static void test_nothing_alike(void **state)
{
    (void)state;
    assert_int_equal(choose_transform("uniform:srfo101*8").match, NDFT_MATCH_DEFAULT);
    assert_int_equal(choose_transform("uniform:dcfo101*8").match, NDFT_MATCH_DEFAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_and_near_classes),
                                       cmocka_unit_test(test_nothing_alike)};
    return cmocka_run_group_tests(tests, open_exec, close_exec);
}
