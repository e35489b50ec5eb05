/* SPDX-License-Identifier: Apache-2.0 */
#include "support/case_text.h"

/* grid= in the grammar of cases. */

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
