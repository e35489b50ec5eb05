/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "problem/question.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What decisions ask of a problem, told by its case and found in its arrays. */

/* What a case says of its structure is what its problem has. */
static void test_structure_of_case(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "forward 2d n=20x20 m=301",
        "forward 2d n=20x20 m=301 t=9ms",
        "forward 2d n=20x20 m=301 traj=random:7 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=301 traj=radial t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=301 traj=golden:11",
        "forward 2d n=20x20 m=301 traj=epi:9 t=9ms",
        "forward 2d n=20x20 m=400 traj=epi:5 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=3001 traj=spiral:9 t=9ms field=const:9Hz",
        "forward 2d n=20x20 m=3001 traj=vdspiral:4 t=9ms",
        "forward 3d n=9x9x8 m=601 traj=kooshball:31 t=9ms",
        "forward 3d n=9x9x8 m=601 traj=sos:5x8 t=9ms"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ndft_case c;
        ndft_made made;
        ndft_error error;
        assert_int_equal(ndft_case_parse(texts[i], &c, &error), NDFT_OK);
        assert_int_equal(ndft_nonuniform.make(&c, &made, &error), NDFT_OK);
        ndft_question told = ndft_question_of_case(&c, "cpu");
        ndft_question found = ndft_question_of_problem(&made.problem, c.op, "cpu");
        if (told.lines != found.lines || told.per_time != found.per_time)
            fail_msg("%s: lines %d, %g a time, but %d and %g", texts[i], told.lines, told.per_time,
                     found.lines, found.per_time);
        if (fabs(told.turns - found.turns) > 0.1 * told.turns) /* a shot ends one dwell before t */
            fail_msg("%s: %g turns, but %g", texts[i], told.turns, found.turns);
        ndft_made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_structure_of_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
