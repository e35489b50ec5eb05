/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The grammar of cases: values, defaults, canonical text, messages. */

static ndft_case parsed(const char *text)
{
    ndft_case c;
    ndft_error err = {0};
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s: %s", text, err.message);
    return c;
}

static void prints(const char *text, const char *canonical)
{
    ndft_case c = parsed(text), again;
    char line[NDFT_CASE_MAX];
    int length = ndft_case_print(&c, line, sizeof line);
    assert_string_equal(line, canonical);
    assert_int_equal(length, strlen(canonical));
    again = parsed(line);
    assert_memory_equal(&again, &c, sizeof c);
}

static void is_labelled(const char *text, const char *label)
{
    char line[NDFT_CASE_MAX];
    ndft_case c = parsed(text), again;
    assert_int_equal(ndft_case_label(&c, line, sizeof line), strlen(label));
    assert_string_equal(line, label);
    again = parsed(line);
    assert_memory_equal(&again, &c, sizeof c);
}

static void labels_leave_defaults_out(void **state)
{
    (void)state;
    is_labelled("forward 2d m=100 n=8x8 prec=f32 seed=1 coils=1 field=none fov=220mm traj=radial",
                "forward 2d n=8x8 m=100 traj=radial:10");
    is_labelled(
        "adjoint 1d n=8 m=9 traj=random:1 t=0.03s field=smooth:0.2kHz tol_kind=any tol=1e-3",
        "adjoint 1d n=8 m=9 t=30ms field=smooth:200Hz tol=0.001 tol_kind=any");
    is_labelled("normal 2d n=64x64 m=5000 traj=spiral:2 t=25ms fov=0.2m",
                "normal 2d n=64x64 m=5000 traj=spiral:2 t=25ms fov=200mm");
    is_labelled("uniform:dcbi4x5x6i1,1,4,20,120 load=none store=crop:2x2x2 tol=1e-4 seed=2",
                "uniform:dcbi4x5x6 store=crop:2x2x2 seed=2");
}

static void fails(const char *text, const char *message)
{
    ndft_case c;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    assert_string_equal(err.message, message);
}

static void canonical_lines(void **state)
{
    (void)state;
    prints("forward 2d n=33x47 m=1009 traj=spiral:4 field=smooth:150Hz t=25ms grad=random:20Hz "
           "coils=3 seed=7",
           "forward 2d n=33x47 m=1009 traj=spiral:4 t=25ms field=smooth:150Hz grad=random:20Hz "
           "mask=none fov=220mm coils=3 layout=planar prec=f32 tol=1e-4 data=random seed=7");
    prints("forward 2d n=256x256 m=65536 traj=radial:256 field=smooth:200Hz t=30ms coils=32",
           "forward 2d n=256x256 m=65536 traj=radial:256 t=30ms field=smooth:200Hz grad=none "
           "mask=none coils=32 layout=planar prec=f32 tol=1e-4 data=random seed=1");
    prints("adjoint 3d n=64x64x64 m=262144 traj=kooshball field=file:map.npy grad=random:20Hz "
           "t=10ms",
           "adjoint 3d n=64x64x64 m=262144 traj=kooshball:512 t=10ms field=file:map.npy "
           "grad=random:20Hz mask=none coils=1 layout=planar prec=f32 tol=1e-4 data=random seed=1");
    prints(" normal\t1d  seed=18446744073709551615 m=1 n=1 prec=f64 layout=interleaved mask=disk "
           "tol=0.05 data=phantom\n",
           "normal 1d n=1 m=1 traj=random:1 t=0 field=none grad=none mask=disk coils=1 "
           "layout=interleaved prec=f64 tol=0.05 data=phantom seed=18446744073709551615");
}

static void times_stand_beside_t(void **state)
{
    (void)state;
    prints("forward 1d n=4 m=8 field=const:9Hz times=file:t.npy",
           "forward 1d n=4 m=8 traj=random:1 t=0 times=file:t.npy field=const:9Hz grad=none "
           "mask=none coils=1 layout=planar prec=f32 tol=1e-4 data=random seed=1");
    ndft_case with = parsed("forward 2d n=4x4 m=8 traj=spiral:2 t=0 times=file:a"),
              without = parsed("forward 1d n=4 m=4 times=none");
    assert_string_equal(with.times.path, "a");
    assert_int_equal(without.times.kind, NDFT_SOURCE_NONE);
    fails("forward 1d n=4 m=8 times=file:t.npy t=25ms",
          "t=25ms and times=file:t.npy: both set the clock; give one, or t=0");
    fails("forward 1d n=4 m=8 times=fil:t", "times=fil:t: unknown word; nearest: file");
    fails("forward 1d n=4 m=8 times=file:", "times=file:: a path is missing, e.g. file:map.npy");
}

/* Records came before the key: without decay a line is what it was. */
static void decay_is_printed_where_there_is_some(void **state)
{
    (void)state;
    char line[NDFT_CASE_MAX];
    ndft_case c = parsed("forward 1d n=4 m=8 decay=smooth:4e1");
    ndft_case_print(&c, line, sizeof line);
    assert_non_null(strstr(line, " field=none decay=smooth:40 grad=none "));
    c = parsed("forward 1d n=4 m=8 decay=none");
    ndft_case_print(&c, line, sizeof line);
    assert_null(strstr(line, "decay"));
    fails("forward 1d n=4 m=8 decay=smooth",
          "decay=smooth: a rate in 1/s is missing, e.g. smooth:40");
    fails("forward 1d n=4 m=8 decay=smooth:40Hz", "decay=smooth:40Hz: not a number, e.g. 40");
    fails("forward 1d n=4 m=8 decay=const:-3", "decay=const:-3: must not be negative");
    fails("forward 1d n=4 m=8 decay=const:2e9", "decay=const:2e9: must be at most 1e9");
}

static void units(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"25ms", "0.025s"}, {"25ms", "25000us"}, {"25ms", "2.5e-2s"}, {"1.1ms", "0.0011s"},
        {"0", "0ms"},       {"0", "-0"},         {"3us", "0.003ms"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char text[2][64];
        for (int j = 0; j < 2; j++)
            snprintf(text[j], sizeof text[j], "forward 1d n=4 m=4 t=%s", same[i][j]);
        ndft_case a = parsed(text[0]), b = parsed(text[1]);
        assert_memory_equal(&a, &b, sizeof a);
    }
    ndft_case c = parsed("forward 2d n=4x4 m=4 traj=spiral fov=22cm t=30ms field=const:1.5kHz "
                         "grad=random:20Hz");
    assert_true(c.fov == 0.22 && c.t == 0.03 && c.field.largest == 1500 && c.grad.largest == 20);
}

/* The text of one value after a round trip. */
static void value_prints(const char *key, const char *value, const char *printed)
{
    char text[NDFT_CASE_MAX], line[NDFT_CASE_MAX], wanted[64];
    snprintf(text, sizeof text, "forward 2d n=4x4 m=100 traj=spiral %s=%s", key, value);
    snprintf(wanted, sizeof wanted, " %s=%s ", key, printed);
    ndft_case c = parsed(text);
    ndft_case_print(&c, line, sizeof line);
    if (!strstr(line, wanted)) fail_msg("%s lacks%s", line, wanted);
}

static void nice_units(void **state)
{
    (void)state;
    value_prints("t", "0.025s", "25ms");
    value_prints("t", "0.5s", "500ms");
    value_prints("t", "1000ms", "1s");
    value_prints("t", "1.5s", "1.5s");
    value_prints("t", "0.0003s", "300us");
    value_prints("t", "0.25us", "0.25us");
    value_prints("t", "1e-12s", "1e-6us");
    value_prints("t", "33.333333333333336ms", "33.33333333333333ms");
    value_prints("t", "0s", "0");
    value_prints("fov", "30cm", "300mm");
    value_prints("fov", "1.25m", "1.25m");
    value_prints("field", "linear:0.2kHz", "linear:200Hz");
    value_prints("field", "const:1500Hz", "const:1.5kHz");
    value_prints("field", "random:0", "random:0");
    value_prints("tol", "0.0001", "1e-4");
    value_prints("tol", "1.25E-007", "1.25e-7");
    value_prints("tol", "1", "1");
}

static void default_shots(void **state)
{
    (void)state;
    assert_int_equal(parsed("forward 2d n=8x8 m=1000").traj.a, 1);
    assert_int_equal(parsed("forward 2d n=8x8 m=1000 traj=spiral").traj.a, 1);
    assert_int_equal(parsed("forward 2d n=8x8 m=1000 traj=vdspiral").traj.a, 1);
    assert_int_equal(parsed("forward 2d n=8x8 m=1000 traj=radial").traj.a, 32);
    assert_int_equal(parsed("forward 2d n=8x8 m=1 traj=golden").traj.a, 1);
    assert_int_equal(parsed("forward 2d n=8x8 m=4096 traj=epi").traj.a, 64);
    ndft_case sos = parsed("forward 3d n=64x64x16 m=16384 traj=sos");
    assert_true(sos.traj.a == 32 && sos.traj.b == 16);
    sos = parsed("forward 3d n=64x64x16 m=5 traj=sos");
    assert_true(sos.traj.a == 1 && sos.traj.b == 5);
    sos = parsed("forward 3d n=64x64x16 m=5000 traj=sos:20x10");
    assert_true(sos.traj.a == 20 && sos.traj.b == 10);
}

static void print_truncates(void **state)
{
    (void)state;
    ndft_case c = parsed("forward 1d n=4 m=4");
    char whole[NDFT_CASE_MAX], cut[16];
    int length = ndft_case_print(&c, whole, sizeof whole);
    assert_int_equal(ndft_case_print(&c, NULL, 0), length);
    assert_int_equal(ndft_case_print(&c, cut, sizeof cut), length);
    assert_memory_equal(cut, whole, sizeof cut - 1);
    assert_int_equal(cut[sizeof cut - 1], '\0');
}

static void messages_about_sizes(void **state)
{
    (void)state;
    fails("forward 2d n=0x4 m=12", "n=0x4: a size must be at least 1");
    fails("forward 2d n=-4x4 m=12", "n=-4x4: sizes are whole numbers joined by x, e.g. n=64x64");
    fails("forward 2d n=4x m=12", "n=4x: sizes are whole numbers joined by x, e.g. n=64x64");
    fails("forward 2d n= m=12", "n=: sizes are whole numbers joined by x, e.g. n=64x64");
    fails("forward 2d n=64 m=12", "n=64: 2d takes 2 sizes, e.g. n=64x64");
    fails("forward 1d n=4x4 m=12", "n=4x4: 1d takes 1 size, e.g. n=64");
    fails("forward 3d n=4x4x4x4 m=12", "n=4x4x4x4: 3d takes 3 sizes, e.g. n=64x64x64");
    fails("forward 3d n=2048x2048x512 m=12",
          "n=2048x2048x512: a grid holds at most 2147483647 voxels");
    fails("forward 1d n=2147483648 m=12", "n=2147483648: a size must be at most 2147483647");
    fails("forward 1d n=99999999999999999999999999 m=1",
          "n=99999999999999999999999999: a size must be at most 2147483647");
    fails("forward 1d n=4", "m= is missing, e.g. m=4096");
    fails("forward 1d m=4", "n= is missing, e.g. n=64x64");
    fails("forward 1d n=4 m=0", "m=0: must be at least 1");
    fails("forward 1d n=4 m=-2", "m=-2: must be at least 1");
    fails("forward 1d n=4 m=2147483648", "m=2147483648: must be at most 2147483647");
    fails("forward 1d n=4 m=1e3", "m=1e3: not a whole number, which is digits only");
    fails("forward 1d n=4 m=4 coils=0", "coils=0: must be at least 1");
    fails("forward 1d n=4 m=4 coils=257", "coils=257: must be at most 256");
    fails("forward 1d n=4 m=4 seed=18446744073709551616",
          "seed=18446744073709551616: must be at most 18446744073709551615");
}

static void messages_about_words(void **state)
{
    (void)state;
    fails(" ", "an empty case; e.g. forward 2d n=64x64 m=4096");
    fails("forwrad 2d", "forwrad: unknown operation; nearest: forward");
    fails("forward", "forward: the dimension 1d, 2d or 3d is missing behind it");
    fails("adjoint n=4 m=4", "adjoint: the dimension 1d, 2d or 3d is missing behind it");
    fails("forward 4d", "4d: unknown dimension; nearest: 1d");
    fails("forward 1d n=4 m=4 feild=none", "feild=none: unknown key; nearest: field=");
    fails("forward 1d n=4 m=4 n=5", "n=5: n is given twice");
    fails("forward 1d n=4 m=4 field=file:my map.npy",
          "map.npy: not key=value (file paths hold no spaces)");
    fails("forward 2d n=4x4 m=4 t=5ms field=200Hz",
          "field=200Hz: a word is missing before it, e.g. const:200Hz");
    fails("forward 2d n=4x4 m=4 traj=sprial:2", "traj=sprial:2: unknown word; nearest: spiral");
    fails("forward 1d n=4 m=4 prec=f16", "prec=f16: unknown word; nearest: f32");
    fails("forward 1d n=4 m=4 layout=interleved",
          "layout=interleved: unknown word; nearest: interleaved");
    fails("forward 1d n=4 m=4 mask=disk:3", "mask=disk:3: disk takes nothing behind it");
    fails("forward 1d n=4 m=4 field=file:", "field=file:: a path is missing, e.g. file:map.npy");
}

static void messages_about_quantities(void **state)
{
    (void)state;
    fails("forward 1d n=4 m=4 t=25", "t=25: a unit is missing, e.g. 25ms");
    fails("forward 1d n=4 m=4 t=25mz", "t=25mz: unknown unit; nearest: ms");
    fails("forward 1d n=4 m=4 t=-25ms", "t=-25ms: must not be negative");
    fails("forward 1d n=4 m=4 t=inf", "t=inf: not a number, e.g. 25ms");
    fails("forward 1d n=4 m=4 t=nan", "t=nan: not a number, e.g. 25ms");
    fails("forward 1d n=4 m=4 t=1e999s", "t=1e999s: too large, e.g. 25ms");
    fails("forward 1d n=4 m=4 t=1e5s", "t=1e5s: must be at most 10000s");
    fails("forward 1d n=4 m=4 t=", "t=: not a number, e.g. 25ms");
    fails("forward 1d n=4 m=4 tol=0", "tol=0: must be above 0");
    fails("forward 1d n=4 m=4 tol=2", "tol=2: must be at most 1");
    fails("forward 1d n=4 m=4 tol=1e-4x", "tol=1e-4x: not a number, e.g. 1e-4");
    fails("forward 2d n=4x4 m=4 traj=spiral fov=0", "fov=0: must be above 0");
    fails("forward 1d n=4 m=4 field=smooth",
          "field=smooth: a frequency is missing, e.g. smooth:150Hz");
    fails("forward 1d n=4 m=4 field=const:-5Hz", "field=const:-5Hz: must not be negative");
    fails("forward 1d n=4 m=4 field=const:5", "field=const:5: a unit is missing, e.g. 150Hz");
    fails("forward 1d n=4 m=4 grad=random:5mHz", "grad=random:5mHz: unknown unit; nearest: kHz");
}

static void messages_about_trajectories(void **state)
{
    (void)state;
    fails("forward 3d n=4x4x4 m=4 traj=spiral",
          "traj=spiral: does not exist in 3d; there are random, sos, kooshball, floret, file");
    fails("forward 1d n=4 m=4 traj=radial",
          "traj=radial: does not exist in 1d; there are random, file");
    fails("forward 2d n=4x4 m=4 traj=sos:2x2", "traj=sos: does not exist in 2d; there are random, "
                                               "radial, golden, spiral, vdspiral, epi, file");
    fails("forward 2d n=4x4 m=4 traj=radial:5",
          "traj=radial:5: 5 shots but only m=4 samples; at most one each");
    fails("forward 3d n=4x4x4 m=4 traj=sos:3x2",
          "traj=sos:3x2: 6 shots but only m=4 samples; at most one each");
    fails("forward 2d n=4x4 m=4 traj=radial:0", "traj=radial:0: shots must be at least 1");
    fails("forward 2d n=4x4 m=4 traj=radial:2147483648",
          "traj=radial:2147483648: shots must be at most 2147483647");
    fails("forward 2d n=4x4 m=4 traj=radial:",
          "traj=radial:: the shots are a whole number, e.g. radial:32");
    fails("forward 3d n=4x4x4 m=4 traj=sos:4",
          "traj=sos:4: takes shots and partitions, e.g. sos:32x16");
    fails("forward 2d n=4x4 m=4 traj=radial fov=300mm",
          "fov=300mm: only spirals and phase=concomitant have a field of view");
    fails("forward 1d n=4 m=4 grad=field",
          "grad=field: it is computed from the map, so field= must not be none");
}

static void paths_are_not_expanded(void **state)
{
    (void)state;
    static const char *const paths[] = {"a{b}", "a(b", "1:9:+4", "a)b"};
    ndft_case c;
    ndft_error err = {0};
    char text[64];
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(text, sizeof text, "forward 1d n=4 m=4 mask=file:%s", paths[i]);
        assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
        assert_non_null(strstr(err.message, ": a path holds no braces, lone parentheses,"));
    }
    parsed("forward 1d n=4 m=4 mask=file:map(1).npy");
}

static void messages_about_length(void **state)
{
    (void)state;
    char path[NDFT_PATH_MAX + 1], text[NDFT_CASE_MAX + 64];
    memset(path, 'p', sizeof path);
    snprintf(text, sizeof text, "forward 1d n=4 m=4 mask=file:%.*s", NDFT_PATH_MAX - 1, path);
    parsed(text);
    snprintf(text, sizeof text, "forward 1d n=4 m=4 mask=file:%.*s", NDFT_PATH_MAX, path);
    ndft_case c;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, ": a path has at most 255 characters"));
    snprintf(text, sizeof text, "forward 1d n=4 m=4%*s", NDFT_CASE_MAX, " ");
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, ": a case has at most 2047 characters"));
    assert_int_equal(ndft_case_parse("forward", &c, NULL), NDFT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_lines),
        cmocka_unit_test(labels_leave_defaults_out),
        cmocka_unit_test(times_stand_beside_t),
        cmocka_unit_test(decay_is_printed_where_there_is_some),
        cmocka_unit_test(units),
        cmocka_unit_test(nice_units),
        cmocka_unit_test(default_shots),
        cmocka_unit_test(print_truncates),
        cmocka_unit_test(messages_about_sizes),
        cmocka_unit_test(messages_about_words),
        cmocka_unit_test(messages_about_quantities),
        cmocka_unit_test(messages_about_trajectories),
        cmocka_unit_test(paths_are_not_expanded),
        cmocka_unit_test(messages_about_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
