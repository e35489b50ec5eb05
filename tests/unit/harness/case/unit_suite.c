/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Expansion of single suite lines; unit_suite_file.c reads files. */

static ndft_suite expanded(const char *line)
{
    ndft_suite suite = {0};
    ndft_error err = {0};
    if (ndft_suite_add(&suite, line, "line", &err) != NDFT_OK) fail_msg("%s", err.message);
    return suite;
}

static void fails(const char *line, const char *message)
{
    ndft_suite suite = {0};
    ndft_error err = {0};
    assert_int_equal(ndft_suite_add(&suite, line, "line", &err), NDFT_EINVAL);
    assert_string_equal(err.message, message);
    assert_int_equal(suite.size, 0);
    ndft_suite_free(&suite);
}

static void one_case(void **state)
{
    (void)state;
    ndft_suite suite = expanded("forward 2d n=33x47 m=1009 traj=spiral:4 field=smooth:150Hz t=25ms "
                                "grad=random:20Hz coils=3 seed=7 # the acceptance case");
    assert_int_equal(suite.size, 1);
    assert_string_equal(suite.items[0].variants, ".*");
    assert_string_equal(suite.items[0].knobs, "");
    assert_string_equal(suite.items[0].where, "line");
    ndft_case c;
    assert_int_equal(ndft_case_parse("forward 2d n=33x47 m=1009 traj=spiral:4 field=smooth:150Hz "
                                     "t=25ms grad=random:20Hz coils=3 seed=7",
                                     &c, NULL),
                     NDFT_OK);
    assert_memory_equal(&suite.items[0].problem, &c, sizeof c);
    ndft_suite_free(&suite);
}

static void knobs_and_zip(void **state)
{
    (void)state;
    ndft_suite suite = expanded("tiled.* tile=32:1024:*2 outputs={1,2,4,8} : forward 2d "
                                "zip(n={64x64,128x128,256x256},m={4096,16384,65536}) "
                                "field=random:200Hz t=30ms");
    assert_int_equal(suite.size, 6 * 4 * 3);
    for (size_t i = 0; i < suite.size; i++) {
        char knobs[64];
        snprintf(knobs, sizeof knobs, "tile=%d,outputs=%d", 32 << i / 12, 1 << i / 3 % 4);
        assert_string_equal(suite.items[i].knobs, knobs);
        assert_string_equal(suite.items[i].variants, "tiled.*");
        int64_t n = 64 << i % 3;
        assert_int_equal(suite.items[i].problem.n[0], n);
        assert_int_equal(suite.items[i].problem.n[1], n);
        assert_int_equal(suite.items[i].problem.m, n * n);
    }
    ndft_suite_free(&suite);
}

static void zip_ties_knobs_to_keys(void **state)
{
    (void)state;
    ndft_suite suite = expanded("a[.]cpu zip( tile={32, 64}, m={10,20} ) np=3 : adjoint 1d n=8");
    assert_int_equal(suite.size, 2);
    assert_string_equal(suite.items[0].knobs, "tile=32,np=3");
    assert_int_equal(suite.items[0].problem.m, 10);
    assert_string_equal(suite.items[1].knobs, "tile=64,np=3");
    assert_int_equal(suite.items[1].problem.m, 20);
    ndft_suite_free(&suite);
}

/* Of knobs and keys of one name, each is where it stands. */
static void a_knob_may_have_the_name_of_a_key(void **state)
{
    (void)state;
    ndft_suite suite = expanded("a[.]cpu field={svd,time} : adjoint 1d n=8 m=9 field=const:5Hz");
    assert_int_equal(suite.size, 2);
    assert_string_equal(suite.items[1].knobs, "field=time");
    assert_true(suite.items[1].problem.field.largest == 5);
    ndft_suite_free(&suite);
}

static void op_and_dim_lists(void **state)
{
    (void)state;
    ndft_suite suite = expanded("{forward,adjoint} 2d n={8,16}x8 m=64 traj={radial,golden}:{4,8}");
    assert_int_equal(suite.size, 16);
    for (size_t i = 0; i < suite.size; i++) {
        const ndft_case *c = &suite.items[i].problem;
        assert_int_equal(c->op, i / 8 ? NDFT_ADJOINT : NDFT_FORWARD);
        assert_int_equal(c->n[0], i / 4 % 2 ? 16 : 8);
        assert_int_equal(c->traj.kind, i / 2 % 2 ? NDFT_TRAJ_GOLDEN : NDFT_TRAJ_RADIAL);
        assert_int_equal(c->traj.a, i % 2 ? 8 : 4);
    }
    ndft_suite_free(&suite);
}

static void ranges_with_units(void **state)
{
    (void)state;
    ndft_suite suite = expanded(" : forward 1d n=4 m={1:3:+1,10} t=5ms:15ms:+5ms");
    static const int64_t m[] = {1, 2, 3, 10};
    static const double t[] = {0.005, 0.01, 0.015};
    assert_int_equal(suite.size, 12);
    for (size_t i = 0; i < suite.size; i++) {
        assert_int_equal(suite.items[i].problem.m, m[i / 3]);
        assert_true(suite.items[i].problem.t == t[i % 3]);
    }
    ndft_suite_free(&suite);
    suite = expanded("forward 1d n=4 m=4 field=smooth:50Hz:200Hz:*2 tol=0.1:0.3:+0.1");
    assert_int_equal(suite.size, 9);
    assert_true(suite.items[8].problem.field.largest == 200 && suite.items[8].problem.tol == 0.3);
    ndft_suite_free(&suite);
    suite = expanded("forward 1d n=4 m=5:5:+1");
    assert_int_equal(suite.size, 1);
    ndft_suite_free(&suite);
}

static void messages(void **state)
{
    (void)state;
    fails("forward 2d n=0x4 m=12", "line: n=0x4: a size must be at least 1");
    fails("", "line: an empty case; e.g. forward 2d n=64x64 m=4096");
    fails("tiled.* :", "line: an empty case; e.g. forward 2d n=64x64 m=4096");
    fails("t.* tile : forward 1d n=4 m=4", "line: tile: not knob=value");
    fails("t.* tile=1 tile={2,3} : forward 1d n=4 m=4", "line: tile=2: tile is given twice");
    fails("forward 1d n=4 zip(n={4,5},m={4,5})", "line: n=4 m=4: n is given twice");
    fails("tile=32 : forward 1d n=4 m=4",
          "line: tile=32: a filter of variants comes first, e.g. tiled[.].*");
    fails("forward 1d n=4 m={4,5", "line: m={4,5: braces or parentheses do not match");
    fails("forward 1d n=4 m={4,5\n", "line: m={4,5: braces or parentheses do not match");
    fails("forward 1d n=4 m={4,}", "line: m={4,}: an empty value in braces");
    fails("forward 1d n=4 m={}", "line: m={}: an empty value in braces");
    fails("forward 1d n=4 m=9 : x", "line: 1d: not knob=value");
}

static void messages_about_ranges(void **state)
{
    (void)state;
    fails("t tile=64:32:*2 : forward 1d n=4 m=4",
          "line: tile=64:32:*2: an empty range; it must not end before 64");
    fails("t tile=32:64:+0 : forward 1d n=4 m=4",
          "line: tile=32:64:+0: a range without end; the step must be above 0");
    fails(
        "t tile=32:64:*1 : forward 1d n=4 m=4",
        "line: tile=32:64:*1: a range without end; the factor must be above 1, the start above 0");
    fails("t tile=0:64:*2 : forward 1d n=4 m=4",
          "line: tile=0:64:*2: a range without end; the factor must be above 1, the start above 0");
    fails("forward 1d n=4 m=4 t=1ms:5s:+1ms",
          "line: t=1ms:5s:+1ms: not a range, e.g. 32:1024:*2 or 5ms:30ms:+5ms, one unit in all");
    fails("forward 1d n=4 m=a:5:+1",
          "line: m=a:5:+1: not a range, e.g. 32:1024:*2 or 5ms:30ms:+5ms, one unit in all");
    fails("forward 1d n=4 m=5:+1",
          "line: m=5:+1: not a range, e.g. 32:1024:*2 or 5ms:30ms:+5ms, one unit in all");
    fails("forward 1d n=0x4:0x4:+0x4 m=4", "line: n=0x4:0x4:+0x4: not a range, e.g. 32:1024:*2 or "
                                           "5ms:30ms:+5ms, one unit in all");
    fails("forward 1d n=4 m=1:1000000:+1", "line: m=1:1000000:+1: more than 100000 points");
    fails("forward 1d n=4 m=1:1000:+1 seed=1:1000:+1", "line: a suite has at most 100000 points");
    fails("forward 1d zip(n={4,5},m=4)",
          "line: zip(n={4,5},m=4): zip ties lists of one length, not 2 and 1");
    fails("forward 1d zip(n=4,zip(m=4,t=0))", "line: zip(n=4,zip(m=4,t=0)): zip ties key=values, "
                                              "e.g. zip(n={8,16},m={9,17})");
    fails("forward 1d zip(n=4,m=4)x", "line: zip(n=4,m=4)x: nothing may follow zip(...)");
}

/* Refused before it is expanded: before, text, repeated count times, then after. */
static void too_much(const char *before, const char *text, int count, const char *after,
                     const char *message)
{
    const size_t length = strlen(text);
    char *line = malloc(strlen(before) + length * (size_t)count + strlen(after) + 1);
    char *end = line + sprintf(line, "%s", before);
    for (int i = 0; i < count; i++, end += length) memcpy(end, text, length);
    strcpy(end, after);
    ndft_suite suite = {0};
    ndft_error err = {0};
    assert_int_equal(ndft_suite_add(&suite, line, "line", &err), NDFT_EINVAL);
    if (!strstr(err.message, message)) fail_msg("%s", err.message);
    ndft_suite_free(&suite);
    free(line);
}

static void lines_are_bounded(void **state)
{
    (void)state;
    too_much("forward 1d n=4 m=4 seed=", "{1,2}", 33, "", ": more than 32 braces");
    too_much("t ", "k=1 ", 60000, ": forward 1d n=4 m=4", ": more than 256 words in a line");
    too_much("forward 1d n=4 m=4 data=file:{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "x",
             100000, "", ": longer than 2047 characters");
    too_much("forward 1d n=4 zip(m=4,data=file:x", "y", 2040, ")", ": longer than 2047 characters");
    fails("t a=1:100000:+1 b=1:100000:+1 c={,} : forward 1d n=4 m=4",
          "line: a suite has at most 100000 points");
}

/* A failing line leaves the suite as it was. */
static void appends(void **state)
{
    (void)state;
    ndft_suite suite = expanded("forward 1d n={4,5} m=4");
    ndft_error err = {0};
    assert_int_equal(ndft_suite_add(&suite, "forward 1d n=4 m={4,0}", "x", &err), NDFT_EINVAL);
    assert_int_equal(suite.size, 2);
    assert_int_equal(ndft_suite_add(&suite, "forward 1d n=6 m={4,5}", "y", &err), NDFT_OK);
    assert_int_equal(suite.size, 4);
    assert_int_equal(suite.items[1].problem.n[0], 5);
    assert_string_equal(suite.items[3].where, "y");
    ndft_suite_free(&suite);
}

/* Mutated lines must neither crash nor fail without a reason. */
static void mutated_lines(void **state)
{
    (void)state;
    static const char line[] = "tiled.* tile=32:128:*2 zip(np={1,2},m={9,8}) : {forward,adjoint} "
                               "2d n={8x8,9x9} traj=radial:{2,3} t=5ms:9ms:+2ms";
    static const char letters[] = "{},():*+= #0129.ex";
    ndft_random random = {99};
    for (int i = 0; i < 20000; i++) {
        char text[sizeof line];
        memcpy(text, line, sizeof line);
        for (int edits = 0; edits < 1 + i % 4; edits++) {
            uint64_t bits = ndft_random_bits(&random);
            text[(bits >> 33) % (sizeof line - 1)] = letters[(bits >> 20) % 18];
        }
        ndft_suite suite = {0};
        ndft_error err = {0};
        if (ndft_suite_add(&suite, text, "line", &err) != NDFT_OK)
            assert_int_not_equal(err.message[0], '\0');
        else
            assert_int_not_equal(suite.size, 0);
        ndft_suite_free(&suite);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_case),
        cmocka_unit_test(knobs_and_zip),
        cmocka_unit_test(zip_ties_knobs_to_keys),
        cmocka_unit_test(a_knob_may_have_the_name_of_a_key),
        cmocka_unit_test(op_and_dim_lists),
        cmocka_unit_test(ranges_with_units),
        cmocka_unit_test(messages),
        cmocka_unit_test(messages_about_ranges),
        cmocka_unit_test(lines_are_bounded),
        cmocka_unit_test(appends),
        cmocka_unit_test(mutated_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
