/* SPDX-License-Identifier: Apache-2.0 */
#include "support/case_text.h"

/* phase= in the grammar of cases. */

static void phase_is_printed_where_there_is_some(void **state)
{
    (void)state;
    char line[NDFT_CASE_MAX];
    ndft_case c =
        parsed("forward 2d n=4x4 m=8 traj=radial:2 t=1ms phase=concomitant:550mT fov=300mm");
    ndft_case_print(&c, line, sizeof line);
    assert_non_null(
        strstr(line, " field=none phase=concomitant:550mT grad=none mask=none fov=300mm "));
    c = parsed("forward 1d n=4 m=8 phase=random:3:2e1rad");
    ndft_case_print(&c, line, sizeof line);
    assert_non_null(strstr(line, " phase=random:3:20rad "));
    assert_true(c.phase.a == 3 && c.phase.largest == 20);
    c = parsed("forward 1d n=4 m=8 phase=file:a/c.npy:b.npy");
    assert_string_equal(c.phase.path, "a/c.npy:b.npy");
    c = parsed("forward 1d n=4 m=8 phase=none");
    ndft_case_print(&c, line, sizeof line);
    assert_null(strstr(line, "phase"));
}

static void messages(void **state)
{
    (void)state;
    fails("forward 1d n=4 m=8 phase=random", "phase=random: terms and radians are missing, e.g. "
                                             "random:4:20rad");
    fails("forward 1d n=4 m=8 phase=random:17:2rad", "phase=random:17:2rad: 1 to 16 terms");
    fails("forward 1d n=4 m=8 phase=random:0:2rad", "1 to 16 terms");
    fails("forward 1d n=4 m=8 phase=random:3:2Hz", "phase=random:3:2Hz: ");
    fails("forward 1d n=4 m=8 phase=file:c.npy", "two paths are wanted, e.g. file:c.npy:b.npy");
    fails("forward 1d n=4 m=8 phase=file:a:b:c", "two paths are wanted");
    fails("forward 1d n=4 m=8 phase=concomitant:1T t=1ms", "does not exist in 1d");
    fails("forward 2d n=4x4 m=8 phase=concomitant:0T t=1ms", "phase=concomitant:0T: ");
    fails("forward 2d n=4x4 m=8 phase=concomitant t=1ms", "the static field is missing");
    fails("forward 2d n=4x4 m=8 phase=concomitant:1T t=1ms", "traj=random has no gradients");
    fails("forward 2d n=4x4 m=8 traj=radial:2 phase=concomitant:1T", "gradients take time");
    fails("forward 2d n=4x4 m=8 traj=radial:2 t=1ms fov=300mm",
          "only spirals and phase=concomitant have a field of view");
    fails("forward 2d n=4x4 m=8 phase=concommitant:1T", "nearest: concomitant");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phase_is_printed_where_there_is_some),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
