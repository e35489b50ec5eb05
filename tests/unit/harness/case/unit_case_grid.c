/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* grid= in the grammar of cases. */

static ndft_case parsed(const char *text)
{
    ndft_case c;
    ndft_error err = {0};
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s: %s", text, err.message);
    return c;
}

static void fails(const char *text, const char *words)
{
    ndft_case c;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    if (!strstr(err.message, words)) fail_msg("%s: '%s' lacks '%s'", text, err.message, words);
}

static void a_grid_is_printed_where_there_is_one(void **state)
{
    (void)state;
    char line[NDFT_CASE_MAX];
    ndft_case c = parsed("forward 2d grid=file:a/x.npy n=4x4 m=8 mask=disk");
    assert_int_equal(c.grid.kind, NDFT_SOURCE_FILE);
    assert_string_equal(c.grid.path, "a/x.npy");
    ndft_case_print(&c, line, sizeof line);
    assert_non_null(strstr(line, " field=none grad=none grid=file:a/x.npy mask=disk "));
    c = parsed("forward 1d n=4 m=8 grid=none");
    ndft_case_print(&c, line, sizeof line);
    assert_null(strstr(line, "grid"));
}

static void messages(void **state)
{
    (void)state;
    fails("forward 1d n=4 m=8 grid=x.npy", "grid=x.npy: unknown word; nearest: none");
    fails("forward 1d n=4 m=8 grid=file", "grid=file: a path is missing, e.g. file:map.npy");
    fails("forward 1d n=4 m=8 grid=none:1", "none takes nothing behind it");
    fails("forward 1d n=4 m=8 grid=file:x.npy field=const:9Hz grad=field t=1ms",
          "grad=field: neighbours are a voxel apart on the grid alone; with grid= it is "
          "random:FREQUENCY or file:PATH");
    fails("uniform:scfo8 grid=file:x.npy", "grid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_is_printed_where_there_is_one),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
